import { need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { POKER_SEATS } from '../../db/poker/seats.ts';
import { LINKED } from '../../db/tasks/linkLookups.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { atomic } from '../../domain/money.ts';
import { sitDown, standUp, type SatDown, type StoodUp } from '../../domain/poker/seating.ts';
import { playerOf, seated, withPlayer, type Table } from '../../domain/poker/table.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { refuseFunds } from '../wallet/funds.ts';
import { move } from '../wallet/transfer.ts';
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

export function takeSeat(db: Decider, hub: Hub, id: string, wish: Wish): Sat {
  const { account } = wish;
  const open = openSession(db, hub, id);
  const { session } = open;
  const earlier = db.find(POKER_SEATS, { account, tableId: id });
  const { leftAt: at, leftStack: stack } = earlier ?? {};
  const sat = sitDown(session, {
    ...wish,
    party: linkedAt(db, session.table, account),
    ...(at !== undefined && stack !== undefined && { left: { at, stack } }),
  });
  if ('refused' in sat) {
    const { refused, why, field } = sat;
    const hint = sitHint(refused, session.table, account);
    return refuse(refused, { error: why, ...defined({ field, hint }) });
  }
  if (sat.did === 'sat' && earlier !== undefined) {
    // Earlier seats of the account at this table are part of its position.
    const player = playerOf(session.table, account) ?? sat.player;
    session.table = withPlayer(session.table, {
      ...player,
      boughtIn: player.boughtIn + earlier.boughtIn,
      cashedOut: player.cashedOut + earlier.cashedOut,
    });
  }
  const paidBy = sat.paid > 0n ? buyIn(db, hub, session.table, wish, sat.paid) : undefined;
  commitTable(db, hub, open);
  const { table } = session;
  return { ...sat, table, ...defined({ transferId: paidBy }) };
}

/** Who sits at the table and is one party with an account. */
function linkedAt(db: Decider, table: Table, account: Account): readonly Account[] {
  const others = seated(table)
    .map((player) => player.account)
    .filter((other) => other !== account);
  const pairs = others.map((other) => ({ one: account, other }));
  db.ask(pairs.map((pair) => need(LINKED, pair)));
  return pairs.filter((pair) => db.find(LINKED, pair) !== undefined).map(({ other }) => other);
}

function buyIn(db: Decider, hub: Hub, table: Table, { account }: Wish, paid: bigint): string {
  const { network } = table;
  const [to, amount] = [potOf(table), atomic(paid)];
  const posted = move(db, hub, {
    network,
    event: 'poker.sat',
    ref: { kind: 'table', id: table.id },
    actor: account,
    steps: [{ verb: 'move', from: account, to, amount, reason: 'poker.buyin' }],
  });
  if ('refused' in posted) return refuseFunds(hub, posted, { network, field: 'body.buyIn' });
  return posted.transferId;
}

export interface Left extends StoodUp {
  readonly table: Table;
  readonly cashedOut: bigint;
  readonly transferId?: string;
}

export function leaveSeat(
  db: Decider,
  hub: Hub,
  id: string,
  { account, signatureDigest }: { readonly account: Account; readonly signatureDigest: string },
): Left {
  const open = openSession(db, hub, id);
  const { session } = open;
  const stood = standUp(session, account, signatureDigest);
  if ('refused' in stood) {
    const { refused, why } = stood;
    return refuse(refused, { error: why, ...defined({ hint: leaveHint(refused) }) });
  }
  const { transfers } = commitTable(db, hub, open);
  const paid = session.payouts.filter((payout) => payout.account === account);
  const cashedOut = paid.reduce((sum, { amount }) => sum + amount, 0n);
  const moved = transfers.get(account);
  const { table } = session;
  return { ...stood, table, cashedOut, ...defined({ transferId: moved }) };
}
