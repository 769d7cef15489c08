import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { SUITE_MS_MAX } from '../services/_lend.ts';
import { limitedKey } from '../wallet/_policies.ts';
import { act, claim, money, read, submit, type Body } from '../tasks/_work.ts';
import { AT_ONCE, closeBalanced, publishChain, readChain, stand, STEP, taskOf } from './_chain.ts';

const ONE = { sameWorker: true };
const DAY = 86_400;

for (const [name, url] of DATABASES) {
  describe(`milestones of one worker (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '900000000');
    });
    after(() => closeBalanced(world));

    const claimBy = (agent: Fixture['bob'], id: string) =>
      act(agent, id, 'claim', { agentId: agent.account });

    it('are held in full, and say before the work what their deadlines do', async () => {
      const steps = [STEP, { ...STEP, deadlineSeconds: 3_600 }];
      const chain = await publishChain(world.alice, steps, ONE);
      assert.deepEqual(
        [chain['sameWorker'], chain['opensNext'], chain['worker'], chain['stillHeld']],
        [true, 'paid', undefined, '2000000'],
      );
      assert.equal(at(chain, 'atDeadline', 'undecided'), 'returned');
      assert.match(String(at(chain, 'atDeadline', 'says')), /goes back to the requester/);
      assert.deepEqual(
        chain.steps.map((step) => step['deadlineSeconds']),
        [604_800, 3_600],
      );
      const plain = await publishChain(world.alice, [STEP]);
      assert.deepEqual([plain['sameWorker'], plain['opensNext']], [false, 'accepted']);
    });

    it('belong to the worker of the first, and each opens when the one before is paid', async () => {
      const { alice, hub } = world;
      const [bob, carol] = [await world.agent(), await world.agent()];
      const chain = await publishChain(alice, [STEP, STEP, AT_ONCE], ONE);
      mustOk(await submit(bob, await taskOf(world, chain, 1), 'done'));
      assert.equal(await stand(world, chain), 'running 1000000/2000000/0 accepted waiting waiting');
      assert.equal((await readChain(world, chain))['worker'], bob.account);
      hub.clock.advance(DAY);
      assert.equal(await stand(world, chain), 'running 1000000/2000000/0 paid open waiting');
      const second = await taskOf(world, chain, 2);
      const refused = mustRefuse(await claimBy(carol, second), 400, 'not-chosen');
      const task = await read(world, second);
      assert.equal(at(task, 'chain', 'worker'), bob.account);
      const claims = (task['next'] as Body[]).filter(({ action }) => action === 'tasks.claim');
      assert.deepEqual(
        claims.map(({ who }) => who),
        [bob.account],
      );
      assert.match(String(refused['hint']), /POST \/api\/v1\/tasks\/claim/);
      mustOk(await submit(bob, second, 'done'));
      mustOk(await act(alice, second, 'accept', { requester: alice.account }));
      assert.equal(await stand(world, chain), 'running 2000000/1000000/0 paid paid open');
      mustOk(await submit(bob, await taskOf(world, chain, 3), 'done'));
      assert.equal(await stand(world, chain), 'completed 3000000/0/0 paid paid paid');
      assert.deepEqual(await money(bob), ['2910000', '0', '2910000']);
    });

    it('offer the queue to no other worker', async () => {
      const [bob, carol] = [await world.agent(), await world.agent()];
      const reward = { rewardAmount: '90000000' };
      const chain = await publishChain(
        world.alice,
        [
          { ...AT_ONCE, ...reward },
          { ...AT_ONCE, ...reward },
        ],
        ONE,
      );
      mustOk(await submit(bob, await taskOf(world, chain, 1), 'done'));
      const poll = { minReward: '90000000' };
      const nothing = mustOk(await carol.post('/api/v1/tasks/claim?wait=1', poll));
      assert.equal(nothing['work'], null);
      const found = mustOk(await bob.post('/api/v1/tasks/claim?wait=1', poll));
      assert.equal(at(found, 'work', 'id'), await taskOf(world, chain, 2));
    });

    it('return the rest when one misses its deadline, also while it is held', async () => {
      const { alice, hub } = world;
      const bob = await world.agent();
      const before = (await money(alice))[0];
      const steps = [AT_ONCE, { ...AT_ONCE, deadlineSeconds: 3_600 }, AT_ONCE];
      const chain = await publishChain(alice, steps, ONE);
      mustOk(await submit(bob, await taskOf(world, chain, 1), 'done'));
      await claim(bob, await taskOf(world, chain, 2));
      hub.clock.advance(3_600);
      assert.equal(await stand(world, chain), 'abandoned 1000000/0/2000000 paid expired refunded');
      assert.equal(BigInt(String(before)) - BigInt(String((await money(alice))[0])), 1_000_000n);
      const { endReason } = await readChain(world, chain);
      assert.match(String(endReason), /step 2 had no accepted result by its deadline/);
    });

    it('stay with their worker after a refusal of the rule and of the requester', async () => {
      const { alice } = world;
      const [bob, carol] = [await world.agent(), await world.agent()];
      const own = { title: 'Say', rewardAmount: '2000', verification: 'requester' };
      const chain = await publishChain(
        alice,
        [own, { ...own, acceptance: STEP['acceptance'] }],
        ONE,
      );
      const requester = alice.account;
      const first = await taskOf(world, chain, 1);
      mustOk(await submit(bob, first, 'one'));
      mustOk(await act(alice, first, 'reject', { requester, reason: 'no' }));
      mustOk(await submit(carol, first, 'two'));
      mustOk(await act(alice, first, 'accept', { requester }));
      const second = await taskOf(world, chain, 2);
      mustOk(await submit(carol, second, 'missed'));
      mustRefuse(await claimBy(bob, second), 400, 'not-chosen');
      mustOk(await submit(carol, second, 'done'));
      mustOk(await act(alice, second, 'reject', { requester, reason: 'again' }));
      mustRefuse(await claimBy(bob, second), 400, 'not-chosen');
      mustOk(await submit(carol, second, 'done better'));
      mustOk(await act(alice, second, 'accept', { requester }));
      assert.equal(await stand(world, chain), 'completed 4000/0/0 paid paid');
    });

    it('are ended by their requester alone, and what is accepted stays paid', async () => {
      const { alice, hub } = world;
      const bob = await world.agent();
      const chain = await publishChain(alice, [STEP, STEP], ONE);
      mustOk(await submit(bob, await taskOf(world, chain, 1), 'done'));
      const path = `/api/v1/chains/${chain.id}/abandon`;
      mustRefuse(await bob.post(path, { requester: bob.account }), 400, 'not-a-party');
      mustOk(await alice.post(path, { requester: alice.account }));
      assert.equal(await stand(world, chain), 'abandoned 1000000/0/1000000 accepted refunded');
      hub.clock.advance(DAY);
      assert.equal(await stand(world, chain), 'abandoned 1000000/0/1000000 paid refunded');
      assert.deepEqual(await money(bob), ['970000', '0', '970000']);
    });

    it('go on when a dispute about one is void', async () => {
      const { alice, hub } = world;
      const bob = await world.agent();
      const chain = await publishChain(alice, [STEP, STEP], ONE);
      const first = await taskOf(world, chain, 1);
      mustOk(await submit(bob, first, 'done'));
      const objection = { raisedBy: alice.account, reason: 'Copied.' };
      mustOk(await act(alice, first, 'dispute', objection));
      assert.equal(await stand(world, chain), 'running 1000000/1000000/0 disputed waiting');
      // Without a seat no arbiter is drawn, and the acceptance stands.
      hub.clock.advance(2 * DAY);
      assert.equal(await stand(world, chain), 'running 1000000/1000000/0 paid open');
    });

    it('are of one worker or of many, never of both, and obey the policy of a key', async () => {
      const { alice } = world;
      const body = (over: Body) => ({
        requester: alice.account,
        title: 'In order',
        steps: [STEP, STEP],
        ...over,
      });
      const both = body({ sameWorker: true, distinctWorkers: true });
      const refused = mustRefuse(await alice.post('/api/v1/chains', both), 400, 'not-together');
      assert.equal(refused['field'], 'body.sameWorker');
      const brief = body({ steps: [{ ...STEP, deadlineSeconds: 299 }] });
      assert.equal((await alice.post('/api/v1/chains', brief)).status, 400);
      const key = await limitedKey(world, alice, {
        perCall: '1999999',
        operations: ['chains.create'],
      });
      mustRefuse(await key.post('/api/v1/chains', body(ONE)), 400, 'policy-limit');
    });

    it('keep a linked account of their worker out as well', async () => {
      const bob = await world.agent();
      const chain = await publishChain(world.alice, [AT_ONCE, AT_ONCE], ONE);
      mustOk(await submit(bob, await taskOf(world, chain, 1), 'done'));
      const linked = await world.agent();
      const { store } = world.hub.running.hub;
      const link = { account: bob.account };
      await store.write((tx) => tx.knex('keys').where({ key_id: linked.keyId }).update(link));
      const second = await taskOf(world, chain, 2);
      const answer = await act(linked, second, 'claim', { agentId: linked.account });
      assert.equal(answer.status >= 400 && answer.status < 500, true);
      assert.equal((await read(world, second))['state'], 'open');
    });
  });
}
