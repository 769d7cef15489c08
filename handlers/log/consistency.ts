import { readCheckpoint } from '../../db/log/checkpoints.ts';
import { readTiles } from '../../db/log/log.ts';
import { consistencyFromTiles, tilesForConsistency } from '../../domain/time/tiles.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { noCheckpoint, presentNote } from './present.ts';

export const consistency: Handler<'log.consistency'> = async ({ query: { from } }, hub) => {
  const body = await hub.store.read(async (db) => {
    const newest = (await readCheckpoint(db, 'newest')) ?? noCheckpoint();
    if (from > newest.size) return tooLarge(from, newest.size);
    const tiles = await readTiles(db, tilesForConsistency(from, newest.size));
    const path = consistencyFromTiles(from, newest.size, tiles);
    const hashes = path.map((hash) => Buffer.from(hash).toString('hex'));
    return { from, path: hashes, checkpoint: await presentNote(db, hub, newest) };
  });
  return { status: 200, body };
};

function tooLarge(from: number, size: number): never {
  return refuse('bad-size', {
    error: `query.from is ${from}, and the log has ${size} leaves.`,
    hint: 'A hub whose log is smaller than a checkpoint that it signed has lost leaves. Keep that checkpoint, it proves so.',
    field: 'query.from',
  });
}
