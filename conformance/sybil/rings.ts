import { weigh, type Earlier } from '../../domain/karma.ts';
import {
  discountedOf,
  lossesOf,
  NO_LOSSES,
  RETURN_WINDOW_MS,
  type Gain,
} from '../../domain/karmaFigures.ts';
import { returnedShares } from '../../domain/returned.ts';
import { HUB_BPS, REWARD_MIN } from '../../domain/tasks/limits.ts';
import { parseAccount, type Account } from '../../domain/account.ts';

/** Rings that buy karma from each other (`npm run simulate -- sybil`) for fees; keys are free. */
export interface Outcome {
  readonly strategy: string;
  readonly accounts: number;
  /** Of one account of the ring, on average. */
  readonly recorded: number;
  readonly discounted: number;
  /** Fees of the whole ring, and the most that it had tied up, in atomic units. */
  readonly fees: number;
  readonly locked: number;
  /** The price that the hub shows for one account, in atomic units. */
  readonly price: number;
}

export const RINGS = [5, 50, 500] as const;
/** Steps of a window, so that gains have an order. */
const STEP_MS = 1_000;
/** Work is judged by its acceptance rule, so the hub's fee is the only one. */
const FEE_BPS = Number(HUB_BPS);
const LARGE_REWARD = 1_000_000;

interface Deal {
  readonly requester: number;
  readonly worker: number;
  readonly reward: number;
}

interface Strategy {
  readonly name: string;
  readonly reward: number;
  /** The accounts whose price is measured; the others only help. */
  readonly buyers: (accounts: number) => number;
  readonly deals: (accounts: number, reward: number) => readonly Deal[];
}

/** Each account pays the next one, `rounds` times. */
const around =
  (rounds: number): Strategy['deals'] =>
  (accounts, reward) =>
    Array.from({ length: rounds * accounts }, (_, n) => ({
      requester: n % accounts,
      worker: (n + 1) % accounts,
      reward,
    }));

/** Every account pays every other one twice, as often as a counterparty gives karma. */
const everyPair: Strategy['deals'] = (accounts, reward) =>
  Array.from({ length: accounts * (accounts - 1) * 2 }, (_, n) => {
    const requester = Math.floor(n / 2 / (accounts - 1));
    const other = Math.floor(n / 2) % (accounts - 1);
    return { requester, worker: other < requester ? other : other + 1, reward };
  });

/** All others pay the first account twice, and it keeps the money for the whole window. */
const keeping: Strategy['deals'] = (accounts, reward) =>
  Array.from({ length: (accounts - 1) * 2 }, (_, n) => ({
    requester: 1 + Math.floor(n / 2),
    worker: 0,
    reward,
  }));

const all = (accounts: number): number => accounts;
const STRATEGIES: readonly Strategy[] = [
  { name: 'ring, least reward', reward: Number(REWARD_MIN), buyers: all, deals: around(2) },
  { name: 'ring, 1 USDC', reward: LARGE_REWARD, buyers: all, deals: around(2) },
  { name: 'every pair, least reward', reward: Number(REWARD_MIN), buyers: all, deals: everyPair },
  { name: 'every pair, no money', reward: 0, buyers: all, deals: everyPair },
  { name: 'one keeps, least reward', reward: Number(REWARD_MIN), buyers: () => 1, deals: keeping },
  { name: 'one keeps, 1 USDC', reward: LARGE_REWARD, buyers: () => 1, deals: keeping },
];

/** Runs every strategy with a ring of this size. */
export function runRing(accounts: number): readonly Outcome[] {
  return STRATEGIES.map((strategy) => outcomeOf(strategy, accounts));
}

function outcomeOf({ name, reward, buyers, deals }: Strategy, accounts: number): Outcome {
  const made = deals(accounts, reward);
  const gains = gainsOf(made, accounts);
  const payments = paymentsOf(made);
  const measured = sampleOf(buyers(accounts)).map((nth) =>
    figuresOf(nth, gains[nth] ?? [], payments),
  );
  const mean = (of: (each: (typeof measured)[number]) => number): number =>
    measured.reduce((sum, each) => sum + of(each), 0) / measured.length;
  const fees = made.reduce((sum, deal) => sum + Math.floor((deal.reward * FEE_BPS) / 10_000), 0);
  return {
    strategy: name,
    accounts,
    recorded: mean(({ recorded }) => recorded),
    discounted: mean(({ discounted }) => discounted),
    fees,
    locked: buyers(accounts) === 1 ? made.length * reward - fees : Math.min(1, accounts) * reward,
    price: Math.round(mean(({ price }) => price)),
  };
}

