import type { Account } from '../account.ts';
import type { Instant } from '../instant.ts';
import { shownName } from '../text.ts';
import { cashOut, plan } from './between.ts';
import { foldNow, giveTurn } from './dealing.ts';
import type { Session } from './session.ts';
import {
  chipsOf,
  GOING_SOUTH_MS,
  playerOf,
  seated,
  withPlayer,
  type SeatedPlayer,
  type Table,
} from './table.ts';
import { STARTING_CHIPS } from './tournament.ts';
import { defined } from '../defined.ts';

/** Sitting down, topping up, coming back and standing up (choices poker.tables). */
export type SeatRefusal =
  | 'wrong-state'
  | 'started'
  | 'buyin-range'
  | 'already-seated'
  | 'seat-taken'
  | 'table-full'
  | 'linked-account'
  | 'not-seated';
export interface Refused {
  readonly refused: SeatRefusal;
  readonly why: string;
  readonly field?: string;
}

export interface SitDown {
  readonly account: Account;
  readonly buyIn?: bigint;
  readonly seat?: number;
  readonly name?: string;
  /** Accounts that are one party with this one. */
  readonly party: readonly Account[];
  /** Its stack and the time when it left, if it was here before. */
  readonly left?: { readonly stack: bigint; readonly at: Instant };
}
export interface SatDown {
  readonly did: 'sat' | 'toppedUp' | 'returned';
  readonly player: SeatedPlayer;
  readonly paid: bigint;
}

export function sitDown(session: Session, wanted: SitDown): SatDown | Refused {
  const { table } = session;
  if (table.state === 'finished') {
    return { refused: 'wrong-state', why: 'This table is finished.' };
  }
  const here = playerOf(table, wanted.account);
  if (here !== undefined) return comeBack(session, here, wanted);
  if (table.startedAt !== undefined && table.format === 'sng') {
    return { refused: 'started', why: 'The tournament has started.' };
  }
  const refusal = buyInRefused(table, wanted, session.now) ?? seatRefused(table, wanted);
  if (refusal !== undefined) return refusal;
  const paid = table.format === 'sng' ? (table.buyIn ?? 0n) : (wanted.buyIn ?? 0n);
  const waits = table.format === 'cash' && table.state === 'running';
  const name = shownName(wanted.name ?? '');
  const player: SeatedPlayer = {
    seat: wanted.seat ?? freeSeats(table)[0] ?? 0,
    account: wanted.account,
    ...defined({ name }),
    state: waits ? 'waiting' : 'ready',
    stack: table.format === 'sng' ? STARTING_CHIPS : paid,
    topUp: 0n,
    timeouts: 0,
    joinedAt: session.now,
    boughtIn: paid,
    cashedOut: 0n,
  };
  const { emptySince: _empty, ...rest } = table;
  const others = rest.players.filter(({ account }) => account !== wanted.account);
  session.table = { ...rest, players: [...others, player], everSat: true };
  session.emit('sit', { seat: player.seat, amount: `${paid}` });
  plan(session);
  return { did: 'sat', player: playerOf(session.table, wanted.account) ?? player, paid };
}

function freeSeats(table: Table): readonly number[] {
  const taken = seated(table).map(({ seat }) => seat);
  return Array.from({ length: table.seats }, (_, nth) => nth + 1).filter(
    (seat) => !taken.includes(seat),
  );
}

function seatRefused(table: Table, { seat, party }: SitDown): Refused | undefined {
  const free = freeSeats(table);
  if (free.length === 0)
    return { refused: 'table-full', why: `All ${table.seats} seats are taken.` };
  if (seat !== undefined && !free.includes(seat)) {
    const why = `Seat ${seat} is taken or does not exist; free: ${free.join(', ')}.`;
    return { refused: 'seat-taken', why, field: 'body.seat' };
  }
  if (seated(table).some(({ account }) => party.includes(account))) {
    return { refused: 'linked-account', why: 'An account linked to yours sits at this table.' };
  }
  return undefined;
}

function buyInRefused(table: Table, { buyIn, left }: SitDown, now: Instant): Refused | undefined {
  const refused = (why: string): Refused => ({ refused: 'buyin-range', why, field: 'body.buyIn' });
  if (table.format === 'sng') {
    return buyIn === undefined || buyIn === table.buyIn
      ? undefined
      : refused(`A seat of this tournament costs ${table.buyIn}.`);
  }
  const { minBuyIn = 0n, maxBuyIn = 0n } = table;
  const recent = left !== undefined && now - left.at < GOING_SOUTH_MS ? left.stack : 0n;
  const south = recent < maxBuyIn ? recent : maxBuyIn;
  const least = south > minBuyIn ? south : minBuyIn;
  if (buyIn !== undefined && buyIn >= least && buyIn <= maxBuyIn) return undefined;
  const why = south > minBuyIn ? ' You left with that much within the last 30 minutes.' : '';
  return refused(`The buy-in is from ${least} to ${maxBuyIn}.${why}`);
}

