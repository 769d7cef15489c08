import assert from 'node:assert/strict';
import { fakeClock, type FakeClock } from '../harness/clock.ts';
import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';
import { hubsOnBothDatabases, type OpenHere } from '../harness/hubsOnBothDatabases.ts';
import { moneyOf, mustAddUp, receiptsOf, until, type Body } from '../models/_desk.ts';
import {
  localProvider,
  MODEL,
  startUpstream,
  upstreamFile,
  usageOf,
  type Play,
  type Upstream,
} from '../models/_upstream.ts';

const PATH = '/api/v1/services/compress-prompt';
const GERMAN = 'Bitte schreibe mir eine Liste der 5 Pläne und nicht mehr als das für das Team.';
const ENGLISH = 'List the 5 plans for the team, no more.';
/** 90 tokens of prompt at 2 and 9 of answer at 10. */
const METERED = 270n;
const PRICE = 600n;
const DAY_SECONDS = 86_400;

function says(text: string): Play {
  return [{ say: text }, { finish: 'stop' }, usageOf(90, 9)];
}

hubsOnBothDatabases('a rewriting by a model of the desk', (open) => {
  let desk: Desk;
  beforeEach(async () => {
    desk = await openDesk(open, { ...MODEL, rewrites: true });
  });
  afterEach(() => desk.close());

  it('is paid by the caller with the service when it saves more than both cost', async () => {
    const { world, upstream, agent } = desk;
    upstream.play(() => says(ENGLISH));
    const before = await moneyOf(agent);
    const done = await compress(agent, { uses: 100_000 });
    const receipt = at(done, 'receipt') as Body;
    assert.deepEqual(
      [done['text'], done['method'], at(done, 'charge', 'amount'), receipt['charged']],
      [ENGLISH, 'model', `${PRICE}`, `${METERED}`],
    );
    assert.deepEqual(
      [receipt['service'], receipt['outcome'], receipt['borneByHub'], receipt['payer']],
      ['services.compressPrompt', 'completed', undefined, agent.account],
    );
    mustAddUp(receipt);
    const after = await moneyOf(agent);
    assert.deepEqual(after, { held: 0n, spendable: before.spendable - PRICE - METERED });
    assert.deepEqual((await receiptsOf(agent))[0], receipt);
    await world.hub.audit();
  });

  it('holds what both may cost while the model writes', async () => {
    const { upstream, agent } = desk;
    let goOn = (): void => undefined;
    const wait = new Promise<void>((resolve) => (goOn = resolve));
    upstream.play(() => [{ wait }, ...(says(ENGLISH) as readonly never[])]);
    const running = compress(agent, { uses: 100_000 });
    await until(() => upstream.asked.length === 1);
    const { held } = await moneyOf(agent);
    goOn();
    const receipt = at(await running, 'receipt') as Body;
    assert.equal(`${held}`, receipt['held']);
    const longest = BigInt(String(upstream.asked[0]?.body['max_tokens'])) * 10n;
    assert.ok(held > PRICE + longest, 'the prompt, the longest answer and the service');
  });

  it('is borne by the hub when it saves less than it costs', async () => {
    const { upstream, agent } = desk;
    const before = await moneyOf(agent);
    // It loses a number; it saves almost nothing; the caller is better off with the rules.
    for (const answer of ['List the plans.', `${GERMAN.slice(0, -1)}!`]) {
      upstream.play(() => says(answer));
      const done = await compress(agent, { text: GERMAN, uses: 50 });
      assert.deepEqual([done['method'], done['charge']], ['rules', undefined], answer);
      const receipt = at(done, 'receipt') as Body;
      assert.deepEqual(
        [receipt['charged'], receipt['borneByHub'], receipt['outcome']],
        ['0', `${METERED}`, 'completed'],
      );
      assert.match(String(receipt['reason']), /the hub bears it/);
      mustAddUp(receipt);
    }
    assert.deepEqual(await moneyOf(agent), before);
  });

  it('costs no account anything when no provider gives an answer, and no repeat asks again', async () => {
    const { upstream, agent } = desk;
    upstream.play(() => ({ status: 500, body: {} }));
    const before = await moneyOf(agent);
    const once = { uses: 50, idempotencyKey: 'down' };
    const failed = await compress(agent, once);
    assert.deepEqual(
      [at(failed, 'receipt', 'outcome'), at(failed, 'receipt', 'borneByHub')],
      ['failed', undefined],
    );
    assert.deepEqual(await compress(agent, once), { ...failed, repeated: true });
    assert.equal(upstream.asked.length, 1);
    assert.deepEqual(await moneyOf(agent), before);
  });

  it('is not asked for without money for both, nor where it cannot save what it costs', async () => {
    const { world, upstream, agent } = desk;
    const poor = await world.agent();
    await world.fund(poor, `${PRICE + METERED}`);
    for (const [who, uses] of [
      [poor, 100_000],
      [agent, 10],
    ] as const) {
      const done = await compress(who, { uses });
      assert.deepEqual([done['method'], done['receipt']], ['rules', undefined]);
    }
    assert.equal(upstream.asked.length, 0);
  });
});

