import { readCheckpoint } from '../../db/log/checkpoints.ts';
import { findLeaf, readTiles } from '../../db/log/log.ts';
import { pathFromTiles, tilesForPath } from '../../domain/time/tiles.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { noCheckpoint, presentNote } from './present.ts';

export const proof: Handler<'log.proof'> = async ({ path: { digest } }, hub) => {
  const body = await hub.store.read(async (db) => {
    const found = await findLeaf(db, digest);
    if (found === undefined) return noLeaf(digest);
    const newest = (await readCheckpoint(db, 'newest')) ?? noCheckpoint();
    const { place: index, kind } = found;
    const tiles = await readTiles(db, tilesForPath(index, newest.size));
    const path = pathFromTiles(index, newest.size, tiles);
    const checkpoint = await presentNote(db, hub, newest);
    const hashes = path.map((hash) => Buffer.from(hash).toString('hex'));
    return { kind, digest, index, path: hashes, checkpoint };
  });
  return { status: 200, body };
};

function noLeaf(digest: string): never {
  return refuse('not-found', {
    error: `No leaf of the log has the digest ${digest}.`,
    hint: 'A receipt has its leaf within seconds, a payout or a ruling within two minutes. Otherwise the receipt was changed, or it is not of this hub: GET /api/v1/call/receipts has the original.',
  });
}
