import assert from 'node:assert/strict';
import type { Agent } from '../../harness/agents.ts';
import type { Fixture } from '../../harness/fixture.ts';
import { at, mustOk } from '../../harness/must.ts';
import { closing, MARKETS, purse, takeSeat } from '../../predictions/_markets.ts';
import type { Body } from '../../tasks/_work.ts';
import * as model from './marketModel.ts';
import { agreement } from '../../kinds/simulate/agreement.ts';
import { Tally } from '../../kinds/simulate/tally.ts';
import type { Setup } from '../../kinds/simulate/walk.ts';

/** Plays random operations on the hub's markets and on the model, and compares what both say. */
const AGENTS = 8;
const JUDGES = 4;
const STAKE = 100_000;
const START_MONEY = 3_000_000;
/** So few that every one is seen again and again. */
const UNSETTLED_MAX = 6;
const OPS = ['gt', 'gte', 'lt', 'lte', 'eq'] as const;
const STEPS_SECONDS = [20, 60, 600, 3_600];
const DAY_SECONDS = 86_400;

export async function playMarkets(setup: Setup): Promise<Tally> {
  const { clock, random, operations } = setup;
  const world = await setup.world();
  const tally = new Tally();
  const state: model.State = {
    purses: new Map(),
    markets: new Map(),
    judges: new Set(),
  };
  const agents: Agent[] = [];
  for (let nth = 0; nth < AGENTS; nth += 1) {
    const agent = await world.agent();
    await world.fund(agent, `${START_MONEY}`);
    agents.push(agent);
    if (nth < JUDGES) {
      await takeSeat(agent, { stake: `${STAKE}` });
      state.judges.add(agent.account);
    }
    const [balance, held] = await purse(agent);
    state.purses.set(agent.account, { balance, held });
  }
  let keys = 0;
  const onceKey = (): string => `market-${(keys += 1)}`;
  const same = agreement(tally);
  const anyMarket = (wanted?: 'open' | 'closed'): model.Market => {
    const all = [...state.markets.values()];
    const fitting = all.filter((market) => market.state === wanted);
    return random.pick(fitting.length > 0 && random.chance(80) ? fitting : all);
  };

  const moves = {
    async create() {
      const unsettled = [...state.markets.values()].filter(({ outcome }) => outcome === undefined);
      if (unsettled.length >= UNSETTLED_MAX) return;
      const agent = random.pick(agents);
      const seconds = 60 * (1 + random.below(180));
      const check = random.chance(35)
        ? { op: random.pick(OPS), value: random.below(4) }
        : undefined;
      const answer = await agent.post(MARKETS, {
        question: `Will it be so, the ${onceKey()} time?`,
        source: 'https://example.org/answer',
        closesAt: closing(world, seconds),
        ...(check && { check: { metric: 'markets.open', op: check.op, value: `${check.value}` } }),
      });
      const closesAt = clock.now() + seconds * 1000;
      if (!same(answer, model.payListing(state, agent.account), 'create')) return;
      const id = String(answer.body['id']);
      const made = { id, creator: agent.account, madeAt: clock.now(), closesAt, check };
      state.markets.set(id, {
        ...made,
        state: 'open',
        version: 1,
        stakes: new Map(),
        judgeShare: 0,
      });
    },
    async bet() {
      const [agent, market] = [random.pick(agents), anyMarket('open')];
      const guess = market.version - (random.chance(30) ? 1 : 0);
      const amount = random.chance(5) ? 9_999 : 10_000 + random.below(random.pick([7, 400_000]));
      const asked: model.Bet = {
        by: agent.account,
        market: market.id,
        side: random.pick(['yes', 'no'] as const),
        amount: random.chance(6) ? 50_000_000 : amount,
        ifVersion: random.chance(25) && guess > 0 ? guess : undefined,
        minPayout: random.chance(20) ? amount + random.below(amount) : undefined,
      };
      const body = {
        side: asked.side,
        amount: `${asked.amount}`,
        ...(asked.ifVersion !== undefined && { ifVersion: asked.ifVersion }),
        ...(asked.minPayout !== undefined && { minPayout: `${asked.minPayout}` }),
        idempotencyKey: onceKey(),
      };
      const answer = await agent.post(`${MARKETS}/${market.id}/bet`, body);
      if (!same(answer, model.bet(state, asked), 'bet') || !random.chance(15)) return;
      const again = await agent.post(`${MARKETS}/${market.id}/bet`, body);
      assert.deepEqual(mustOk(again), { ...answer.body, repeated: true });
      tally.count('bet: repeated');
    },
    async judge() {
      const [agent, market] = [random.pick(agents), anyMarket('closed')];
      const outcome = random.pick(['yes', 'yes', 'no', 'no', 'void'] as const);
      const answer = await agent.post(`${MARKETS}/${market.id}/resolve`, { outcome });
      const refused = model.judge(state, agent.account, market.id, outcome);
      same(answer, refused, 'judge');
    },
    async time() {
      const days = random.chance(10) ? DAY_SECONDS * (1 + random.below(7)) : 0;
      // Between the end of bets and the counting of a number lie ten seconds, which a walk misses.
      const closing = [...state.markets.values()].filter((market) => market.state === 'open');
      const next = Math.min(...closing.map(({ closesAt }) => closesAt));
      const toNext = random.chance(30) && next < Infinity ? (next - clock.now()) / 1000 : undefined;
      clock.advance(toNext ?? days + random.pick(STEPS_SECONDS));
      await world.hub.runJob('settleMarkets');
      model.tick(state, clock.now());
    },
  };
  const names = ['create', 'create', 'bet', 'bet', 'bet', 'bet', 'judge', 'judge', 'time'] as const;
  while (state.markets.size === 0) await moves.create();
  for (let nth = 0; nth < operations; nth += 1) {
    await moves[random.pick(names)]();
    await mustBeSame(world, anyMarket());
    await mustHaveSame(state, random.pick(agents));
  }
  for (const market of state.markets.values()) {
    if (market.outcome !== undefined) tally.count(market.voidReason ?? `paid ${market.outcome}`);
    await mustBeSame(world, market);
  }
  for (const agent of agents) {
    await mustHaveSame(state, agent);
    await mustHold(state, agent);
  }
  return tally;
}