/** Lets a player who has a seat top up, or return from sitting out. */
function comeBack(session: Session, here: SeatedPlayer, { buyIn }: SitDown): SatDown | Refused {
  const { table } = session;
  if (table.format === 'sng') return backInTournament(session, here, buyIn);
  if (here.state === 'leaving') {
    return { refused: 'already-seated', why: 'You are leaving when the hand ends.' };
  }
  if (buyIn === undefined) {
    const away = here.state === 'sittingOut';
    if (!away) return { refused: 'already-seated', why: `You sit at seat ${here.seat}.` };
    return { did: 'returned', player: returned(session, here, here), paid: 0n };
  }
  const { maxBuyIn = 0n } = table;
  const chips = chipsOf(table, here);
  if (buyIn === 0n || chips + buyIn > maxBuyIn) {
    const most = chips > maxBuyIn ? 0n : maxBuyIn - chips;
    const why = `You have ${chips} and may top up to ${maxBuyIn}, by at most ${most}.`;
    return { refused: 'buyin-range', why, field: 'body.buyIn' };
  }
  const inHand = here.state === 'inHand';
  const richer: SeatedPlayer = {
    ...here,
    boughtIn: here.boughtIn + buyIn,
    ...(inHand ? { topUp: here.topUp + buyIn } : { stack: here.stack + buyIn }),
  };
  session.table = withPlayer(session.table, richer);
  session.emit('topUp', { seat: here.seat, amount: `${buyIn}` });
  const player =
    here.state === 'busted' || here.state === 'sittingOut'
      ? returned(session, richer, here)
      : richer;
  return { did: 'toppedUp', player, paid: buyIn };
}

function returned(session: Session, player: SeatedPlayer, was: SeatedPlayer): SeatedPlayer {
  const { since: _since, ...kept } = player;
  const state = session.table.state === 'running' ? 'waiting' : 'ready';
  session.table = withPlayer(session.table, { ...kept, state, timeouts: 0 });
  if (was.state === 'sittingOut') session.emit('return', { seat: player.seat });
  plan(session);
  return playerOf(session.table, player.account) ?? player;
}

function backInTournament(
  session: Session,
  here: SeatedPlayer,
  buyIn: bigint | undefined,
): SatDown | Refused {
  if (buyIn !== undefined || here.timeouts === 0 || here.place !== undefined) {
    return { refused: 'already-seated', why: `You sit at seat ${here.seat}.` };
  }
  const player = { ...here, timeouts: 0 };
  session.table = withPlayer(session.table, player);
  session.emit('return', { seat: here.seat });
  if (session.table.dealt?.turn?.seat === here.seat) giveTurn(session, here.seat);
  return { did: 'returned', player, paid: 0n };
}

export interface StoodUp {
  readonly state: 'leaving' | 'left';
  readonly player: SeatedPlayer;
}

/** `signatureDigest` is of the request to leave: on turn it is the player's own fold. */
export function standUp(
  session: Session,
  account: Account,
  signatureDigest: string,
): StoodUp | Refused {
  const { table } = session;
  const here = playerOf(table, account);
  if (here === undefined || (table.format === 'sng' && table.state === 'finished')) {
    return { refused: 'not-seated', why: 'You do not sit at this table.' };
  }
  if (table.format === 'sng') {
    if (table.startedAt !== undefined) {
      return { refused: 'started', why: 'The tournament has started.' };
    }
    cashOut(session, { ...here, stack: table.buyIn ?? 0n });
    const { dealAt: _due, ...rest } = session.table;
    session.table = rest;
    return { state: 'left', player: here };
  }
  if (here.state !== 'inHand' && here.state !== 'leaving') {
    cashOut(session, here);
    plan(session);
    return { state: 'left', player: here };
  }
  const leaving: SeatedPlayer = { ...here, state: 'leaving' };
  session.table = withPlayer(session.table, leaving);
  if (session.table.dealt?.turn?.seat === here.seat) foldNow(session, here.seat, signatureDigest);
  const gone = playerOf(session.table, account) === undefined;
  return { state: gone ? 'left' : 'leaving', player: here };
}
