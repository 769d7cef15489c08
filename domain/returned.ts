/**
 * Money that returns to its payer (choices karma.figures): the maximum flow back over a window's
 * payments, through any number of accounts. Invariant: the result is a true lower bound, so a
 * search that ends early costs an account nothing.
 */
export type Payments = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Shares from 0 to 1, by the other account. */
export interface Returned {
  /** Of what each payer paid the subject. */
  readonly earned: ReadonlyMap<string, number>;
  /** Of what the subject paid each payee. */
  readonly spent: ReadonlyMap<string, number>;
}

/** Edges that one search may look at; it stays within milliseconds. */
const STEPS_MAX = 100_000;

/** Returns the shares of the subject's payments that went round and back. */
export function returnedShares(
  payments: Payments,
  subject: string,
  paidBy: ReadonlyMap<string, number>,
): Returned {
  const wanted = new Map(paidBy);
  const search: Search = { payments, subject, wanted, flow: new Map(), steps: STEPS_MAX };
  // Straight back needs no search; large rings of pairs are mostly that.
  for (const payer of paidBy.keys()) push(search, [subject, payer]);
  for (let path = pathBack(search); path !== undefined; path = pathBack(search)) {
    push(search, path);
  }
  const spent = payments.get(subject) ?? new Map<string, number>();
  return {
    earned: sharesOf(paidBy, (payer, paid) => paid - (wanted.get(payer) ?? 0)),
    spent: sharesOf(spent, (payee) => flowOf(search, subject, payee)),
  };
}

function sharesOf(
  amounts: ReadonlyMap<string, number>,
  back: (other: string, amount: number) => number,
): ReadonlyMap<string, number> {
  return new Map([...amounts].map(([other, amount]) => [other, back(other, amount) / amount]));
}

interface Search {
  readonly payments: Payments;
  readonly subject: string;
  /** The money that each payer still misses. */
  readonly wanted: Map<string, number>;
  /** The money that was followed on each edge; negative against its direction. */
  readonly flow: Map<string, Map<string, number>>;
  steps: number;
}

function flowOf({ flow }: Search, from: string, to: string): number {
  return flow.get(from)?.get(to) ?? 0;
}

function leftOf(search: Search, from: string, to: string): number {
  return (search.payments.get(from)?.get(to) ?? 0) - flowOf(search, from, to);
}

/** A shortest way from the subject to a payer that still misses money, breadth first. */
function pathBack(search: Search): readonly string[] | undefined {
  const { payments, subject, wanted, flow } = search;
  const cameFrom = new Map<string, string | undefined>([[subject, undefined]]);
  const queue = [subject];
  for (const from of queue) {
    for (const edges of [payments.get(from), flow.get(from)]) {
      for (const to of edges?.keys() ?? []) {
        search.steps -= 1;
        if (search.steps < 0) return undefined;
        if (cameFrom.has(to) || leftOf(search, from, to) <= 0) continue;
        cameFrom.set(to, from);
        if ((wanted.get(to) ?? 0) > 0) return wayTo(cameFrom, to);
        queue.push(to);
      }
    }
  }
  return undefined;
}

function wayTo(cameFrom: ReadonlyMap<string, string | undefined>, end: string): readonly string[] {
  const way = [end];
  for (let at = cameFrom.get(end); at !== undefined; at = cameFrom.get(at)) way.push(at);
  return way.reverse();
}

function push(search: Search, way: readonly string[]): void {
  const { wanted, flow } = search;
  const end = way.at(-1) ?? '';
  const edges = way.slice(1).map((to, n) => [way[n] ?? '', to] as const);
  const missing = wanted.get(end) ?? 0;
  const amount = Math.min(missing, ...edges.map(([from, to]) => leftOf(search, from, to)));
  if (amount <= 0) return;
  wanted.set(end, missing - amount);
  const add = (from: string, to: string, more: number): void => {
    const edge = flow.get(from) ?? new Map<string, number>();
    flow.set(from, edge.set(to, (edge.get(to) ?? 0) + more));
  };
  for (const [from, to] of edges) {
    add(from, to, amount);
    add(to, from, -amount);
  }
}
