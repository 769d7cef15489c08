import { handsOf } from '../../db/poker/tables.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { currentTable } from '../../workflows/poker/commit.ts';
import { cutPage, envelopeOf, placeAt } from '../page.ts';

/** Finished hands in full, the newest first, each with the seed of its shuffle. */
export const hands: Handler<'poker.hands'> = async (call, hub) => {
  const { limit, cursor: after } = call.query;
  const { id } = await currentTable(hub, call.path.id);
  const found = await hub.store.read((db) =>
    handsOf(db, id, after === undefined ? Number.MAX_SAFE_INTEGER : placeAt(after), limit + 1),
  );
  const { shown, more } = cutPage(found, limit, (hand) => hand);
  return {
    status: 200,
    body: {
      tableId: id,
      ...envelopeOf({ rows: shown, more }, limit, ({ n }) => `${n}`),
      hands: shown,
    },
  };
};
