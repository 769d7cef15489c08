import { takenBy, type Hand } from './handWords.ts';

/** Counts the moves of a seat in the hands that are shown, by which players judge each other. */
export interface SeatStatistics {
  readonly seat: number;
  readonly account: string;
  readonly hands: number;
  /** Hands in which it took a pot or a part of one. */
  readonly won: number;
  /** Hands in which it put chips in before the flop that no blind forced. */
  readonly entered: number;
  /** Hands in which it raised before the flop. */
  readonly raised: number;
  /** Hands in which its cards were shown at the end. */
  readonly shown: number;
  /** Chips won less chips lost, signed. */
  readonly net: string;
}

type Move = Hand['actions'][number]['move'];
const VOLUNTARY: ReadonlySet<Move> = new Set<Move>(['call', 'bet', 'raise', 'allin']);
const BLINDS: ReadonlySet<Move> = new Set<Move>(['smallBlind', 'bigBlind']);

/** Counts by seat and account, because a seat can be taken by another player later. */
export function statisticsOf(hands: readonly Hand[]): readonly SeatStatistics[] {
  const found = new Map<string, SeatStatistics>();
  for (const hand of hands) {
    // Every chip of a cancelled hand went back.
    if (hand.voided) continue;
    for (const { seat, account } of hand.players) {
      const key = `${seat} ${account}`;
      found.set(key, plus(found.get(key) ?? none(seat, account), hand));
    }
  }
  return [...found.values()].sort((a, b) => a.seat - b.seat || b.hands - a.hands);
}

const none = (seat: number, account: string): SeatStatistics => ({
  seat,
  account,
  net: '0',
  hands: 0,
  won: 0,
  entered: 0,
  raised: 0,
  shown: 0,
});

function plus(before: SeatStatistics, hand: Hand): SeatStatistics {
  const { seat } = before;
  const { entered, raised } = openingOf(hand, seat);
  const result = hand.results.find((each) => each.seat === seat);
  const net = BigInt(result?.won ?? 0) - BigInt(result?.lost ?? 0);
  const one = (holds: boolean): number => (holds ? 1 : 0);
  return {
    seat,
    account: before.account,
    hands: before.hands + 1,
    won: before.won + one(takenBy(hand, seat) !== '0'),
    entered: before.entered + one(entered),
    raised: before.raised + one(raised),
    shown: before.shown + one(hand.cards.holes.some((each) => each.seat === seat && each.shown)),
    net: String(BigInt(before.net) + net),
  };
}

/** A move raises if its bet is above all bets before it; "all in" can be a call or a raise. */
function openingOf({ actions }: Hand, seat: number) {
  let highest = 0n;
  let [entered, raised] = [false, false];
  for (const each of actions) {
    if (each.street !== 'preflop') continue;
    const isAbove = BigInt(each.bet) > highest;
    if (isAbove) highest = BigInt(each.bet);
    if (each.seat !== seat) continue;
    if (VOLUNTARY.has(each.move)) entered = true;
    if (isAbove && !BLINDS.has(each.move)) raised = true;
  }
  return { entered, raised };
}
