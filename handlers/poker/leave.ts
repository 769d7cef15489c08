import { need } from '../../db/batch/need.ts';
import { POKER_TABLES } from '../../db/poker/tables.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { leaveSeat } from '../../workflows/poker/sit.ts';
import { ASSET } from '../../domain/network.ts';
import { nextForPlayer, signatureDigestOf } from './present.ts';

/** Cashes out at once between hands; in a hand it folds in turn and is paid at the hand's end. */
export const leave: Handler<'poker.leave'> = async (call, hub) => {
  const { account } = call.caller;
  const signatureDigest = signatureDigestOf(call.request);
  const needs = [need(POKER_TABLES, call.path.id)];
  const body = await hub.transactOnce(call, {
    needs,
    decide: (db) => {
      const left = leaveSeat(db, hub, call.path.id, { account, signatureDigest });
      const { table, player, state, cashedOut, transferId } = left;
      const here = state === 'leaving' ? { ...player, state } : undefined;
      return {
        tableId: table.id,
        account,
        seat: player.seat,
        state,
        ...(state === 'left' && { cashedOut }),
        asset: ASSET,
        network: table.network,
        transferId,
        seq: table.seq,
        at: hub.clock.now(),
        next: nextForPlayer(table, here),
      };
    },
  });
  return { status: 200, body };
};
