import { parseTilePath, TILE_WIDTH, type TilePath } from '../../domain/log/tilePath.ts';
import { refuse } from '../../server/hub/errors.ts';

/** The tile that an address names; refuses a name that no tile has. */
export function tileAt(rest: string): TilePath {
  const path = parseTilePath(rest);
  if (path !== undefined) return path;
  return refuse('bad-tile', {
    error: `path.rest names no tile; got ${JSON.stringify(rest)}.`,
    field: 'path.rest',
  });
}

export function noTile(rest: string): never {
  return refuse('not-found', {
    error: `The log has no tile ${rest} of that level yet.`,
    hint: 'GET /api/v1/log has the size, which says how many tiles there are and how wide the last is.',
  });
}

/** Both never change; one that is not full is soon replaced by a wider one. */
export function cachingOf({ width }: TilePath): Readonly<Record<string, string>> {
  const seconds = width === TILE_WIDTH ? 31_536_000 : 3_600;
  return { 'cache-control': `public, max-age=${seconds}, immutable` };
}
