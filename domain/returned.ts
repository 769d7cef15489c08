/**
 * Money that returns to its payer (choices karma.figures): the maximum flow back over a window's
 * payments, through any number of accounts. Invariant: the result is a true lower bound, so a
 * search that ends early costs an account nothing.
 */
export type Payments = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Shares from 0 to 1, by the other account. */
export interface Returned {
  /** The sum that each payer paid the subject. */
  readonly earned: ReadonlyMap<string, number>;
  /** The sum that the subject paid each payee. */
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
  // All shortest ways at once, then the ways that are longer (Dinic's algorithm).
  for (let phase = phaseOf(search); phase !== undefined; phase = phaseOf(search)) {
    follow(search, phase, { at: subject, level: 0, amount: Infinity });
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

interface Phase {
  /** Steps from the subject. */
  readonly levels: ReadonlyMap<string, number>;
  /** The level of the nearest payers that still miss money. */
  readonly last: number;
  /** The accounts that each account has not tried yet. */
  readonly untried: Map<string, string[]>;
}

/** Looks how far the nearest payers are, breadth first; undefined where none is reached. */
function phaseOf(search: Search): Phase | undefined {
  const { subject, wanted } = search;
  const levels = new Map<string, number>([[subject, 0]]);
  const queue = [subject];
  let last = Infinity;
  for (const from of queue) {
    const level = (levels.get(from) ?? 0) + 1;
    if (level > last) break;
    for (const to of others(search, from)) {
      search.steps -= 1;
      if (search.steps < 0) return undefined;
      if (levels.has(to) || leftOf(search, from, to) <= 0) continue;
      levels.set(to, level);
      if ((wanted.get(to) ?? 0) > 0) last = level;
      queue.push(to);
    }
  }
  return last === Infinity ? undefined : { levels, last, untried: new Map() };
}

function others({ payments, flow }: Search, from: string): string[] {
  return [...(payments.get(from)?.keys() ?? []), ...(flow.get(from)?.keys() ?? [])];
}

/** Follows money on ways that go one level further with each step; returns how much arrived. */
function follow(
  search: Search,
  phase: Phase,
  { at, level, amount }: { readonly at: string; readonly level: number; readonly amount: number },
): number {
  const { wanted } = search;
  const { levels, last, untried } = phase;
  if (level === last) {
    const taken = Math.min(amount, wanted.get(at) ?? 0);
    wanted.set(at, (wanted.get(at) ?? 0) - taken);
    return taken;
  }
  const list = untried.get(at) ?? others(search, at);
  untried.set(at, list);
  let arrived = 0;
  for (let to = list.at(-1); to !== undefined; to = list.at(-1)) {
    search.steps -= 1;
    if (search.steps < 0) break;
    const room = Math.min(amount - arrived, leftOf(search, at, to));
    if (room > 0 && levels.get(to) === level + 1) {
      const more = follow(search, phase, { at: to, level: level + 1, amount: room });
      add(search, at, to, more);
      add(search, to, at, -more);
      arrived += more;
    }
    // It may have room for more of other ways.
    if (arrived >= amount) break;
    list.pop();
  }
  return arrived;
}

function add({ flow }: Search, from: string, to: string, more: number): void {
  const edge = flow.get(from) ?? new Map<string, number>();
  flow.set(from, edge.set(to, (edge.get(to) ?? 0) + more));
}
