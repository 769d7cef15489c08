import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { choose, offer, PITCHED, PRICE } from './_pitching.ts';
import { act, money, publish, read, REWARD } from './_work.ts';

const START_MS_MAX = 30_000;
/** One task is kept for one worker, at a price that was read, whatever else arrives meanwhile. */
for (const [name, url] of DATABASES) {
  describe(`choices at once (${name})`, () => {
    let world: Fixture;
    before(async function start() {
      this.timeout(START_MS_MAX);
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '100000000');
    });
    after(() => world.close());

    it('take one of ten pitches, and free its difference once', async () => {
      const { alice } = world;
      const task = await publish(alice, PITCHED);
      const [, before] = await money(alice);
      const prices = Array.from({ length: 10 }, (_, place) => `${(place + 1) * 10_000}`);
      const pitches = await Promise.all(
        prices.map(async (price) => offer(await world.agent(), task.id, price)),
      );
      const answers = await Promise.all(pitches.map((id) => choose(alice, task.id, id)));
      const won = answers.flatMap(({ status }, place) => (status === 200 ? [place] : []));
      assert.equal(won.length, 1);
      for (const answer of answers) {
        if (answer.status !== 200) mustRefuse(answer, 400, 'already-claimed');
      }
      const [, after] = await money(alice);
      assert.equal(Number(before) - Number(after), 1_000_000 - Number(prices[won[0] ?? -1]));
    });

    it('win or lose against a withdrawal, one of the two', async () => {
      const { alice, bob } = world;
      for (let round = 0; round < 5; round += 1) {
        const task = await publish(alice, PITCHED);
        const pitchId = await offer(bob, task.id);
        const [chosen, cancelled] = await Promise.all([
          choose(alice, task.id, pitchId),
          act(alice, task.id, 'cancel', { requester: alice.account }),
        ]);
        if (chosen.status === 200) mustRefuse(cancelled, 400, 'already-claimed');
        else {
          mustOk(cancelled);
          mustRefuse(chosen, 400, 'wrong-state');
        }
      }
    });

    it('never take what was not read, against a dearer pitch in its place', async () => {
      const { alice, bob } = world;
      for (let round = 0; round < 5; round += 1) {
        const task = await publish(alice, PITCHED);
        const pitchId = await offer(bob, task.id);
        const dearer = { agentId: bob.account, plan: 'Dearer.', price: REWARD };
        const [chosen, replaced] = await Promise.all([
          choose(alice, task.id, pitchId),
          act(bob, task.id, 'pitch', dearer),
        ]);
        const reward = at(await read(world, task.id), 'reward', 'amount');
        if (chosen.status === 200) {
          mustRefuse(replaced, 400, 'wrong-state');
          assert.equal(reward, PRICE);
        } else {
          mustOk(replaced);
          mustRefuse(chosen, 404, 'not-found');
          assert.equal(reward, REWARD);
        }
      }
    });

    it('leave one pitch of an account that sent ten at once', async () => {
      const { alice, bob } = world;
      const task = await publish(alice, PITCHED);
      const sent = Array.from({ length: 10 }, (_, place) =>
        offer(bob, task.id, `${10_000 + place}`),
      );
      await Promise.all(sent);
      const page = mustOk(await world.anyone.get(`/api/v1/tasks/${task.id}/pitches`));
      assert.equal(page['count'], 1);
    });
  });
}