async function mustBeSame(world: Fixture, market: model.Market): Promise<void> {
  const body = mustOk(await world.anyone.get(`${MARKETS}/${market.id}`));
  const pots = (['yes', 'no'] as const).map((side) => {
    const bettors = [...market.stakes.values()].filter((stake) => stake[side] > 0).length;
    return [side, `${model.potOn(market, side)}`, bettors];
  });
  assert.deepEqual(
    {
      state: body['state'],
      version: body['version'],
      sides: (body['sides'] as Body[]).map(({ side, pot, bettors }) => [side, pot, bettors]),
      outcome: body['outcome'],
      voidReason: body['voidReason'],
      judgeShare: at(body, 'settlement', 'judgeShare') ?? '0',
    },
    {
      state: market.state,
      version: market.version,
      sides: pots,
      outcome: market.outcome,
      voidReason: market.voidReason,
      judgeShare: `${market.judgeShare}`,
    },
  );
}

async function mustHaveSame(state: model.State, agent: Agent): Promise<void> {
  const { balance, held } = model.found(state.purses, agent.account);
  assert.deepEqual(await purse(agent), [balance, held]);
}

/** Every position of an account, to the unit. */
async function mustHold(state: model.State, agent: Agent): Promise<void> {
  const theirs = new Map<unknown, unknown>();
  for (let query = '?limit=200'; query !== '';) {
    const page = mustOk(await agent.get(`/api/v1/games/predictions/positions${query}`));
    for (const { marketId, yes, no, returned } of page['positions'] as Body[]) {
      theirs.set(marketId, [yes, no, returned]);
    }
    const before = page['next'];
    query = typeof before === 'string' ? `?limit=200&after=${before}` : '';
  }
  const ours = new Map<unknown, unknown>();
  for (const { id, stakes } of state.markets.values()) {
    const stake = stakes.get(agent.account);
    if (stake === undefined) continue;
    const { yes, no, returned } = stake;
    ours.set(id, [`${yes}`, `${no}`, returned === undefined ? undefined : `${returned}`]);
  }
  assert.deepEqual(new Map([...theirs].sort()), new Map([...ours].sort()));
}