/** The first and last accounts of a ring, and some between: the others are like these. */
function sampleOf(accounts: number): readonly number[] {
  const places = [0, 1, accounts / 4, accounts / 2, accounts - 2, accounts - 1];
  return [...new Set(places.map(Math.floor))].filter((nth) => nth >= 0 && nth < accounts);
}

/** The karma of each account by the rule that weighs every entry of the hub. */
function gainsOf(deals: readonly Deal[], accounts: number): readonly (readonly Gain[])[] {
  const gains: Gain[][] = Array.from({ length: accounts }, () => []);
  const counts = Array.from({ length: accounts }, () => new Map<number, number>());
  const add = (to: number, from: number, deal: Deal, step: number, isWorker: boolean): void => {
    const reason = isWorker ? 'task.paid.worker' : 'task.paid.requester';
    const money = deal.reward === 0 ? 'none' : 'real';
    const before = counts[to]?.get(from) ?? 0;
    const earlier: Earlier = { ...NOTHING, fromCounterparty: before };
    const { delta, fullDelta } = weigh({ reason, counterparty: ANYBODY }, money, earlier);
    counts[to]?.set(from, before + 1);
    const party = `${from}`;
    const paid = { reward: deal.reward, feeBps: FEE_BPS };
    const sides = { party, isOwn: false, isSpent: !isWorker };
    gains[to]?.push({ at: step * STEP_MS, delta, fullDelta, money, ...sides, ...paid });
  };
  for (const [step, deal] of deals.entries()) {
    add(deal.worker, deal.requester, deal, step, true);
    add(deal.requester, deal.worker, deal, step, false);
  }
  return gains;
}

const ANYBODY: Account = anybody();
function anybody(): Account {
  const account = parseAccount(`key:${'1'.repeat(32)}`);
  if (account === undefined) throw new Error('a key of ones is an account');
  return account;
}
const NOTHING: Earlier = {
  ownParty: false,
  fromCounterparty: 0,
  todayByReason: 0,
  todayFromHouse: 0,
  fromTestNetworks: 0,
};

function paymentsOf(deals: readonly Deal[]): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const payments = new Map<string, Map<string, number>>();
  for (const { requester, worker, reward } of deals) {
    if (reward === 0) continue;
    const paid = reward - Math.floor((reward * FEE_BPS) / 10_000);
    const to = payments.get(`${requester}`) ?? new Map<string, number>();
    to.set(`${worker}`, (to.get(`${worker}`) ?? 0) + paid);
    payments.set(`${requester}`, to);
  }
  return payments;
}

function figuresOf(
  nth: number,
  gains: readonly Gain[],
  payments: ReadonlyMap<string, ReadonlyMap<string, number>>,
) {
  const subject = `${nth}`;
  const received = new Map<string, number>();
  for (const [payer, to] of payments) {
    const paid = to.get(subject);
    if (paid !== undefined) received.set(payer, paid);
  }
  const returned = returnedShares(payments, subject, received);
  const recorded = gains.reduce((sum, { delta }) => sum + delta, 0);
  const losses = lossesOf(NO_LOSSES, { before: [], gains }, returned);
  return { recorded, discounted: discountedOf(recorded, losses), price: losses.price };
}

const HEADS = ['strategy', 'accounts', 'recorded', 'discounted', 'fees', 'tied up', 'price of one'];
const WIDTHS = [26, 10, 10, 12, 12, 12, 12];

/** Prints the table of the page on karma. */
export function printRings(print: (line: string) => void): void {
  const days = RETURN_WINDOW_MS / 86_400_000;
  print(`one window of ${days} days; karma of one account; amounts in USDC`);
  print(lineOf(HEADS));
  for (const accounts of RINGS) {
    for (const each of runRing(accounts)) print(lineOf(cellsOf(each)));
  }
}

/** The figures of one strategy as the page has them. */
export function cellsOf({ strategy, accounts, ...figures }: Outcome): readonly string[] {
  const { recorded, discounted, fees, locked, price } = figures;
  const points = [recorded, discounted].map((value) => `${Math.round(value * 10) / 10}`);
  const amounts = [fees, locked, price].map((units) => (units / 1_000_000).toFixed(6));
  return [strategy, `${accounts}`, ...points, ...amounts];
}

function lineOf(cells: readonly string[]): string {
  return cells.map((cell, n) => cell.padEnd(WIDTHS[n] ?? 0)).join('');
}
