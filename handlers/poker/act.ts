import type { Account } from '../../domain/account.ts';
import { iso } from '../../domain/instant.ts';
import { playerOf, type Table } from '../../domain/poker/table.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { legalText, makeTurn } from '../../workflows/poker/act.ts';
import { nextForPlayer, signatureDigestOf, tablePath } from './present.ts';

export const act: Handler<'poker.act'> = async (call, hub) => {
  const { account } = call.caller;
  const { token, move, amount } = call.body;
  const asked = {
    account,
    token,
    move,
    ...(amount !== undefined && { amount: BigInt(amount) }),
    signatureDigest: signatureDigestOf(call.request),
  };
  const { acted, table } = await makeTurn(hub, call.path.id, asked);
  if ('refused' in acted) {
    const { refused: code, why } = acted;
    return refuse(code, {
      error: `${why.charAt(0).toUpperCase()}${why.slice(1)}`,
      ...(code !== 'not-seated' && { hint: hintOf(table, account) }),
    });
  }
  return {
    status: 200,
    body: {
      tableId: table.id,
      hand: acted.hand,
      seat: acted.seat,
      move,
      bet: `${acted.bet}`,
      paid: `${acted.paid}`,
      stack: `${acted.stack}`,
      street: acted.street,
      seq: table.seq,
      at: iso(hub.clock.now()),
      next: nextForPlayer(table, playerOf(table, account)),
    },
  };
};

/** Every refused player is told the moves that are legal now. */
function hintOf(table: Table, account: Account): string {
  const seat = `GET ${tablePath(table.id)}/seat`;
  const legal = legalText(table, account);
  if (legal === '')
    return `You have no legal move now. ${seat}?after=${table.seq}&wait=30 tells when.`;
  return `Your legal moves: ${legal}. ${seat} has the token for one of them.`;
}
