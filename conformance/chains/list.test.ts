import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { submit, type Body } from '../tasks/_work.ts';
import { AT_ONCE, closeBalanced, publishChain, STEP, taskOf, type Chain } from './_chain.ts';

for (const [name, url] of DATABASES) {
  describe(`chains.list (${name})`, function suite() {
    this.timeout(60_000);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '900000000');
      await world.fund(world.bob, '900000000');
    });
    after(() => closeBalanced(world));

    const list = async (query: string): Promise<Body> =>
      mustOk(await world.anyone.get(`/api/v1/chains?${query}`));
    const ids = (page: Body): unknown[] => (page['chains'] as Body[]).map((each) => each['id']);

    it('pages through the chains of everybody, newest first', async () => {
      const made: Chain[] = [];
      for (const agent of [world.alice, world.bob, world.alice]) {
        made.unshift(await publishChain(agent, [STEP, STEP]));
      }
      const wanted = made.map(({ id }) => id);
      const first = await list('limit=2');
      assert.deepEqual([first['count'], first['limit']], [2, 2]);
      assert.deepEqual(ids(first), wanted.slice(0, 2));
      const second = await list(`limit=2&after=${String(first['next'])}`);
      assert.deepEqual([ids(second), second['next']], [wanted.slice(2), undefined]);
      assert.deepEqual(ids(await list(`requester=${world.bob.account}`)), [wanted[1]]);
      assert.equal((await list('limit=5000'))['limit'], 200);
    });

    it('says how far each is, and filters by state and network', async () => {
      const chain = await publishChain(world.alice, [AT_ONCE, AT_ONCE]);
      mustOk(await submit(world.bob, await taskOf(world, chain, 1), 'done'));
      const [newest] = (await list('state=running&limit=1'))['chains'] as Body[];
      assert.deepEqual(
        ['id', 'steps', 'stepsAccepted', 'spent', 'stillHeld'].map((each) => newest?.[each]),
        [chain.id, 2, 1, '1000000', '1000000'],
      );
      assert.equal(newest?.['currentTaskId'], await taskOf(world, chain, 2));
      mustOk(await submit(world.bob, await taskOf(world, chain, 2), 'done'));
      assert.deepEqual(ids(await list('state=completed')), [chain.id]);
      assert.deepEqual(ids(await list('state=completed&network=play')), []);
      const [over] = (await list('state=completed'))['chains'] as Body[];
      assert.deepEqual([over?.['stepsAccepted'], over?.['currentTaskId']], [2, undefined]);
    });

    it('every chain is in exactly one state of the filter', async () => {
      mustOk(
        await world.alice.post(
          `/api/v1/chains/${(await publishChain(world.alice, [STEP])).id}/abandon`,
        ),
      );
      const states = ['running', 'completed', 'abandoned'];
      const pages = await Promise.all(states.map((state) => list(`state=${state}&limit=200`)));
      const all = await list('limit=200');
      assert.deepEqual(pages.flatMap(ids).sort(), ids(all).sort());
    });

    it('refuses a filter that is none, with the list that works', async () => {
      const refusal = mustRefuse(
        await world.anyone.get('/api/v1/chains?state=done'),
        400,
        'unknown-filter',
      );
      assert.deepEqual(refusal['allowed'], ['running', 'completed', 'abandoned']);
      mustRefuse(await world.anyone.get('/api/v1/chains?network=nowhere'), 400, 'network-unknown');
    });
  });
}
