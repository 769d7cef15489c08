import { firstPositions, nextPositions } from './button.ts';
import { makeMove, startHand, type Move } from './betting.ts';
import { chipsIn, dealt as dealFrom, seatOf, type Deal, type HandEvent } from './hand.ts';
import { decidePots } from './pots.ts';
import { entropyAfter, recordOf, satRecord } from './record.ts';
import type { Session } from './session.ts';
import { deckKey, drawnSeats, entropyOf, firstButton, shuffledDeck } from './shuffle.ts';
import {
  AUTO_ACT_MS,
  blindsOf,
  isAbsent,
  levelNow,
  playerAt,
  readySeats,
  seated,
  waitingSeats,
  withPlayer,
  type Dealt,
  type RecordedAction,
  type Sat,
  type Table,
} from './table.ts';
import { endOfHand } from './between.ts';
import { levelOf } from './tournament.ts';
import { defined } from '../defined.ts';

/** Deals a hand, moves it on and ends it. The seed is opened here and nowhere else. */
export function dealHand(session: Session): void {
  const n = session.table.hands + 1;
  const { nextSeed, nextCommit, format } = session.table;
  const sat = n === 1 ? satOrder(session.table) : undefined;
  const entropy = sat === undefined ? entropyBefore(session.table) : entropyOf(satRecord(sat));
  const seed = session.secrets.open(nextSeed);
  const key = deckKey({ seed, tableId: session.table.id, n, entropy });
  const started = session.table.startedAt !== undefined;
  if (!started) session.change({ startedAt: session.now });
  if (n === 1 && format === 'sng') drawSeats(session, key);
  if (!started) session.emit('start');
  const at = positionsOf(session.table, key);
  const fresh = session.secrets.fresh();
  const blinds = blindsOf(session.table);
  const isNewLevel = format === 'sng' && n > 1 && levelOf(n) !== levelOf(n - 1);
  session.change({
    state: 'running',
    hands: n,
    nextSeed: fresh.seed,
    nextCommit: fresh.commit,
    before: { smallBlindPosition: at.smallBlindPosition, bigBlindSeat: at.bigBlindSeat },
    players: session.table.players.map((player) =>
      at.players.includes(player.seat) && player.state !== 'left'
        ? { ...player, state: 'inHand' as const }
        : player,
    ),
  });
  const { dealAt: _due, ...rest } = session.table;
  session.table = rest;
  if (isNewLevel) session.emit('level', { hand: n, amount: `${blinds.bigBlind}` });
  const deal = dealFrom(shuffledDeck(key), at.players, at.button);
  const stacks = at.players.map((seat) => ({
    seat,
    stack: chipsIn(playerAt(session.table, seat).stack),
  }));
  const step = startHand(
    {
      n,
      smallBlind: chipsIn(blinds.smallBlind),
      bigBlind: chipsIn(blinds.bigBlind),
      button: at.button,
      ...(at.smallBlindSeat !== undefined && { smallBlindSeat: at.smallBlindSeat }),
      bigBlindSeat: at.bigBlindSeat,
      stacks,
    },
    deal,
  );
  const dealt: Dealt = {
    hand: step.hand,
    seed: nextSeed,
    commit: nextCommit,
    entropy,
    startedAt: session.now,
    actions: blindActions(session, step.events, at.smallBlindSeat),
    ...defined({ sat }),
  };
  session.change({ dealt });
  session.emitHand(n, step.events, false);
  goOn(session, deal);
}

function entropyBefore({ entropy }: Table): string {
  if (entropy === undefined) throw new Error('every hand but the first follows a record');
  return entropy;
}

function satOrder(table: Table): readonly Sat[] {
  return seated(table).map(({ seat, account }) => ({ seat, account }));
}

/** Tournament seats are drawn from the first hand's key, so no player chooses a neighbour. */
function drawSeats(session: Session, key: Uint8Array): void {
  const drawn = drawnSeats(key, seated(session.table));
  const players = drawn.map((player, nth) => ({ ...player, seat: nth + 1 }));
  session.change({ players });
}

function positionsOf(table: Table, key: Uint8Array) {
  const ready = readySeats(table);
  if (table.before === undefined) return firstPositions(ready, firstButton(key, ready.length));
  return nextPositions(table.before, ready, waitingSeats(table));
}

function blindActions(
  session: Session,
  events: readonly HandEvent[],
  smallBlindSeat: number | undefined,
): readonly RecordedAction[] {
  const blinds = events.flatMap((event) => (event.kind === 'blind' ? [event] : []));
  return blinds.map(({ seat, amount }, nth) => ({
    seat,
    street: 'preflop',
    move: nth === 0 && seat === smallBlindSeat ? 'smallBlind' : 'bigBlind',
    bet: amount,
    at: session.now,
  }));
}

function dealOf(session: Session): Deal {
  const { dealt, id } = session.table;
  if (dealt === undefined) throw new Error('no hand is under way');
  return cardsOf(dealt, id, session.secrets.open(dealt.seed));
}

