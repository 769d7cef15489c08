/**
 * Names of tiles in an address (C2SP tlog-tiles): the index in groups of three digits, all but the
 * last after `x`, then `.p/` and the width of a partial tile. A tile has one name.
 */
export interface TilePath {
  readonly tile: number;
  /** Hashes of it, 1 to 256. */
  readonly width: number;
}

export const TILE_WIDTH = 256;
/** Five groups are below 2^53. */
const NAME = /^((?:x[0-9]{3}\/){0,4}[0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/;

/** Undefined for a text that no tile has as its name. */
export function parseTilePath(text: string): TilePath | undefined {
  const [, name, partial] = NAME.exec(text) ?? [];
  if (name === undefined) return undefined;
  const tile = Number(name.replaceAll(/[x/]/g, ''));
  const width = partial === undefined ? TILE_WIDTH : Number(partial);
  const path = { tile, width };
  return width <= TILE_WIDTH && tilePath(path) === text ? path : undefined;
}

export function tilePath({ tile, width }: TilePath): string {
  const digits = `${tile}`;
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  const groups = padded.match(/.{3}/g) ?? [];
  const name = groups.map((group, place) => (place < groups.length - 1 ? `x${group}` : group));
  return name.join('/') + (width === TILE_WIDTH ? '' : `.p/${width}`);
}

/** The hashes that a tile has in a tree of that size; 0 when the tree has no such tile. */
export function widthIn(size: number, level: number, tile: number): number {
  let hashes = size;
  for (let up = 0; up < level && hashes > 0; up += 1) hashes = Math.floor(hashes / TILE_WIDTH);
  return Math.min(TILE_WIDTH, Math.max(0, hashes - tile * TILE_WIDTH));
}
