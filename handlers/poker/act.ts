import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { playerOf, type Table } from '../../domain/poker/table.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { legalText, makeTurn } from '../../workflows/poker/act.ts';
import { noMoveHint, notSeatedHint, tablePath } from '../../workflows/poker/hints.ts';
import { nextForPlayer, signatureDigestOf } from './present.ts';

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
  const { acted, table } = await makeTurn(hub, call, asked);
  if ('refused' in acted) {
    const { refused: code, why } = acted;
    return refuse(code, {
      error: `${why.charAt(0).toUpperCase()}${why.slice(1)}`,
      ...defined({ hint: hintOf(table, account) }),
    });
  }
  return {
    status: 200,
    body: {
      tableId: table.id,
      hand: acted.hand,
      seat: acted.seat,
      move,
      bet: acted.bet,
      paid: acted.paid,
      stack: acted.stack,
      street: acted.street,
      seq: table.seq,
      at: hub.clock.now(),
      next: nextForPlayer(table, playerOf(table, account)),
    },
  };
};

function hintOf(table: Table, account: Account): string | undefined {
  const player = playerOf(table, account);
  if (player === undefined) return notSeatedHint(table);
  const legal = legalText(table, account);
  if (legal === '') return noMoveHint(table, player);
  return `Your legal moves: ${legal}. \`GET ${tablePath(table.id)}/seat\` has the token for one of them.`;
}