hubsOnBothDatabases('what the hub bears of rewritings', (open) => {
  it('ends with the quota of an account for the day', async () => {
    const clock = fakeClock(Date.parse('2026-11-20T23:00:00Z'));
    const dear = { ...MODEL, input: '200', output: '1000', rewrites: true };
    const desk = await openDesk(open, dear, clock);
    const { world, upstream, agent } = desk;
    upstream.play(() => says('List the plans.'));
    const ask = async (who: Agent) => at(await compress(who, { uses: 10_000 }), 'receipt');
    const borne: bigint[] = [];
    for (let tries = 0; tries < 30; tries += 1) {
      const receipt = await ask(agent);
      if (receipt === undefined) break;
      borne.push(BigInt(String(at(receipt, 'borneByHub'))));
    }
    const sum = borne.reduce((all, each) => all + each, 0n);
    assert.ok(borne.length >= 2 && sum <= 200_000n, `${borne.length} calls, ${sum}`);
    assert.ok(sum > 100_000n, 'most of the quota can be used');
    assert.equal(upstream.asked.length, borne.length, 'the rules did what came after');
    await world.fund(world.bob, '1000000');
    assert.notEqual(await ask(world.bob), undefined, 'a quota is one account’s');
    clock.advance(DAY_SECONDS);
    assert.notEqual(await ask(agent), undefined, 'and one day’s');
    await desk.close();
  });

  it('is nothing on test money, which buys no tokens of a provider', async () => {
    const model = { ...MODEL, rewrites: true };
    const desk = await openDesk(open, model, undefined, { backend: 'upstream' });
    assert.equal((await compress(desk.agent, { uses: 100_000 }))['receipt'], undefined);
    assert.equal(desk.upstream.asked.length, 0);
    await desk.close();
  });
});

interface Desk {
  readonly world: Fixture;
  readonly upstream: Upstream;
  readonly agent: Agent;
  close(): Promise<void>;
}

async function openDesk(
  open: OpenHere,
  model: object,
  clock?: FakeClock,
  more: Body = {},
): Promise<Desk> {
  const upstream = await startUpstream();
  const file = upstreamFile([localProvider(upstream, { models: [model], ...more })], [upstream]);
  const world = await open({ env: file.env, ...(clock !== undefined && { clock }) });
  const agent = await world.agent();
  await world.fund(agent, '1000000');
  return {
    world,
    upstream,
    agent,
    async close() {
      await upstream.close();
      file.remove();
    },
  };
}

async function compress(agent: Agent, more: Body): Promise<Body> {
  const body = { caller: agent.account, text: GERMAN, ...more };
  return mustOk(await agent.post(PATH, body));
}
