import type { Handler } from '../../workflows/kernel/handler.ts';
import { watchTable } from '../../workflows/poker/watch.ts';
import { presentTable } from './present.ts';

/** The table as everybody may see it; with `after` and `wait` the answer waits for it to move. */
export const get: Handler<'poker.get'> = async (call, hub) => {
  const { after, wait } = call.query;
  const watch = { after, wait, gone: call.request.gone };
  const seen = await watchTable(hub, call.path.id, watch, ({ seq }) => seq > (after ?? 0));
  const { table, events } = seen;
  const shown = after === undefined ? undefined : { after, events };
  return { status: 200, body: presentTable(hub, table, shown) };
};
