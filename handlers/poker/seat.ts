import { defined } from '../../domain/defined.ts';
import { playerOf } from '../../domain/poker/table.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { notSeatedHint } from '../../workflows/poker/hints.ts';
import { watchTable } from '../../workflows/poker/watch.ts';
import { presentSeat } from './present/seat.ts';

/** Your cards, and in your turn the legal moves and the token that is good for one of them. */
export const seat: Handler<'poker.seat'> = async (call, hub) => {
  const { after, wait } = call.query;
  const { account } = call.caller;
  const watch = { after, wait, gone: call.request.gone };
  const { table, events } = await watchTable(
    hub,
    call.path.id,
    watch,
    (now, first) =>
      now.seq > (after ?? 0) ||
      now.privateSeq !== first.privateSeq ||
      playerOf(now, account) === undefined,
  );
  const player = playerOf(table, account);
  if (player === undefined) {
    const hint = notSeatedHint(table);
    return refuse('not-seated', { error: 'You do not sit at this table.', ...defined({ hint }) });
  }
  const view = after === undefined ? undefined : { after, events };
  return { status: 200, body: presentSeat(hub, table, player, view) };
};