export function cardsOf({ hand, entropy }: Dealt, tableId: string, seed: Uint8Array): Deal {
  const key = deckKey({ seed, tableId, n: hand.n, entropy });
  const seats = hand.seats.map(({ seat }) => seat);
  return dealFrom(shuffledDeck(key), seats, hand.button);
}

export interface MadeBy {
  readonly byClock: boolean;
  readonly signatureDigest?: string;
}

/** Makes a move in the hand under way; undefined, or why it is not legal. */
export function moveOn(session: Session, move: Move, by: MadeBy): string | undefined {
  const { dealt } = session.table;
  if (dealt === undefined) return 'no hand is under way';
  const deal = dealOf(session);
  const { street } = dealt.hand;
  const step = makeMove(dealt.hand, move, deal);
  if ('illegal' in step) return step.illegal;
  const [made] = step.events;
  const bet = made !== undefined && 'amount' in made ? made.amount : 0;
  const action: RecordedAction = {
    seat: move.seat,
    street,
    move: move.move,
    bet,
    ...(by.byClock && { byClock: true as const }),
    ...(by.signatureDigest !== undefined && { signatureDigest: by.signatureDigest }),
    at: session.now,
  };
  const { turn: _spent, ...kept } = dealt;
  session.change({ dealt: { ...kept, hand: step.hand, actions: [...dealt.actions, action] } });
  session.emitHand(dealt.hand.n, step.events, by.byClock);
  goOn(session, deal);
  return undefined;
}

function goOn(session: Session, deal: Deal): void {
  const { dealt } = session.table;
  if (dealt === undefined) throw new Error('no hand is under way');
  const { toAct } = dealt.hand;
  if (toAct === undefined) return finishHand(session, deal);
  giveTurn(session, toAct);
}

/** Gives a turn with its own token; the hub does not wait for a player who is away or leaving. */
export function giveTurn(session: Session, seat: number): void {
  const { dealt, actSeconds } = session.table;
  if (dealt === undefined) throw new Error('no hand is under way');
  const player = playerAt(session.table, seat);
  const away = isAbsent(session.table, player);
  const ms = player.state === 'leaving' ? 0 : away ? AUTO_ACT_MS : actSeconds * 1000;
  const turn = {
    seat,
    token: session.secrets.token(),
    since: session.now,
    deadline: session.after(ms),
  };
  session.change({ dealt: { ...dealt, turn } });
}

function finishHand(session: Session, deal: Deal): void {
  const { dealt } = session.table;
  if (dealt === undefined) throw new Error('no hand is under way');
  const outcome = decidePots(dealt.hand, deal);
  session.emitHand(dealt.hand.n, outcome.events, false);
  keepRecord(session, dealt, { deal, outcome });
  session.emit('handEnd', { hand: dealt.hand.n });
  endOfHand(session, dealt, outcome.stacks);
}

function keepRecord(
  session: Session,
  dealt: Dealt,
  { deal, outcome }: { readonly deal: Deal; readonly outcome?: ReturnType<typeof decidePots> },
): void {
  const { table } = session;
  const record = recordOf({
    dealt,
    deal,
    seed: session.secrets.open(dealt.seed),
    ...defined({ outcome }),
    accounts: new Map(seated(table).map(({ seat, account }) => [seat, account])),
    ...(table.format === 'sng' && { level: levelNow(table) }),
    at: session.now,
  });
  session.records.push(record);
  session.change({ entropy: entropyAfter(record) });
}

/** Cancels the hand under way: every stack is what it was before it, and the seed is shown. */
export function voidHand(session: Session): void {
  const { dealt } = session.table;
  if (dealt === undefined) return;
  keepRecord(session, dealt, { deal: dealOf(session) });
  session.emit('handVoid', { hand: dealt.hand.n });
  const stacks = new Map(dealt.hand.seats.map(({ seat, startStack }) => [seat, startStack]));
  endOfHand(session, dealt, stacks);
}

/** Moves for a seat whose time is over: checks when that is free, else folds. */
export function moveByClock(session: Session, seat: number): void {
  const { dealt } = session.table;
  if (dealt === undefined) return;
  const player = playerAt(session.table, seat);
  const leaving = player.state === 'leaving';
  const free = dealt.hand.currentBet <= seatOf(dealt.hand, seat).bet;
  const move = free && !leaving ? 'check' : 'fold';
  if (!leaving) {
    const clockMove = { hand: dealt.hand.n, move, at: session.now } as const;
    const counted = { ...player, timeouts: player.timeouts + 1, clockMove };
    session.table = withPlayer(session.table, counted);
  }
  const illegal = moveOn(session, { seat, move }, { byClock: true });
  if (illegal !== undefined) throw new Error(`the clock may always ${move}: ${illegal}`);
}

/** A player who stands up on turn folds, and the record says that the player did. */
export function foldNow(session: Session, seat: number, signatureDigest: string): void {
  const illegal = moveOn(session, { seat, move: 'fold' }, { byClock: false, signatureDigest });
  if (illegal !== undefined) throw new Error(`a seat on turn may always fold: ${illegal}`);
}
