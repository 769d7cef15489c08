import assert from 'node:assert/strict';
import { linkOf } from '../../db/connection.ts';
import { WORDS } from '../../db/migrate.ts';
import { workerFigures } from '../../db/migrations/0062_worker_figures.ts';
import type { Agent } from '../harness/agents.ts';
import { DATABASES } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { decide } from '../operator/_operator.ts';
import { link } from '../predictions/_markets.ts';
import { act, claim, publish, RULE, type Body } from './_work.ts';

for (const [name, url] of DATABASES) {
  describe(`tasks.workers (${name})`, () => {
    let world: Fixture;
    let fast: Agent;
    let slow: Agent;
    before(async function start() {
      this.timeout(60_000);
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '1000000000');
      await world.fund(world.bob, '1000000000');
      [fast, slow] = [await world.agent(), await world.agent()];
    });
    after(() => world.close());

    /** Publishes, has it done after some seconds, and waives the wait for the payout. */
    const pay = async (from: Agent, to: Agent, over: Body = {}, seconds = 0): Promise<string> => {
      const { id } = await publish(from, { acceptance: RULE, ...over });
      const claimToken = await claim(to, id);
      world.hub.clock.advance(seconds);
      mustOk(await act(to, id, 'submit', { claimToken, result: 'done' }));
      mustOk(await act(from, id, 'accept', { requester: from.account }));
      return id;
    };
    const found = async (query: string): Promise<readonly Body[]> => {
      const body = mustOk(await world.anyone.get(`/api/v1/workers${query}`));
      assert.equal(body['count'], (body['workers'] as Body[]).length);
      return body['workers'] as Body[];
    };
    const accounts = async (query: string): Promise<readonly unknown[]> =>
      (await found(query)).map(({ account }) => account);

    it('has the figures of a worker with the payment, by skill, tag and all work', async () => {
      const { alice, bob } = world;
      await pay(
        alice,
        fast,
        { requiredSkills: ['OCR'], tags: ['tables'], rewardAmount: '5000' },
        30,
      );
      await pay(bob, slow, { tags: ['ocr'], rewardAmount: '9000' }, 600);
      await pay(alice, slow, { tags: ['audio'], rewardAmount: '7000' }, 60);
      assert.deepEqual(await accounts('?skill=ocr'), [slow.account, fast.account]);
      assert.deepEqual(await accounts('?skill=Tables'), [fast.account]);
      assert.deepEqual(await accounts('?skill=alchemy'), []);
      const [first, second] = await found('');
      assert.deepEqual(
        [first?.['account'], first?.['earned'], first?.['paid']],
        [slow.account, '16000', 2],
      );
      assert.deepEqual(
        [second?.['medianReward'], second?.['medianDeliverySeconds'], second?.['acceptedBps']],
        ['5000', 30, 10_000],
      );
      assert.deepEqual([second?.['liveClaims'], second?.['free'], second?.['karma']], [0, true, 1]);
    });

    it('sorts and filters by price, speed, part accepted and availability', async () => {
      assert.deepEqual(await accounts('?skill=ocr&sort=price'), [fast.account, slow.account]);
      assert.deepEqual(await accounts('?skill=ocr&sort=speed'), [fast.account, slow.account]);
      assert.deepEqual(await accounts('?skill=ocr&maxPrice=5000'), [fast.account]);
      assert.deepEqual(await accounts('?minPaid=2'), [slow.account]);
      const { id } = await publish(world.alice, { acceptance: RULE, tags: ['ocr'] });
      await claim(slow, id);
      world.hub.clock.advance(1_800);
      await world.hub.runJob('leaseExpiry');
      const [one] = await found('?skill=ocr&sort=accepted&limit=1');
      assert.equal(one?.['account'], fast.account);
      assert.deepEqual(await accounts('?skill=ocr&minAcceptedBps=5001'), [fast.account]);
      const lapsed = (await found('?skill=ocr')).find(({ account }) => account === slow.account);
      assert.deepEqual([lapsed?.['lapsed'], lapsed?.['acceptedBps']], [1, 5_000]);
      await claim(slow, (await publish(world.alice, { acceptance: RULE })).id);
      assert.deepEqual(await accounts('?free=false'), [slow.account], 'karma below 0 holds one');
      assert.deepEqual(await accounts('?free=true'), [fast.account]);
    });

    it('turns pages by place and refuses an unknown network', async () => {
      const page = mustOk(await world.anyone.get('/api/v1/workers?limit=1'));
      assert.deepEqual([page['hasMore'], page['nextCursor']], [true, '1']);
      assert.deepEqual(await accounts('?limit=1&cursor=1'), [fast.account]);
      assert.deepEqual(await accounts('?cursor=999'), []);
      assert.deepEqual(await accounts('?network=play'), []);
      mustRefuse(await world.anyone.get('/api/v1/workers?network=moon'), 400, 'network-unknown');
      for (const query of [
        'sort=karma',
        'minPaid=0',
        'maxPrice=-1',
        'skill=',
        'minAcceptedBps=x',
      ]) {
        assert.equal((await world.anyone.get(`/api/v1/workers?${query}`)).status, 400, query);
      }
    });

    it('counts no work between linked accounts, nor a fourth task of one requester', async () => {
      const { alice } = world;
      const [friend, regular] = [await world.agent(), await world.agent()];
      const over = { acceptance: RULE, tags: ['friends'], rewardAmount: '5000' };
      const { id } = await publish(alice, over);
      const claimToken = await claim(friend, id);
      await link(world, alice, friend);
      mustOk(await act(friend, id, 'submit', { claimToken, result: 'done' }));
      mustOk(await act(alice, id, 'accept', { requester: alice.account }));
      assert.deepEqual(await accounts('?skill=friends'), []);
      for (let nth = 0; nth < 4; nth += 1) {
        await pay(alice, regular, { tags: ['regular'], rewardAmount: '5000' });
      }
      const [only] = await found('?skill=regular');
      assert.deepEqual([only?.['paid'], only?.['earned'], only?.['requesters']], [3, '15000', 1]);
    });

    it('shows workers beside the listings of a task', async () => {
      const task = await publish(world.alice, { requiredSkills: ['ocr'], tags: ['tables'] });
      const body = mustOk(await world.anyone.get(`/api/v1/tasks/${task.id}/matches`));
      assert.deepEqual(
        (body['workers'] as Body[]).map(({ account }) => account),
        [fast.account, slow.account],
      );
      const own = await publish(world.alice, { tags: ['alchemy'] });
      const none = mustOk(await world.anyone.get(`/api/v1/tasks/${own.id}/matches`));
      assert.deepEqual(none['workers'], []);
      const next = await world.anyone.get(`/api/v1/tasks/${task.id}/matches?cursor=1`);
      assert.equal(mustOk(next)['workers'], undefined);
    });

    it('settles one worker from many tasks at once to the right counts', async () => {
      const busy = await world.agent();
      const requesters = await Promise.all(Array.from({ length: 6 }, () => world.agent()));
      await Promise.all(requesters.map((each) => world.fund(each, '100000')));
      await Promise.all(
        requesters.map(async (each) => {
          const { id } = await publish(each, {
            acceptance: RULE,
            rewardAmount: '2000',
            tags: ['busy'],
            mode: 'open',
            disputeWindowSeconds: 0,
          });
          mustOk(await act(busy, id, 'solution', { agentId: busy.account, result: 'done' }));
        }),
      );
      const [figures] = await found('?skill=busy');
      assert.deepEqual([figures?.['paid'], figures?.['earned']], [6, '12000']);
    });

    it('has the same rows when its migration makes them of the attempts', async () => {
      const { store } = world.hub.running.hub;
      const rows = await store.write(async (tx) => {
        const all = (): Promise<readonly Body[]> =>
          tx.knex('worker_figures').select<Body[]>('*').orderBy(['worker', 'network', 'label']);
        const before = await all();
        await tx.knex.raw('DROP TABLE worker_figures');
        await workerFigures.up(tx.knex, WORDS[linkOf(tx).dialect]);
        return [before, await all()].map((each) =>
          each.map(({ changes: _, recent, ...row }) => ({
            ...row,
            // Attempts that ended in one moment have no order of their own.
            recent: (JSON.parse(String(recent)) as unknown[])
              .map((each) => JSON.stringify(each))
              .sort(),
          })),
        );
      });
      assert.ok((rows[0]?.length ?? 0) >= 10);
      assert.deepEqual(rows[1], rows[0]);
    });

    it('forgets an account that was erased, and leaves out one that was banned', async () => {
      mustOk(await fast.post(`/api/v1/wallet/${fast.account}/erase`, { confirm: 'erase' }));
      assert.ok(!(await accounts('')).includes(fast.account));
      assert.ok((await accounts('')).includes(slow.account));
      await decide([world], 'ban', slow.keyId, 'Fraud.');
      assert.ok(!(await accounts('')).includes(slow.account));
    });
  });
}
