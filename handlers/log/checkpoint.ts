import { witnessedCheckpoint } from '../../db/log/checkpoints.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { noCheckpoint, presentNote } from './present.ts';

/** A cache may have it while the next one is made. */
const HEADERS = { 'cache-control': 'public, max-age=2' };

export const checkpoint: Handler<'log.checkpoint'> = async ({ query: { witnesses } }, hub) => {
  const body = await hub.store.read(async (db) => {
    const found = await witnessedCheckpoint(db, witnesses);
    return found === undefined ? noCheckpoint(witnesses) : presentNote(db, hub, found);
  });
  return { status: 200, type: 'text/plain; charset=utf-8', headers: HEADERS, body };
};
