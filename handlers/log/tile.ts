import { readTiles } from '../../db/log/log.ts';
import { HASH_BYTES } from '../../domain/time/merkle.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { cachingOf, noTile, tileAt } from './present.ts';

export const tile: Handler<'log.tile'> = async ({ path: { level, rest } }, hub) => {
  const path = tileAt(rest);
  const [found] = await hub.store.read((db) =>
    readTiles(db, [{ level: Number(level), tile: path.tile }]),
  );
  const bytes = path.width * HASH_BYTES;
  // A tile only grows, so a narrower one of before is its beginning.
  if (found === undefined || found.hashes.length < bytes) return noTile(rest);
  const body = found.hashes.subarray(0, bytes);
  return { status: 200, type: 'application/octet-stream', headers: cachingOf(path), body };
};
