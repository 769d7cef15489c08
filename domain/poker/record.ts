import type { Account } from '../account.ts';
import { iso, type Instant } from '../instant.ts';
import { cardText, type Card } from './cards.ts';
import { bestFive, type Category } from './evaluate.ts';
import type { Deal, Street } from './hand.ts';
import type { Outcome } from './pots.ts';
import { DECK_VERSION, entropyOf } from './shuffle.ts';
import type { Dealt, RecordedAction, Sat } from './table.ts';

/**
 * A finished hand as everybody reads and verifies it: chips are decimal strings, times are ISO. It
 * is written once and never changed, since part of it is the entropy of the next hand.
 */
export interface HandRecord {
  readonly n: number;
  readonly seed: string;
  readonly commit: string;
  readonly entropy: string;
  readonly deckVersion: 1;
  readonly voided: boolean;
  readonly level?: number;
  readonly button: number;
  readonly smallBlind: string;
  readonly bigBlind: string;
  readonly sat?: { seat: number; account: string }[];
  readonly players: { seat: number; account: string; startStack: string; endStack: string }[];
  readonly cards: {
    board: string[];
    holes: { seat: number; cards: string[]; shown: boolean }[];
  };
  readonly actions: WireAction[];
  readonly pots: {
    amount: string;
    eligible: number[];
    winners: { seat: number; amount: string }[];
  }[];
  readonly results: WireResult[];
  readonly startedAt: string;
  readonly endedAt: string;
}
interface WireAction {
  seat: number;
  street: Street;
  move: RecordedAction['move'];
  bet: string;
  byClock?: boolean;
  signatureDigest?: string;
  at: string;
}
interface WireResult {
  seat: number;
  won: string;
  lost: string;
  hand?: Category;
  best?: string[];
}

export interface Ended {
  readonly dealt: Dealt;
  readonly deal: Deal;
  readonly seed: Uint8Array;
  /** Absent when the hand was voided. */
  readonly outcome?: Outcome;
  readonly accounts: ReadonlyMap<number, Account>;
  readonly level?: number;
  readonly at: Instant;
}

export function recordOf(ended: Ended): HandRecord {
  const { dealt, deal, outcome, accounts } = ended;
  const { hand } = dealt;
  const texts = (cards: readonly Card[]): string[] => cards.map(cardText);
  const endStack = (seat: number, start: number): number => outcome?.stacks.get(seat) ?? start;
  return {
    n: hand.n,
    seed: Buffer.from(ended.seed).toString('hex'),
    commit: dealt.commit,
    entropy: dealt.entropy,
    deckVersion: DECK_VERSION,
    voided: outcome === undefined,
    ...(ended.level !== undefined && { level: ended.level }),
    button: hand.button,
    smallBlind: `${hand.smallBlind}`,
    bigBlind: `${hand.bigBlind}`,
    ...(dealt.sat !== undefined && { sat: satRecord(dealt.sat) }),
    players: hand.seats.map(({ seat, startStack }) => ({
      seat,
      account: accounts.get(seat) ?? '',
      startStack: `${startStack}`,
      endStack: `${endStack(seat, startStack)}`,
    })),
    cards: {
      board: texts(deal.board.slice(0, hand.boardCount)),
      holes: hand.seats.map(({ seat }) => ({
        seat,
        cards: texts(deal.holes.get(seat) ?? []),
        shown: hand.shown.includes(seat),
      })),
    },
    actions: dealt.actions.map(actionRecord),
    pots: (outcome?.pots ?? []).map(({ amount, eligible, winners }) => ({
      amount: `${amount}`,
      eligible: [...eligible],
      winners: winners.map((winner) => ({ seat: winner.seat, amount: `${winner.amount}` })),
    })),
    results: hand.seats.map(({ seat, startStack }) =>
      resultRecord(seat, endStack(seat, startStack) - startStack, { outcome, deal }),
    ),
    startedAt: iso(dealt.startedAt),
    endedAt: iso(ended.at),
  };
}

function actionRecord({ bet, at, ...action }: RecordedAction): WireAction {
  return { ...action, bet: `${bet}`, at: iso(at) };
}

function resultRecord(
  seat: number,
  gain: number,
  { outcome, deal }: { readonly outcome: Outcome | undefined; readonly deal: Deal },
): WireResult {
  const made = outcome?.made.get(seat);
  const cards = [...(deal.holes.get(seat) ?? []), ...deal.board];
  return {
    seat,
    won: `${gain > 0 ? gain : 0}`,
    lost: `${gain < 0 ? -gain : 0}`,
    ...(made !== undefined && { hand: made.category, best: bestFive(cards).map(cardText) }),
  };
}

export function satRecord(sat: readonly Sat[]): { seat: number; account: string }[] {
  return sat.map(({ seat, account }) => ({ seat, account }));
}

/** The entropy of the next hand: what this one's players did after its commitment stood. */
export function entropyAfter({ actions, players, results }: HandRecord): string {
  return entropyOf({ actions, players, results });
}
