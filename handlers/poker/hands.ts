import { handsOf } from '../../db/poker/tables.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { currentTable } from '../../workflows/poker/commit.ts';
import { cutPage } from '../page.ts';

/** Finished hands in full, the newest first, each with the seed of its shuffle. */
export const hands: Handler<'poker.hands'> = async (call, hub) => {
  const { limit, before } = call.query;
  const { id } = await currentTable(hub, call.path.id);
  const found = await hub.store.read((db) =>
    handsOf(db, id, before ?? Number.MAX_SAFE_INTEGER, limit + 1),
  );
  const { shown, more } = cutPage(found, limit, (hand) => hand);
  const last = shown.at(-1)?.n;
  return {
    status: 200,
    body: {
      tableId: id,
      count: shown.length,
      limit,
      ...(more && last !== undefined && { nextBefore: last }),
      hands: shown,
    },
  };
};
