/**
 * A model of prediction markets from the interface and choices predictions.* alone, in plain
 * numbers, without code of the hub. Stakes are small enough that their products are exact.
 */
export type Side = 'yes' | 'no';
export type Outcome = Side | 'void';
export type Refusal =
  | 'insufficient-funds'
  | 'below-minimum'
  | 'market-closed'
  | 'creator-may-not'
  | 'market-moved'
  | 'market-open'
  | 'already-resolved'
  | 'bad-check'
  | 'not-a-judge'
  | 'holds-position';

interface Purse {
  balance: number;
  held: number;
}

interface Stake {
  yes: number;
  no: number;
  /** The amount that came back when the market ended. */
  returned?: number;
}

interface Check {
  readonly op: 'gt' | 'gte' | 'lt' | 'lte' | 'eq';
  readonly value: number;
}

export interface Market {
  readonly id: string;
  readonly creator: string;
  readonly madeAt: number;
  readonly closesAt: number;
  readonly check: Check | undefined;
  state: 'open' | 'closed' | 'resolved' | 'voided';
  version: number;
  /** In the order of their first bets. */
  readonly stakes: Map<string, Stake>;
  outcome?: Outcome;
  voidReason?: 'empty-side' | 'unanswerable' | 'unresolved' | 'no-sample';
  judgeShare: number;
}

export interface State {
  readonly purses: Map<string, Purse>;
  readonly markets: Map<string, Market>;
  readonly judges: Set<string>;
}

const LISTING_FEE = 100_000;
const LEAST_BET = 10_000;
/** When the number of a market with a check is counted. */
const COUNTED_AFTER_MS = 10_000;
const DAY_MS = 86_400_000;
const VOID_AFTER_MS = 7 * DAY_MS;
const VOID_CHECK_AFTER_MS = DAY_MS;

export function found<T>(all: ReadonlyMap<string, T>, name: string): T {
  const one = all.get(name);
  if (one === undefined) throw new Error(`the model has no ${name}`);
  return one;
}

export function potOn({ stakes }: Market, side: Side): number {
  let pot = 0;
  for (const stake of stakes.values()) pot += stake[side];
  return pot;
}

/** Returns what is missing for the fee, if anything; the caller adds the market under its id. */
export function payListing(state: State, creator: string): Refusal | undefined {
  const purse = found(state.purses, creator);
  if (purse.balance - purse.held < LISTING_FEE) return 'insufficient-funds';
  purse.balance -= LISTING_FEE;
  return undefined;
}

export interface Bet {
  readonly by: string;
  readonly market: string;
  readonly side: Side;
  readonly amount: number;
  readonly ifVersion: number | undefined;
  readonly minPayout: number | undefined;
}

export function bet(state: State, asked: Bet): Refusal | undefined {
  const { by, side, amount } = asked;
  const market = found(state.markets, asked.market);
  const purse = found(state.purses, by);
  if (amount < LEAST_BET) return 'below-minimum';
  if (market.state !== 'open') return 'market-closed';
  if (market.creator === by) return 'creator-may-not';
  if (asked.ifVersion !== undefined && asked.ifVersion !== market.version) return 'market-moved';
  const before = market.stakes.get(by) ?? { yes: 0, no: 0 };
  const losing = potOn(market, side === 'yes' ? 'no' : 'yes');
  const shared = losing - shareOfJudge(market, losing);
  const brings = amount + Math.floor((amount * shared) / (potOn(market, side) + amount));
  if (asked.minPayout !== undefined && brings < asked.minPayout) return 'market-moved';
  if (purse.balance - purse.held < amount) return 'insufficient-funds';
  purse.held += amount;
  market.stakes.set(by, { ...before, [side]: before[side] + amount });
  market.version += 1;
  return undefined;
}

/** One per cent, and only when a judge resolves. */
function shareOfJudge({ check }: Market, losing: number): number {
  return check === undefined ? Math.floor(losing / 100) : 0;
}

export function judge(state: State, by: string, id: string, outcome: Outcome): Refusal | undefined {
  const market = found(state.markets, id);
  if (market.state === 'open') return 'market-open';
  if (market.state !== 'closed') return 'already-resolved';
  if (market.check !== undefined) return 'bad-check';
  if (market.creator === by) return 'creator-may-not';
  if (!state.judges.has(by)) return 'not-a-judge';
  if (market.stakes.has(by)) return 'holds-position';
  if (outcome === 'void') giveBack(state, market, 'unanswerable');
  else payOut(state, market, outcome, by);
  return undefined;
}

/** Applies what time has decided by now. */
export function tick(state: State, now: number): void {
  for (const market of state.markets.values()) {
    if (market.state === 'open' && now >= market.closesAt) {
      market.state = 'closed';
      market.version += 1;
    }
    if (market.state !== 'closed') continue;
    const { check, closesAt } = market;
    if (check === undefined) {
      if (now >= closesAt + VOID_AFTER_MS) giveBack(state, market, 'unresolved');
      continue;
    }
    if (now >= closesAt + VOID_CHECK_AFTER_MS) giveBack(state, market, 'no-sample');
    else if (now >= closesAt + COUNTED_AFTER_MS) {
      payOut(state, market, holds(openAt(state, closesAt), check) ? 'yes' : 'no');
    }
  }
}

/** Markets that were listed before a moment and closed after it. */
function openAt(state: State, moment: number): number {
  const all = [...state.markets.values()];
  return all.filter(({ madeAt, closesAt }) => madeAt < moment && closesAt > moment).length;
}

function holds(sample: number, { op, value }: Check): boolean {
  const sign = Math.sign(sample - value);
  const allowed = { gt: [1], gte: [0, 1], lt: [-1], lte: [-1, 0], eq: [0] }[op];
  return allowed.includes(sign);
}

function giveBack(state: State, market: Market, reason: Market['voidReason']): void {
  for (const [account, stake] of market.stakes) {
    found(state.purses, account).held -= stake.yes + stake.no;
    stake.returned = stake.yes + stake.no;
  }
  market.state = 'voided';
  market.version += 1;
  market.outcome = 'void';
  if (reason !== undefined) market.voidReason = reason;
}

/** Whole parts first; then a unit each to the largest fractions, the earlier bettor before. */
function payOut(state: State, market: Market, outcome: Side, by?: string): void {
  const other = outcome === 'yes' ? 'no' : 'yes';
  const [winning, losing] = [potOn(market, outcome), potOn(market, other)];
  if (winning === 0 && losing > 0) return giveBack(state, market, 'empty-side');
  const share = shareOfJudge(market, losing);
  const shared = losing - share;
  const parts = [...market.stakes].map(([account, stake]) => {
    const exact = stake[outcome] * shared;
    return winning === 0
      ? { account, stake, whole: 0, rest: 0 }
      : { account, stake, whole: Math.floor(exact / winning), rest: exact % winning };
  });
  let over = shared - parts.reduce((sum, { whole }) => sum + whole, 0);
  const order = [...parts].sort((a, b) => b.rest - a.rest);
  for (const { account, stake, whole } of order) {
    const won = whole + (over > 0 ? 1 : 0);
    over -= over > 0 ? 1 : 0;
    const purse = found(state.purses, account);
    purse.held -= stake.yes + stake.no;
    purse.balance += won - stake[other];
    stake.returned = stake[outcome] + won;
  }
  if (by !== undefined) found(state.purses, by).balance += share;
  market.judgeShare = share;
  market.state = 'resolved';
  market.version += 1;
  market.outcome = outcome;
}
