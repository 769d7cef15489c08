import assert from 'node:assert/strict';
import { houseAccount, parseAccount } from '../../domain/account.ts';
import type { Account } from '../../domain/account.ts';
import { recordInside } from '../../workflows/karma/record.ts';
import { DATABASES } from '../harness/databases.ts';
import { mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { move } from '../services/_lend.ts';
import { act, publish, read, submit } from './_work.ts';

const START_MS_MAX = 30_000;
function account(name: string): Account {
  return parseAccount(name) ?? assert.fail('an account');
}

/** A worker sees beforehand how the requester treated those before it. */
for (const [name, url] of DATABASES) {
  describe(`a requester's record beside the reward (${name})`, () => {
    let world: Fixture;
    before(async function start() {
      this.timeout(START_MS_MAX);
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '50000000');
    });
    after(() => world.close());

    const record = async (id: string): Promise<unknown> =>
      (await read(world, id))['requesterRecord'];

    it('counts what it posted, paid and left undecided, and its median time to decide', async () => {
      const { alice, bob, hub } = world;
      const requester = alice.account;
      const first = await publish(alice);
      const none = { posted: 1, paid: 0, undecided: 0, disputesLost: 0 };
      assert.deepEqual(await record(first.id), none);

      const hours: readonly (readonly [number, 'accept' | 'reject'])[] = [
        [1, 'accept'],
        [5, 'reject'],
        [2.505, 'accept'],
      ];
      for (const [waited, verdict] of hours) {
        const task = await publish(alice);
        mustOk(await submit(bob, task.id, 'x'));
        hub.clock.advance(waited * 3_600);
        const body = verdict === 'reject' ? { requester, reason: 'no' } : { requester };
        mustOk(await act(alice, task.id, verdict, body));
      }
      const waiting = await publish(alice);
      mustOk(await submit(bob, waiting.id, 'x'));
      const seen = { posted: 5, paid: 2, undecided: 1, disputesLost: 0 };
      assert.deepEqual(await record(first.id), { ...seen, medianHoursToDecide: 2.51 });
      hub.clock.advance(10 * 86_400);
      const last = await publish(alice);
      assert.equal((await read(world, waiting.id))['state'], 'expired');
      const ignored = { ...seen, posted: 6, medianHoursToDecide: 2.51 };
      assert.deepEqual(await record(last.id), ignored, 'an ignored result stays undecided');
    });

    it('is of rewarded work alone, and of the network of the reward', async () => {
      const { bob } = world;
      const carol = await world.agent();
      const unpaid = await publish(carol, { rewardAmount: undefined });
      assert.equal(await record(unpaid.id), undefined);
      mustOk(await submit(bob, unpaid.id, 'x'));
      await world.fund(carol, '5000000');
      const from = houseAccount('external:issuance');
      await move(world, 'play', {
        from,
        to: account(carol.account),
        amount: 1_000_000n,
        reason: 'issue',
      });
      await publish(carol, { network: 'play' });
      const task = await publish(carol);
      const own = { posted: 1, paid: 0, undecided: 0, disputesLost: 0 };
      assert.deepEqual(await record(task.id), own);
    });

    it('counts the disputes that were ruled against it', async () => {
      const { bob, hub } = world;
      await world.fund(bob, '5000000');
      const task = await publish(bob);
      const { running } = hub;
      const lost = ['one', 'two'].map((occasion) => ({
        subject: account(bob.account),
        reason: 'dispute.lost' as const,
        ref: { kind: 'dispute' as const, id: occasion },
        occasion,
      }));
      const cause = { at: hub.clock.now(), network: 'sandbox' as const };
      await running.hub.store.write((tx) => recordInside(tx, running.hub, lost, cause));
      const own = { posted: 1, paid: 0, undecided: 0, disputesLost: 2 };
      assert.deepEqual(await record(task.id), own);
    });
  });
}
