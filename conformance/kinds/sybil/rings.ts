import type { Account } from '../../../domain/account.ts';
import { houseAccount } from '../../../domain/account.ts';
import { RETURN_WINDOW_MS } from '../../../domain/karmaFigures.ts';
import { HUB_BPS, REWARD_MIN } from '../../../domain/tasks/limits.ts';
import { person } from '../../ledger/book.ts';
import { openBooks, type Books, type Deal, type Move } from './_books.ts';

/** Rings that buy karma from each other (`npm run simulate -- sybil`) for fees; keys are free. */
export interface Outcome {
  readonly strategy: string;
  readonly accounts: number;
  /** The average of an account of the ring. */
  readonly recorded: number;
  readonly discounted: number;
  /** Fees of the whole ring, and the most that it had tied up, in atomic units. */
  readonly fees: number;
  readonly locked: number;
  /** The price that the hub shows for one account, in atomic units. */
  readonly price: number;
}

const RINGS = [5, 50, 300];
/** Nearly two hundred thousand deals between every pair of 300 would run for minutes. */
const PAIRED = [5, 20];
/** Work is judged by its acceptance rule, so the hub's fee is the only one. */
const FEE_BPS = Number(HUB_BPS);
const LARGE_REWARD = 1_000_000;

/** Requester and worker by their places in the ring. */
type Pair = readonly [requester: number, worker: number];

interface Strategy {
  readonly name: string;
  readonly reward: number;
  readonly sizes: readonly number[];
  /** The accounts whose price is measured; the others only help. */
  readonly buyers: (accounts: number) => number;
  readonly deals: (accounts: number) => readonly Pair[];
  /** How money moves after the work, to look as if it had not come back. */
  readonly after?: (deals: readonly Deal[], ring: readonly Account[]) => readonly Move[];
}

/** Each account pays the next one, twice. */
const around: Strategy['deals'] = (accounts) =>
  Array.from({ length: 2 * accounts }, (_, n) => [n % accounts, (n + 1) % accounts]);

/** Every account pays every other one twice, as often as a counterparty gives karma. */
const everyPair: Strategy['deals'] = (accounts) =>
  Array.from({ length: accounts * (accounts - 1) * 2 }, (_, n) => {
    const step = 1 + (Math.floor(n / accounts) % (accounts - 1));
    return [n % accounts, (n + step) % accounts];
  });

/** All others pay the first account twice, and it keeps the money for the whole window. */
const keeping: Strategy['deals'] = (accounts) =>
  Array.from({ length: (accounts - 1) * 2 }, (_, n) => [1 + Math.floor(n / 2), 0]);

/** The worker loses a bet to its requester over what it was paid. */
const throughMarkets: Strategy['after'] = (deals) =>
  deals.flatMap(({ requester, worker, reward, fee }, n): readonly Move[] => {
    const pot = houseAccount(`hub:pot:market:${worker.slice(-8)}-${n}`);
    const amount = reward - fee;
    return [
      { from: worker, to: pot, amount, reason: 'bet.lost' },
      { from: pot, to: requester, amount, reason: 'bet.won' },
    ];
  });

const all = (accounts: number): number => accounts;
const one = (): number => 1;
const least = Number(REWARD_MIN);
const ring = { sizes: RINGS, buyers: all, deals: around };
const pairs = { sizes: PAIRED, buyers: all, deals: everyPair };
const keeps = { sizes: RINGS, buyers: one, deals: keeping };
const STRATEGIES: readonly Strategy[] = [
  { name: 'ring, least reward', reward: least, ...ring },
  { name: 'ring, 1 USDC', reward: LARGE_REWARD, ...ring },
  { name: 'every pair, least reward', reward: least, ...pairs },
  { name: 'every pair, no money', reward: 0, ...pairs },
  { name: 'one keeps, least reward', reward: least, ...keeps },
  { name: 'one keeps, 1 USDC', reward: LARGE_REWARD, ...keeps },
  { name: 'back through markets', reward: LARGE_REWARD, ...keeps, after: throughMarkets },
];

/** Runs every strategy with rings of its sizes, each on books of its own. */
export async function runRings(): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const strategy of STRATEGIES) {
    for (const accounts of strategy.sizes) {
      const books = await openBooks();
      try {
        outcomes.push(await outcomeOf(books, strategy, accounts));
      } finally {
        await books.close();
      }
    }
  }
  return outcomes;
}

async function outcomeOf(books: Books, strategy: Strategy, accounts: number): Promise<Outcome> {
  const { name, reward, buyers, after } = strategy;
  const ring = Array.from({ length: accounts }, person);
  const fee = Math.floor((reward * FEE_BPS) / 10_000);
  const deals = strategy.deals(accounts).map(([requester, worker]): Deal => {
    const [payer, payee] = [ring[requester], ring[worker]];
    if (payer === undefined || payee === undefined) throw new Error('a deal is within the ring');
    return { requester: payer, worker: payee, reward, fee };
  });
  await books.fund(ring, 2 * accounts * reward);
  await books.work(deals);
  await books.move(after?.(deals, ring) ?? []);
  const sample = sampleOf(buyers(accounts)).flatMap((nth) => ring[nth] ?? []);
  const measured = await books.measure(sample, ring);
  const mean = (of: (each: (typeof measured)[number]) => number): number =>
    measured.reduce((sum, each) => sum + of(each), 0) / measured.length;
  const fees = deals.length * fee;
  const isKept = strategy.deals === keeping && after === undefined;
  return {
    strategy: name,
    accounts,
    recorded: mean(({ recorded }) => recorded),
    discounted: mean(({ discounted }) => discounted),
    fees,
    locked: isKept ? deals.length * reward - fees : reward,
    price: Math.round(mean(({ losses }) => losses.price)),
  };
}

/** The first and last accounts of a ring, and some between: the others are like these. */
function sampleOf(accounts: number): readonly number[] {
  const places = [0, 1, accounts / 4, accounts / 2, accounts - 2, accounts - 1];
  return [...new Set(places.map(Math.floor))].filter((nth) => nth >= 0 && nth < accounts);
}

const HEADS = ['strategy', 'accounts', 'recorded', 'discounted', 'fees', 'tied up', 'price of one'];
const WIDTHS = [26, 10, 10, 12, 12, 12, 12];

/** Prints the table of the page on karma. */
export async function printRings(print: (line: string) => void): Promise<void> {
  const days = RETURN_WINDOW_MS / 86_400_000;
  print(`one window of ${days} days; karma of one account; amounts in USDC`);
  print(lineOf(HEADS));
  for (const each of await runRings()) print(lineOf(cellsOf(each)));
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
