import { eventsAfter } from '../../db/poker/tables.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { watchTable } from '../../workflows/poker/watch.ts';
import { EVENTS_MAX, presentTable } from './present.ts';

/** The table as everybody may see it; with `after` and `wait` the answer waits for it to move. */
export const get: Handler<'poker.get'> = async (call, hub) => {
  const { after, wait } = call.query;
  const watch = { after, wait, gone: call.request.gone };
  const table = await watchTable(hub, call.path.id, watch, ({ seq }) => seq > (after ?? 0));
  if (after === undefined) return { status: 200, body: presentTable(hub, table) };
  const events = await hub.store.read((db) => eventsAfter(db, table.id, after, EVENTS_MAX));
  // What came after the table was read belongs to the next answer.
  const shown = events.filter(({ seq }) => seq <= table.seq);
  return { status: 200, body: presentTable(hub, table, { after, events: shown }) };
};
