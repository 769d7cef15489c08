import assert from 'node:assert/strict';
import { parseAccount, type Account } from '../../domain/account.ts';
import { joinAccount } from '../harness/agents.ts';
import { DATABASES } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { run, sum } from '../ledger/book.ts';
import { publish, RULE, submit, type Body } from '../tasks/_work.ts';

const SUITE_MS_MAX = 60_000;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
function account(name: string): Account {
  return parseAccount(name) ?? assert.fail(name);
}

interface Part {
  readonly from: string;
  readonly paidNet: string;
  readonly tasksPaid: number;
  readonly supply: string;
  readonly ofUsers: string;
  readonly held: string;
}

for (const [name, url] of DATABASES) {
  describe(`the series of the statistics (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
    });
    after(() => world.close());

    const read = async (query = ''): Promise<Body> =>
      mustOk(await world.anyone.get(`/api/v1/stats${query === '' ? '?range=7d' : query}`))[
        'series'
      ] as Body;
    const partsOf = (body: Body): readonly Part[] => body['parts'] as Part[];
    const paid = (body: Body) =>
      partsOf(body).flatMap(({ paidNet, tasksPaid }, place) =>
        paidNet === '0' && tasksPaid === 0 ? [] : [[place, paidNet, tasksPaid]],
      );

    it('has every part of each range before anything was paid, on whole hours and days', async () => {
      const lengths = { '24h': [24, HOUR_SECONDS], '7d': [28, 21_600], '30d': [30, DAY_SECONDS] };
      for (const [range, [count, partSeconds = 0]] of Object.entries(lengths)) {
        const body = await read(`?range=${range}`);
        assert.deepEqual([body['range'], body['partSeconds']], [range, partSeconds]);
        assert.equal(partsOf(body).length, count);
        assert.deepEqual(paid(body), []);
        const starts = partsOf(body).map(({ from }) => Date.parse(from));
        assert.ok(starts.every((start) => start % (partSeconds * 1_000) === 0));
        assert.ok(Number(starts.at(-1)) <= Date.parse(String(body['at'])));
      }
      assert.equal((await read())['range'], '7d');
    });

    it('counts each payment in its part, and what reached the worker after fees', async () => {
      const { alice, bob, hub } = world;
      await world.fund(alice, '10000000');
      const rule = { acceptance: RULE, disputeWindowSeconds: 0 };
      const first = await publish(alice, { ...rule, rewardAmount: '400000' });
      mustOk(await submit(bob, first.id, 'done'));
      hub.clock.advance(DAY_SECONDS);
      for (const rewardAmount of ['100000', '200000']) {
        const task = await publish(alice, { ...rule, rewardAmount });
        mustOk(await submit(bob, task.id, 'done'));
      }
      assert.deepEqual(paid(await read('?range=30d')), [
        [28, '388000', 1],
        [29, '291000', 2],
      ]);
      assert.deepEqual(paid(await read('?range=24h')), [[23, '291000', 2]]);
    });

    it('has the money of each part as the economy and the books counted it then', async () => {
      const { alice, hub } = world;
      const rule = { acceptance: RULE, disputeWindowSeconds: 0 };
      const counted: unknown[] = [];
      for (const change of [
        () => Promise.resolve(),
        () => world.fund(alice, '5000000'),
        () => publish(alice, { ...rule, rewardAmount: '300000' }),
        () => publish(alice, { ...rule, rewardAmount: '200000' }),
      ]) {
        hub.clock.advance(HOUR_SECONDS);
        await change();
        const { supply, ofUsers, network } = mustOk(await world.anyone.get('/api/v1/economy'));
        const books = mustOk(await world.anyone.get('/api/v1/economy/conservation'));
        const ledger = (books['ledgers'] as Body[]).find((each) => each['network'] === network);
        counted.push({ supply, ofUsers, held: ledger?.['held'] });
      }
      assert.equal(new Set(counted.map((each) => JSON.stringify(each))).size, 4);
      const parts = partsOf(await read('?range=24h'));
      const stocks = parts.map(({ supply, ofUsers, held }) => ({ supply, ofUsers, held }));
      assert.deepEqual(stocks.slice(-4), counted);
      const days = partsOf(await read('?range=30d'));
      assert.deepEqual(days.at(-1)?.supply, parts.at(-1)?.supply);
      assert.deepEqual(days[0]?.held, '0');
    });

    it('leaves out what one party paid to itself', async () => {
      const { alice, bob, hub } = world;
      const spare = await world.agent();
      mustOk(await joinAccount(alice, spare));
      const before = paid(await read());
      const reward = { verb: 'move', amount: sum(70_000n), reason: 'task.reward' } as const;
      const from = account(alice.account);
      const now = { at: hub.clock.now() };
      const { store } = hub.running.hub;
      await run(store, [{ ...reward, from, to: account(spare.account) }], now);
      assert.deepEqual(paid(await read()), before);
      await run(store, [{ ...reward, from, to: account(bob.account) }], now);
      assert.notDeepEqual(paid(await read()), before);
    });

    it('names the payee in the latest payouts by its passport', async () => {
      const { bob } = world;
      const keyId = bob.account.slice('key:'.length);
      const body = { keyId, displayName: '<b>Sea reader</b>' };
      mustOk(await bob.post('/api/v1/passport', body));
      const { recent } = mustOk(await world.anyone.get('/api/v1/earnings'));
      const names = (recent as Body[]).map(({ to, name: shown }) => [to, shown]);
      assert.ok(names.some(([to, shown]) => to === bob.account && shown === body.displayName));
      assert.ok(names.every(([to, shown]) => to === bob.account || shown === undefined));
    });

    it('refuses another range and a network that is none', async () => {
      mustRefuse(await world.anyone.get('/api/v1/stats?range=1y'), 400, 'unknown-filter');
      const answer = await world.anyone.get('/api/v1/stats?network=moon');
      mustRefuse(answer, 400, 'network-unknown');
    });
  });
}
