import { postInside } from '../../db/ledger/postInside.ts';
import { seatOf } from '../../db/poker/seats.ts';
import { partyOf } from '../../db/tasks/links.ts';
import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { transferId } from '../../domain/ledger/transfer.ts';
import { atomic } from '../../domain/money.ts';
import { sitDown, standUp, type SatDown, type StoodUp } from '../../domain/poker/seating.ts';
import { playerOf, withPlayer, type Table } from '../../domain/poker/table.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { refuseFunds } from '../wallet/funds.ts';
import { ASSET } from '../../domain/network.ts';
import { commitTable, openSession, potOf } from './commit.ts';
import { leaveHint, sitHint } from './hints.ts';

/** Sitting down and standing up, with the money that comes and goes. */
export interface Wish {
  readonly account: Account;
  readonly buyIn?: bigint;
  readonly seat?: number;
  readonly name?: string;
}

export interface Sat extends SatDown {
  readonly table: Table;
  readonly transferId?: string;
}

export async function takeSeat(tx: Writer, hub: Hub, id: string, wish: Wish): Promise<Sat> {
  const open = await openSession(tx, hub, id);
  const { session } = open;
  const earlier = await seatOf(tx, wish.account, id);
  const { leftAt: at, leftStack: stack } = earlier ?? {};
  const party = await partyOf(tx, wish.account);
  const sat = sitDown(session, {
    ...wish,
    party,
    ...(at !== undefined && stack !== undefined && { left: { at, stack } }),
  });
  if ('refused' in sat) {
    const { refused, why, field } = sat;
    const hint = sitHint(refused, session.table, wish.account);
    return refuse(refused, { error: why, ...defined({ field, hint }) });
  }
  if (sat.did === 'sat' && earlier !== undefined) {
    // What the account did at this table before is part of its position.
    const player = playerOf(session.table, wish.account) ?? sat.player;
    session.table = withPlayer(session.table, {
      ...player,
      boughtIn: player.boughtIn + earlier.boughtIn,
      cashedOut: player.cashedOut + earlier.cashedOut,
    });
  }
  const paidBy = sat.paid > 0n ? await buyIn(tx, hub, session.table, wish, sat.paid) : undefined;
  await commitTable(tx, hub, open);
  const { table } = session;
  return { ...sat, table, ...defined({ transferId: paidBy }) };
}

async function buyIn(
  tx: Writer,
  hub: Hub,
  table: Table,
  { account }: Wish,
  amount: bigint,
): Promise<string> {
  const { network } = table;
  const to = potOf(table);
  const posted = await postInside(tx, {
    id: transferId(hub.ids.uuid()),
    at: hub.clock.now(),
    network,
    asset: ASSET,
    event: 'poker.sat',
    ref: { kind: 'table', id: table.id },
    actor: account,
    steps: [{ verb: 'move', from: account, to, amount: atomic(amount), reason: 'poker.buyin' }],
  });
  if ('refused' in posted) return refuseFunds(hub, posted, { network, field: 'body.buyIn' });
  return posted.transferId;
}

export interface Left extends StoodUp {
  readonly table: Table;
  readonly cashedOut: bigint;
  readonly transferId?: string;
}

export async function leaveSeat(
  tx: Writer,
  hub: Hub,
  id: string,
  { account, signatureDigest }: { readonly account: Account; readonly signatureDigest: string },
): Promise<Left> {
  const open = await openSession(tx, hub, id);
  const { session } = open;
  const stood = standUp(session, account, signatureDigest);
  if ('refused' in stood) {
    const { refused, why } = stood;
    return refuse(refused, { error: why, ...defined({ hint: leaveHint(refused) }) });
  }
  const { transfers } = await commitTable(tx, hub, open);
  const paid = session.payouts.filter((payout) => payout.account === account);
  const cashedOut = paid.reduce((sum, { amount }) => sum + amount, 0n);
  const moved = transfers.get(account);
  const { table } = session;
  return { ...stood, table, cashedOut, ...defined({ transferId: moved }) };
}
