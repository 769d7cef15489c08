import { act as decide } from '../../domain/poker/act.ts';
import { sha256Hex } from '../../domain/digest.ts';
import { readFields } from '../../domain/httpsig/message.ts';
import { iso } from '../../domain/instant.ts';
import { playerOf } from '../../domain/poker/table.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Call } from '../../server/hub/call.ts';
import { commitTable, openSession } from '../../workflows/poker/commit.ts';
import { nextForPlayer } from './present.ts';

/** A move, or its refusal: both spend the token, so both are committed before they are answered. */
export const act: Handler<'poker.act'> = async (call, hub) => {
  const { account } = call.caller;
  const { token, move, amount } = call.body;
  const asked = {
    account,
    token,
    move,
    ...(amount !== undefined && { amount: BigInt(amount) }),
    signatureDigest: signatureDigest(call),
  };
  const { acted, table } = await hub.store.write(async (tx) => {
    const open = await openSession(tx, hub, call.path.id);
    const acted = decide(open.session, asked);
    await commitTable(tx, hub, open);
    return { acted, table: open.session.table };
  });
  if ('refused' in acted) {
    const { refused: code, why } = acted;
    return refuse(code, { error: `${why.charAt(0).toUpperCase()}${why.slice(1)}` });
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

/**
 * What of a move nobody but the player could have made: it enters the record, and so the entropy of
 * the next shuffle. Through a door without a signature header it is the digest of the request's id.
 */
function signatureDigest({ request }: Call<'poker.act'>): string {
  const { raw } = request;
  const [signature] = (raw && readFields(raw.headers).get('signature')) ?? [];
  return sha256Hex(signature ?? request.id);
}
