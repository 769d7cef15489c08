import { leavesFrom } from '../../db/log/log.ts';
import { bundleOf } from '../../domain/log/bundle.ts';
import { TILE_WIDTH } from '../../domain/log/tilePath.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { cachingOf, noTile, tileAt } from './present.ts';

export const entries: Handler<'log.entries'> = async ({ path: { rest } }, hub) => {
  const path = tileAt(rest);
  const { tile, width } = path;
  const leaves = await hub.store.read((db) => leavesFrom(db, tile * TILE_WIDTH, width));
  if (leaves.length < width) return noTile(rest);
  const body = bundleOf(leaves);
  return { status: 200, type: 'application/octet-stream', headers: cachingOf(path), body };
};
