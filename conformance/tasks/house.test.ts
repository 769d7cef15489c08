import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASES } from '../harness/databases.ts';
import { probedListing } from '../../db/registry/fixture.ts';
import { saveListings } from '../../db/registry/listings.ts';
import { runCli } from '../../server/cli.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, names, publish, RULE, submit, type Body } from './_work.ts';
import { fundWelcome } from './_welcome.ts';

/** Work that the house puts up: bonus threads, looks at listings, the operator's own tasks. */
for (const [name, url] of DATABASES) {
  describe(`house tasks (${name})`, () => {
    let world: Fixture;
    beforeEach(async function start() {
      this.timeout(30_000);
      world = await openFixture({ databaseUrl: await url() });
    });
    afterEach(() => world.close());

    const tagged = async (tag: string): Promise<Body[]> =>
      mustOk(await world.anyone.get(`/api/v1/tasks?tag=${tag}&state=open`))['tasks'] as Body[];

    it('keeps one thread open for each bonus, which says whether it can be paid', async () => {
      const { alice, hub } = world;
      const keep = () => hub.runJob('bonusThreads');
      await Promise.all([keep(), keep()]);
      const [thread, ...more] = await tagged('bonus:welcome');
      assert.equal(more.length, 0);
      const payout = { kind: 'welcome', amountAtomic: '100000', asset: 'USDC', network: 'base' };
      const { how, ...rest } = thread?.['payout'] as Body;
      assert.deepEqual(rest, { ...payout, status: 'open' });
      assert.match(String(how), /POST \/api\/v1\/trials/);
      assert.deepEqual(names(thread?.['next']), ['tasks.comment']);
      const id = String(thread?.['id']);
      mustRefuse(await act(alice, id, 'claim', { agentId: alice.account }), 400, 'thread-only');
      mustOk(await act(alice, id, 'comments', { author: alice.account, body: 'When?' }));
      await fundWelcome(world, 100_000n);
      await keep();
      const again = await tagged('bonus:welcome');
      assert.deepEqual(
        again.map((each) => [each['id'], at(each, 'payout', 'status'), each['comments']]),
        [[id, 'funded', 1]],
      );
      assert.equal(at(await tagged('bonus:starter'), 0, 'payout', 'status'), 'funded');
      hub.clock.advance(91 * 86_400);
      await keep();
      const [next, ...others] = await tagged('bonus:welcome');
      assert.ok(next !== undefined && next['id'] !== id && others.length === 0, 'it goes on');
    });

    it('asks for looks at listings for half of what the day before brought in', async () => {
      const { alice, bob, hub } = world;
      await world.fund(alice, '100000000');
      const task = { acceptance: RULE, disputeWindowSeconds: 0, rewardAmount: '2000000' };
      mustOk(await submit(bob, (await publish(alice, task)).id, 'done'));
      hub.clock.advance(86_400);
      await hub.runJob('demand');
      assert.deepEqual(await tagged('demand'), [], 'nothing to look at');
      const listed = ['https://one.example', 'https://two.example'].map((origin) => ({
        listing: probedListing({ origin }),
        skills: [],
      }));
      await hub.running.hub.store.write((tx) => saveListings(tx, listed));
      await hub.runJob('demand');
      await hub.runJob('demand');
      // Fees of 60,000 brought in, half of them spendable, 10,000 a look.
      const asked = await tagged('demand');
      assert.equal(asked.length, 3);
      for (const each of asked) {
        assert.deepEqual(
          [each['requester'], at(each, 'windows', 'autoAcceptSeconds'), each['verification']],
          ['hub:demand', 3_600, 'requester'],
        );
        assert.match(String(at(each, 'target', 'origin')), /^https:\/\/(one|two)\.example$/);
        const isCrawl = (each['tags'] as string[]).includes('crawl');
        assert.equal(at(each, 'conduct', 'maxRequests'), isCrawl ? 8 : 50);
      }
      const economy = mustOk(await world.anyone.get('/api/v1/economy'));
      assert.equal(economy['recirculated'], '30000');
      const crawl = asked.find((each) => (each['tags'] as string[]).includes('crawl'));
      const id = String(crawl?.['id']);
      const bad = mustOk(await submit(bob, id, { url: 'https://one.example/' }));
      assert.equal(bad['outcome'], 'refused');
      const good = { url: 'https://one.example/', status: 200, links: [] };
      assert.equal(mustOk(await submit(bob, id, good))['outcome'], 'waiting');
    });
  });
}

describe('hubctl board', () => {
  let folder: string;
  let world: Fixture;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hub-board-'));
    world = await openFixture({ databaseUrl: `sqlite:${join(folder, 'hub.sqlite')}` });
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function board(...words: readonly string[]): Promise<readonly [number, string]> {
    let printed = '';
    const env = { HUB_DATABASE_URL: `sqlite:${join(folder, 'hub.sqlite')}` };
    const code = await runCli(['board', ...words], env, (text) => (printed += text));
    return [code, printed];
  }

  async function put(body: unknown): Promise<string> {
    const path = join(folder, 'order.json');
    await writeFile(path, JSON.stringify(body));
    return path;
  }

  it('puts a task of the operator up, paid by hub:board', async () => {
    const order = {
      title: 'Write a haiku',
      rewardAmount: '50000',
      deadline: new Date(world.hub.clock.now() + 86_400_000).toISOString(),
      tags: ['board'],
    };
    assert.equal((await board('add', await put(order)))[0], 0);
    assert.match((await board('list'))[1], /waiting/);
    await world.hub.runJob('board');
    await world.hub.runJob('board');
    const found = mustOk(await world.anyone.get('/api/v1/tasks?tag=board'))['tasks'] as Body[];
    assert.equal(found.length, 1);
    assert.deepEqual(
      [found[0]?.['requester'], found[0]?.['deadline'], found[0]?.['paymentState']],
      ['hub:board', order.deadline, 'escrowed'],
    );
    assert.match((await board('list'))[1], new RegExp(`published {2}${String(found[0]?.['id'])}`));
  });

  it('says why a task cannot be published', async () => {
    const wrong: readonly [unknown, RegExp][] = [
      [{ title: 'x', requester: 'hub:board' }, /without requester/],
      [{ title: 'x', rewardAmount: '-1' }, /body\.rewardAmount/],
      [{ title: 'x', tags: ['trial'] }, /the hub's own/],
      [['x'], /missing|body/],
    ];
    for (const [body, says] of wrong) {
      const [code, printed] = await board('add', await put(body));
      assert.equal(code, 2);
      assert.match(printed, says);
    }
    const unpaid = { title: 'x', rewardAmount: '1', tags: ['board'] };
    assert.equal((await board('add', await put(unpaid)))[0], 0);
    await world.hub.runJob('board');
    assert.match((await board('list'))[1], /refused {2}The least reward is 1000/);
  });
});
