import type { Session } from './session.ts';
import {
  BUSTED_MS,
  DEAL_AFTER_MS,
  playerAt,
  readySeats,
  seated,
  SIT_OUT_MS,
  TIMEOUTS_MAX,
  waitingSeats,
  withPlayer,
  type Dealt,
  type FinishedBecause,
  type SeatedPlayer,
  type Table,
} from './table.ts';
import { bustPlaces, prizesBySeat, prizesOf } from './tournament.ts';

/** Ends a hand: chips settle, players leave, and the next hand is scheduled or not. */
export function endOfHand(
  session: Session,
  dealt: Dealt,
  stacks: ReadonlyMap<number, number>,
): void {
  const { dealt: _over, ...rest } = session.table;
  session.table = { ...rest, refusals: [] };
  const busted: { seat: number; startStack: number }[] = [];
  for (const { seat, startStack } of dealt.hand.seats) {
    const player = playerAt(session.table, seat);
    const stack = BigInt(stacks.get(seat) ?? 0) + player.topUp;
    session.table = withPlayer(session.table, { ...player, stack, topUp: 0n });
    if (stack === 0n) busted.push({ seat, startStack });
  }
  if (session.table.format === 'sng') afterTournamentHand(session, dealt, busted);
  else for (const { seat } of dealt.hand.seats) afterCashHand(session, seat);
  plan(session);
}

function afterCashHand(session: Session, seat: number): void {
  const player = playerAt(session.table, seat);
  if (player.state === 'leaving') return cashOut(session, player);
  if (player.stack === 0n) {
    session.table = withPlayer(session.table, { ...player, state: 'busted', since: session.now });
    session.emit('bust', { seat });
  } else if (player.timeouts >= TIMEOUTS_MAX) {
    const away: SeatedPlayer = { ...player, state: 'sittingOut', since: session.now };
    session.table = withPlayer(session.table, away);
    session.emit('sitOut', { seat });
  } else {
    session.table = withPlayer(session.table, { ...player, state: 'ready' });
  }
}

export function cashOut(session: Session, player: SeatedPlayer): void {
  const amount = player.stack + player.topUp;
  const { since: _since, ...kept } = player;
  session.table = withPlayer(session.table, {
    ...kept,
    state: 'left',
    stack: 0n,
    topUp: 0n,
    cashedOut: player.cashedOut + amount,
  });
  if (amount > 0n) {
    session.payouts.push({ account: player.account, amount, reason: 'poker.cashout' });
  }
  session.emit('leave', { seat: player.seat, amount: `${amount}` });
}

function afterTournamentHand(
  session: Session,
  dealt: Dealt,
  busted: readonly { readonly seat: number; readonly startStack: number }[],
): void {
  for (const { seat } of dealt.hand.seats) {
    const player = playerAt(session.table, seat);
    session.table = withPlayer(session.table, { ...player, state: 'ready' });
  }
  knockOut(session, busted, dealt.hand.seats.length);
}

/** Gives the seats that are out their places; the last one left wins. */
function knockOut(
  session: Session,
  busted: readonly { readonly seat: number; readonly startStack: number }[],
  before: number,
): void {
  for (const { seat, place } of bustPlaces(busted, before)) {
    const player = playerAt(session.table, seat);
    session.table = withPlayer(session.table, { ...player, state: 'busted', place });
    session.emit('bust', { seat });
  }
  const left = readySeats(session.table);
  const [winner] = left;
  if (left.length === 1 && winner !== undefined) payPrizes(session, winner);
}

/** Takes players out of a running tournament; their chips stay at their seats, out of play. */
export function disqualify(session: Session, players: readonly SeatedPlayer[]): void {
  const out = players.map(({ seat, stack }) => ({ seat, startStack: Number(stack) }));
  knockOut(session, out, readySeats(session.table).length);
}

function payPrizes(session: Session, winner: number): void {
  session.table = withPlayer(session.table, { ...playerAt(session.table, winner), place: 1 });
  for (const [seat, amount] of prizesWon(session.table)) {
    const player = playerAt(session.table, seat);
    const cashedOut = player.cashedOut + amount;
    session.table = withPlayer(session.table, { ...player, cashedOut });
    session.payouts.push({ account: player.account, amount, reason: 'poker.prize' });
    session.emit('prize', { seat, amount: `${amount}` });
  }
  finish(session, 'won');
}

/** Returns the prizes of a finished tournament by seat; seats without a prize are absent. */
export function prizesWon(table: Table): readonly (readonly [seat: number, amount: bigint])[] {
  const pot = (table.buyIn ?? 0n) * BigInt(table.seats);
  const finishes = table.players.map(({ seat, place }) => ({ seat, place: place ?? 1 }));
  return [...prizesBySeat(finishes, prizesOf(table.seats, pot))]
    .filter(([, amount]) => amount > 0n)
    .sort(([a], [b]) => a - b);
}

export function finish(session: Session, because: FinishedBecause): void {
  const { dealAt: _due, ...rest } = session.table;
  session.table = {
    ...rest,
    state: 'finished',
    finishedAt: session.now,
    finishedBecause: because,
  };
  session.emit('finish');
}

export function plan(session: Session): void {
  const { table } = session;
  if (table.state === 'finished' || table.dealt !== undefined) return;
  if (table.format === 'sng') {
    if (seated(table).length < table.seats) return;
    if (table.dealAt === undefined) session.change({ dealAt: session.after(DEAL_AFTER_MS) });
    return;
  }
  // No player waits for a blind that cannot come: with one player left the newcomers are simply in.
  if (readySeats(table).length < 2 && waitingSeats(table).length > 0) {
    session.change({
      players: table.players.map((player) =>
        player.state === 'waiting' ? { ...player, state: 'ready' as const } : player,
      ),
    });
  }
  if (readySeats(session.table).length >= 2) {
    if (session.table.dealAt === undefined)
      session.change({ dealAt: session.after(DEAL_AFTER_MS) });
  } else {
    const { dealAt: _due, ...rest } = session.table;
    session.table = { ...rest, state: 'open' };
  }
  const isEmpty = seated(session.table).length === 0;
  if (isEmpty && session.table.emptySince === undefined) {
    session.change({ emptySince: session.now });
  }
}

/** When a player who is away, or has no chips, loses the seat; undefined for everybody else. */
export function givenUpAt({ state, since }: SeatedPlayer): number | undefined {
  if (since === undefined) return undefined;
  if (state === 'sittingOut') return since + SIT_OUT_MS;
  return state === 'busted' ? since + BUSTED_MS : undefined;
}
