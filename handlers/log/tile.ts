import { leavesFrom, readTiles } from '../../db/log/log.ts';
import { bundleOf } from '../../domain/log/bundle.ts';
import { TILE_WIDTH, type TilePath } from '../../domain/log/tilePath.ts';
import { HASH_BYTES } from '../../domain/time/merkle.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { cachingOf, noTile, tileAt } from './present.ts';

const ENTRIES = 'entries';

export const tile: Handler<'log.tile'> = async ({ path: { level, rest } }, hub) => {
  const path = tileAt(rest);
  const found = await (level === ENTRIES ? entriesOf(hub, path) : hashesOf(hub, level, path));
  const body = found ?? noTile(rest);
  return { status: 200, type: 'application/octet-stream', headers: cachingOf(path), body };
};

async function hashesOf({ store }: Hub, level: string, { tile, width }: TilePath) {
  const [found] = await store.read((db) => readTiles(db, [{ level: Number(level), tile }]));
  const bytes = width * HASH_BYTES;
  // A tile only grows, so a narrower one of before is its beginning.
  if (found === undefined || found.hashes.length < bytes) return undefined;
  return found.hashes.subarray(0, bytes);
}

async function entriesOf({ store }: Hub, { tile, width }: TilePath) {
  const leaves = await store.read((db) => leavesFrom(db, tile * TILE_WIDTH, width));
  return leaves.length < width ? undefined : bundleOf(leaves);
}
