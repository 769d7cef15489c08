import type { VerifyCrypto } from './crypto.ts';

/** Walks an audit path from a leaf to the root (RFC 6962 2.1.1, spec/BYTES.md 2). */
const [LEAF, NODE] = [0, 1];

export interface Place {
  /** Below `leaves`. */
  readonly index: number;
  readonly leaves: number;
}

/** The root of a leaf's 32 bytes and its path, from the leaf up; undefined at a wrong length. */
export async function rootFrom(
  data: Uint8Array,
  { index, leaves }: Place,
  path: readonly Uint8Array[],
  { sha256 }: VerifyCrypto,
): Promise<Uint8Array | undefined> {
  let hash = await sha256(concat(LEAF, data));
  // Halved with division, since the operators on bits stop at 2^32 leaves.
  let [place, last] = [index, leaves - 1];
  for (const beside of path) {
    if (last === 0) return undefined;
    if (place % 2 === 1 || place === last) {
      hash = await sha256(concat(NODE, beside, hash));
      // The last of an odd level rises unpaired to the level where it has a neighbour on its left.
      while (place % 2 === 0 && place > 0) [place, last] = [place / 2, half(last)];
    } else {
      hash = await sha256(concat(NODE, hash, beside));
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 ? hash : undefined;
}

export interface Tree {
  readonly size: number;
  readonly root: Uint8Array;
}

/** Whether a tree begins with an earlier one, by a consistency proof (RFC 9162 2.1.4.2). */
export async function isConsistent(
  before: Tree,
  after: Tree,
  path: readonly Uint8Array[],
  crypto: VerifyCrypto,
): Promise<boolean> {
  if (before.size > after.size) return false;
  if (before.size === after.size) return path.length === 0 && isSame(before.root, after.root);
  // Every tree begins with the empty one.
  if (before.size === 0) return path.length === 0;
  const node = (left: Uint8Array, right: Uint8Array) => crypto.sha256(concat(NODE, left, right));
  let [place, last] = [before.size - 1, after.size - 1];
  while (place % 2 === 1) [place, last] = [half(place), half(last)];
  // A whole subtree of the smaller tree is its root, which the proof leaves out.
  const [first, ...rest] = place === 0 ? [before.root, ...path] : path;
  if (first === undefined) return false;
  let [old, now] = [first, first];
  for (const beside of rest) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      [old, now] = [await node(beside, old), await node(beside, now)];
      while (place % 2 === 0 && place > 0) [place, last] = [place / 2, half(last)];
    } else {
      now = await node(now, beside);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && isSame(old, before.root) && isSame(now, after.root);
}

export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

function half(value: number): number {
  return Math.floor(value / 2);
}

function concat(prefix: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 1));
  whole[0] = prefix;
  let at = 1;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
