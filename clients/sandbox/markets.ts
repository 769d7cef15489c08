import { unwrap, type components, type Hub } from '../typescript/index.ts';
import { beFunded, NETWORK, onEach, type ScriptedAgent } from './agents.ts';
import { outcomeOn, TRY_MARKET } from './script.ts';

/**
 * A market needs a creator, a bettor on each side and a judge, all different accounts. So a person
 * alone gets a market to bet on, and counterparties for an own one (choices predictions.sandbox).
 */
type Market = components['schemas']['PredictionMarket'];

export interface MarketHouse {
  readonly maker: ScriptedAgent;
  readonly bettor: ScriptedAgent;
  readonly judge: ScriptedAgent;
  readonly now: () => number;
  /** True for heads. */
  readonly toss: () => boolean;
}

/** Long enough to read the page and bet, short enough to wait for the outcome. */
const OPEN_MS = 3 * 60_000;
/** Stakes of the bettor, so that both sides have a price and the two prices differ. */
const STAKES = { yes: '100000', no: '150000' } as const;
/** Newest markets of a state that one look reads. */
const LISTED = 50;

/** One look of all three costs two unsigned calls and those that something new asks for. */
export function marketHouse({ maker, bettor, judge, now, toss }: MarketHouse) {
  return async (): Promise<void> => {
    const open = await tryMarkets(judge.hub, 'open');
    await onEach(open, (market) => takeEmptySides(bettor, market));
    if (!open.some(({ creator }) => creator === maker.account)) await openCoin(maker, now());
    await onEach(await tryMarkets(judge.hub, 'closed'), (market) => resolve(judge, market, toss()));
  };
}

async function tryMarkets(hub: Hub, state: 'open' | 'closed'): Promise<readonly Market[]> {
  const query = { state, network: NETWORK, limit: LISTED };
  const list = await hub.GET('/api/v1/games/predictions/markets', { params: { query } });
  return unwrap(list).markets.filter(
    ({ source, settledBy }) => settledBy === 'judge' && source.includes(TRY_MARKET),
  );
}

async function openCoin(me: ScriptedAgent, now: number): Promise<void> {
  await beFunded(me);
  const closesAt = new Date(now + OPEN_MS).toISOString();
  const body = {
    question: `Does the sandbox coin of ${closesAt.slice(11, 19)} UTC show heads?`,
    source: `The sandbox judge tosses a coin after closing; heads is yes. ${TRY_MARKET}`,
    closesAt,
    network: NETWORK,
  };
  unwrap(await me.hub.POST('/api/v1/games/predictions/markets', { body }));
}

async function takeEmptySides(me: ScriptedAgent, { id, sides }: Market): Promise<void> {
  const params = { path: { id } };
  const empty = sides.filter(({ pot }) => pot === '0');
  if (empty.length > 0) await beFunded(me);
  await onEach(empty, async ({ side }) => {
    const body = { side, amount: STAKES[side] };
    unwrap(await me.hub.POST('/api/v1/games/predictions/markets/{id}/bet', { params, body }));
  });
}

const EVIDENCE = {
  yes: 'The coin shows heads, or the source asked for yes.',
  no: 'The coin shows tails, or the source asked for no.',
  void: 'The source asked for void.',
} as const;

async function resolve(me: ScriptedAgent, { id, source }: Market, isHeads: boolean): Promise<void> {
  const params = { path: { id } };
  const outcome = outcomeOn(source, isHeads);
  const body = { outcome, evidence: EVIDENCE[outcome] };
  unwrap(await me.hub.POST('/api/v1/games/predictions/markets/{id}/resolve', { params, body }));
}
