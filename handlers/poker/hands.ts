import { handsOf } from '../../db/poker/tables.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { currentTable } from '../../workflows/poker/commit.ts';

/** Finished hands in full, the newest first, each with the seed of its shuffle. */
export const hands: Handler<'poker.hands'> = async (call, hub) => {
  const { limit, before } = call.query;
  const { id } = await currentTable(hub, call.path.id);
  const found = await hub.store.read((db) =>
    handsOf(db, id, before ?? Number.MAX_SAFE_INTEGER, limit + 1),
  );
  const page = found.slice(0, limit);
  const last = page.at(-1)?.n;
  return {
    status: 200,
    body: {
      tableId: id,
      count: page.length,
      limit,
      ...(found.length > limit && last !== undefined && { nextBefore: last }),
      hands: [...page],
    },
  };
};
