import {
  auditPath,
  consistencyPath,
  EMPTY_ROOT,
  HASH_BYTES,
  nodeHash,
  rootOf,
  splitOf,
  type Hash,
} from './merkle.ts';

/**
 * A tree cut into tiles of 256 hashes of a level; the root of a full tile is a hash of the level
 * above. A proof reads a handful of tiles; without them it would hash all leaves again.
 */
export interface TileName {
  /** 0 holds the hashes of leaves, 1 the roots of 256 of them, 2 of 65,536. */
  readonly level: number;
  readonly tile: number;
}
export interface Tile extends TileName {
  /** Its hashes one after the other, at most 256. */
  readonly hashes: Uint8Array;
}

const TILE_HASHES = 256;
/** Levels of the largest tree: 256^5 leaves are a million million. */
const LEVELS = 5;

export interface Tiles {
  /** Full tiles and the unfinished last one of each level. */
  readonly tiles: readonly Tile[];
  readonly root: Hash;
}

/** A tree that is cut while it grows, so that a large one is never hashed in one go. */
export interface GrowingTree {
  add(leaves: readonly Hash[]): void;
  /** The tree as it is now; nothing may be added after. */
  finish(): Tiles;
}

/** `edge` has the unfinished tiles of a tree that has leaves already (`tilesAtEdge`). */
export function growTree(leavesBefore = 0, edge: readonly Tile[] = []): GrowingTree {
  const tiles: Tile[] = [];
  // For each level: the hashes that wait for their tile to be full, and how many tiles it has.
  const levels = Array.from({ length: LEVELS }, (_, level) => {
    const count = Math.floor(leavesBefore / TILE_HASHES ** level);
    const cut = Math.floor(count / TILE_HASHES);
    const width = count - cut * TILE_HASHES;
    const waiting = width === 0 ? [] : [...reader(edge)(level, cut * TILE_HASHES, width)];
    return { waiting, cut };
  });
  let leafCount = leavesBefore;
  const cut = (level: number): void => {
    const at = levels[level];
    if (at === undefined || at.waiting.length === 0) return;
    tiles.push({ level, tile: at.cut, hashes: Buffer.concat(at.waiting) });
    at.cut += 1;
    at.waiting = [];
  };
  const push = (level: number, hash: Hash): void => {
    const at = levels[level];
    if (at === undefined) return;
    at.waiting.push(hash);
    if (at.waiting.length < TILE_HASHES) return;
    const root = rootOf(at.waiting);
    cut(level);
    push(level + 1, root);
  };
  return {
    add(leaves) {
      for (const leaf of leaves) push(0, leaf);
      leafCount += leaves.length;
    },
    finish() {
      for (const level of levels.keys()) cut(level);
      return { tiles, root: leafCount === 0 ? rootOf([]) : rangeRoot(reader(tiles), 0, leafCount) };
    },
  };
}

export function tilesAtEdge(leaves: number): readonly TileName[] {
  return Array.from({ length: LEVELS }, (_, level) => ({
    level,
    count: Math.floor(leaves / TILE_HASHES ** level),
  }))
    .filter(({ count }) => count % TILE_HASHES > 0)
    .map(({ level, count }) => ({ level, tile: Math.floor(count / TILE_HASHES) }));
}

export function tilesForConsistency(before: number, after: number): readonly TileName[] {
  return tilesReadBy((read) =>
    consistencyPath(before, after, (from, to) => rangeRoot(read, from, to)),
  );
}

function tilesReadBy(work: (read: Read) => unknown): readonly TileName[] {
  const names = new Map<string, TileName>();
  work((level, from, count) => {
    const name = { level, tile: Math.floor(from / TILE_HASHES) };
    names.set(nameOf(name), name);
    return Array.from({ length: count }, () => EMPTY_ROOT);
  });
  return [...names.values()];
}

/** The consistency proof (RFC 6962 2.1.2) out of the tiles that `tilesForConsistency` names. */
export function consistencyFromTiles(
  before: number,
  after: number,
  tiles: readonly Tile[],
): readonly Hash[] {
  const read = reader(tiles);
  return consistencyPath(before, after, (from, to) => rangeRoot(read, from, to));
}

/** The tiles of which the root of the first `size` leaves is made; at least one leaf. */
export function tilesForRoot(size: number): readonly TileName[] {
  return tilesReadBy((read) => rangeRoot(read, 0, size));
}

/** The root of the first `size` leaves out of the tiles that `tilesForRoot` names. */
export function rootFromTiles(size: number, tiles: readonly Tile[]): Hash {
  return rangeRoot(reader(tiles), 0, size);
}

export function tilesForPath(index: number, leaves: number): readonly TileName[] {
  const names: TileName[] = [];
  let [at, count] = [index, leaves];
  for (let level = 0; level < LEVELS && count > 0; level += 1) {
    const [own, last] = [Math.floor(at / TILE_HASHES), Math.floor((count - 1) / TILE_HASHES)];
    names.push({ level, tile: Math.min(own, last) });
    if (last > own) names.push({ level, tile: last });
    [at, count] = [own, Math.floor(count / TILE_HASHES)];
  }
  return names;
}

/** The audit path (RFC 6962 2.1.1) out of the tiles that `tilesForPath` names. */
export function pathFromTiles(
  index: number,
  leaves: number,
  tiles: readonly Tile[],
): readonly Hash[] {
  const read = reader(tiles);
  return auditPath(index, leaves, (from, to) => rangeRoot(read, from, to));
}

/** Answers `count` hashes of a level from place `from` on; all are in one tile. */
type Read = (level: number, from: number, count: number) => readonly Hash[];

function reader(tiles: readonly Tile[]): Read {
  const byName = new Map(tiles.map((tile) => [nameOf(tile), tile.hashes]));
  return (level, from, count) => {
    const tile = Math.floor(from / TILE_HASHES);
    const hashes = byName.get(nameOf({ level, tile }));
    const first = from - tile * TILE_HASHES;
    if (hashes === undefined || hashes.length < (first + count) * HASH_BYTES) {
      throw new Error(`tile ${tile} of level ${level} is missing or short`);
    }
    return Array.from({ length: count }, (_, place) =>
      hashes.subarray((first + place) * HASH_BYTES, (first + place + 1) * HASH_BYTES),
    );
  };
}

function nameOf({ level, tile }: TileName): string {
  return `${level}/${tile}`;
}

/** The root of a range that a tree splits off: aligned and full, or one that ends with the tree. */
function rangeRoot(read: Read, from: number, to: number): Hash {
  const size = to - from;
  const half = size === 1 ? 1 : splitOf(size);
  if (size === 1 || size === half * 2) return fullRoot(read, from, size);
  return nodeHash(fullRoot(read, from, half), rangeRoot(read, from + half, to));
}

function fullRoot(read: Read, from: number, size: number): Hash {
  let [level, first, count] = [0, from, size];
  while (count >= TILE_HASHES && level < LEVELS - 1) {
    [level, first, count] = [level + 1, first / TILE_HASHES, count / TILE_HASHES];
  }
  return rootOf(read(level, first, count));
}
