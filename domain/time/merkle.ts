import { sha256 } from '../digest.ts';

/**
 * The Merkle tree of RFC 6962 2.1 over 32-byte digests. A leaf and a node hash under different
 * prefixes, so neither can be shown as the other.
 */
export type Hash = Uint8Array;

export const HASH_BYTES = 32;
const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

export function leafHash(data: Uint8Array): Hash {
  return sha256(Buffer.concat([LEAF, data]));
}

export function nodeHash(left: Hash, right: Hash): Hash {
  return sha256(Buffer.concat([NODE, left, right]));
}

export const EMPTY_ROOT: Hash = sha256('');

/** The root over hashes of leaves, or of subtrees of one size, in their order. */
export function rootOf(hashes: readonly Hash[]): Hash {
  if (hashes.length === 0) return EMPTY_ROOT;
  let level = hashes;
  // The last one of an odd level rises unpaired, as in the tree of RFC 6962.
  while (level.length > 1) level = paired(level);
  const [root] = level;
  if (root === undefined) throw new Error('a level that is not empty has a first hash');
  return root;
}

function paired(level: readonly Hash[]): readonly Hash[] {
  const above: Hash[] = [];
  for (let at = 0; at < level.length; at += 2) {
    const [left, right] = [level[at], level[at + 1]];
    if (left !== undefined) above.push(right === undefined ? left : nodeHash(left, right));
  }
  return above;
}

/** Answers the root of the leaves from `from` up to, and without, `to`. */
export type RangeRoot = (from: number, to: number) => Hash;

/**
 * The audit path of RFC 6962 2.1.1: what a leaf is hashed with on its way to the root, from the
 * leaf up. Throws RangeError when there is no such leaf.
 */
export function auditPath(index: number, leaves: number, rangeRoot: RangeRoot): readonly Hash[] {
  if (index < 0 || index >= leaves) throw new RangeError(`no leaf ${index} among ${leaves}`);
  const path: Hash[] = [];
  let [from, to] = [0, leaves];
  while (to - from > 1) {
    const middle = from + splitOf(to - from);
    const left = index < middle;
    path.push(left ? rangeRoot(middle, to) : rangeRoot(from, middle));
    [from, to] = left ? [from, middle] : [middle, to];
  }
  return path.reverse();
}

/**
 * The consistency proof of RFC 6962 2.1.2 between two sizes: what shows that the larger tree begins
 * with the smaller one. Throws RangeError when the sizes are not in order.
 */
export function consistencyPath(
  before: number,
  after: number,
  rangeRoot: RangeRoot,
): readonly Hash[] {
  if (before < 0 || before > after) throw new RangeError(`no tree of ${before} in ${after}`);
  if (before === 0 || before === after) return [];
  const path: Hash[] = [];
  let [from, to, isWhole] = [0, after, true];
  while (to !== before) {
    const middle = from + splitOf(to - from);
    const left = before <= middle;
    path.push(left ? rangeRoot(middle, to) : rangeRoot(from, middle));
    if (!left) isWhole = false;
    [from, to] = left ? [from, middle] : [middle, to];
  }
  // The verifier has the root of the smaller tree, and needs any other part of it.
  if (!isWhole) path.push(rangeRoot(from, to));
  return path.reverse();
}

/** The largest power of two below a size of at least two. */
export function splitOf(size: number): number {
  let half = 1;
  while (half * 2 < size) half *= 2;
  return half;
}

/** Returns the root that an audit path ends at (RFC 9162 2.1.3.2); undefined for a wrong length. */
export function rootFromPath(
  leaf: Hash,
  index: number,
  leaves: number,
  path: readonly Hash[],
): Hash | undefined {
  if (index < 0 || index >= leaves) return undefined;
  let [hash, place, last] = [leaf, index, leaves - 1];
  for (const sibling of path) {
    if (last === 0) return undefined;
    if (place % 2 === 1 || place === last) {
      hash = nodeHash(sibling, hash);
      // The last hash of an odd level rises unpaired until it is a right child.
      while (place % 2 === 0 && place > 0) [place, last] = [place / 2, Math.floor(last / 2)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  return last === 0 ? hash : undefined;
}
