import { need } from '../../db/batch/need.ts';
import { POKER_SEATS } from '../../db/poker/seats.ts';
import { POKER_TABLES } from '../../db/poker/tables.ts';
import { defined } from '../../domain/defined.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { takeSeat } from '../../workflows/poker/sit.ts';
import { ASSET } from '../../domain/network.ts';
import { nextForPlayer, presentStack } from './present.ts';

/** The buy-in leaves the balance and stands at the table in one transaction. */
export const sit: Handler<'poker.sit'> = async (call, hub) => {
  const { account } = call.caller;
  const { buyIn, seat, name } = call.body ?? {};
  const { id: tableId } = call.path;
  const needs = [need(POKER_TABLES, tableId), need(POKER_SEATS, { account, tableId })];
  const body = await hub.transactOnce(call, {
    needs,
    decide: (db) => {
      const sat = takeSeat(db, hub, tableId, { account, ...defined({ buyIn, seat, name }) });
      const { table, player, did, paid, transferId } = sat;
      return {
        tableId: table.id,
        account,
        seat: player.seat,
        did,
        state: player.state,
        ...presentStack(table, player),
        paid,
        asset: ASSET,
        network: table.network,
        transferId,
        seq: table.seq,
        at: hub.clock.now(),
        next: nextForPlayer(table, player),
      };
    },
  });
  return { status: 200, body };
};
