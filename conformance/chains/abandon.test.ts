import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { borrow, deliver, giveBack, loansOf, spendableOf, standingOf } from '../services/_lend.ts';
import { act, claim, money, names, read, submit, type Body } from '../tasks/_work.ts';
import {
  AT_ONCE,
  closeBalanced,
  publishChain,
  readChain,
  stand,
  STEP,
  taskOf,
  type Chain,
} from './_chain.ts';

const DAY = 86_400;
const BY_HAND: Body = { title: 'Say', rewardAmount: '1000000', verification: 'requester' };

for (const [name, url] of DATABASES) {
  describe(`chains.abandon (${name})`, function suite() {
    this.timeout(60_000);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '900000000');
    });
    after(() => closeBalanced(world));

    const abandon = ({ id }: Chain, over: Body = {}) =>
      world.alice.post(`/api/v1/chains/${id}/abandon`, {
        requester: world.alice.account,
        ...over,
      });
    const held = async (): Promise<number> => Number((await money(world.alice))[1]);

    it('refunds waiting and unclaimed steps at once and keeps accepted steps paid', async () => {
      const before = await held();
      const chain = await publishChain(world.alice, [AT_ONCE, STEP, STEP]);
      mustOk(await submit(world.bob, await taskOf(world, chain, 1), 'done'));
      const over = mustOk(await abandon(chain, { reason: 'No longer needed.' }));
      assert.deepEqual([over['endReason'], over['repeated']], ['No longer needed.', false]);
      assert.equal(
        await stand(world, chain),
        'abandoned 1000000/0/2000000 paid withdrawn refunded',
      );
      assert.equal(await held(), before);
      const second = await taskOf(world, chain, 2);
      assert.equal((await read(world, second))['state'], 'withdrawn');
      const economics = mustOk(await world.anyone.get(`/api/v1/tasks/${second}/economics`));
      const refunded = economics['refunded'] as Body;
      assert.deepEqual([refunded['amount'], refunded['why']], ['1000000', 'task.withdrawn']);
      assert.equal(names(over['next']).includes('chains.abandon'), false);
    });

    it('lets a held step finish: delivered in time, it is paid', async () => {
      const chain = await publishChain(world.alice, [AT_ONCE, STEP]);
      const taskId = await taskOf(world, chain, 1);
      const claimToken = await claim(world.bob, taskId);
      mustOk(await abandon(chain));
      assert.equal(await stand(world, chain), 'abandoned 0/1000000/1000000 held refunded');
      mustOk(await deliver(world.bob, { taskId, claimToken }));
      assert.equal(await stand(world, chain), 'abandoned 1000000/0/1000000 paid refunded');
    });

    const ends: readonly (readonly [string, (held: HeldStep) => Promise<void>])[] = [
      ['given back', async (step) => void mustOk(await giveBack(world.bob, step))],
      [
        'refused by the rule',
        async (step) => {
          const refusal = mustOk(await deliver(world.bob, step, { result: 'no' }));
          assert.deepEqual([refusal['state'], refusal['retry']], ['withdrawn', undefined]);
        },
      ],
      ['left to lapse', () => Promise.resolve(world.hub.clock.advance(1_800))],
    ];
    interface HeldStep {
      readonly taskId: string;
      readonly claimToken: string;
    }
    for (const [how, end] of ends) {
      it(`refunds a held step once it is ${how}`, async () => {
        const before = await held();
        const chain = await publishChain(world.alice, [STEP, STEP]);
        const taskId = await taskOf(world, chain, 1);
        const claimToken = await claim(world.bob, taskId);
        mustOk(await abandon(chain));
        await end({ taskId, claimToken });
        assert.equal(await stand(world, chain), 'abandoned 0/0/2000000 withdrawn refunded');
        assert.equal(await held(), before);
      });
    }

    it('leaves a delivered step to its decision, and opens nothing after it', async () => {
      const { alice, bob } = world;
      const requester = alice.account;
      const accepted = await publishChain(alice, [BY_HAND, STEP]);
      const first = await taskOf(world, accepted, 1);
      mustOk(await submit(bob, first, 'one'));
      mustOk(await abandon(accepted));
      assert.equal(await stand(world, accepted), 'abandoned 0/1000000/1000000 delivered refunded');
      mustOk(await act(alice, first, 'accept', { requester }));
      assert.equal(await stand(world, accepted), 'abandoned 1000000/0/1000000 paid refunded');

      const rejected = await publishChain(alice, [BY_HAND, STEP]);
      const other = await taskOf(world, rejected, 1);
      mustOk(await submit(bob, other, 'one'));
      mustOk(await abandon(rejected));
      const body = { requester, reason: 'no' };
      mustOk(await act(alice, other, 'reject', body));
      assert.equal(await stand(world, rejected), 'abandoned 0/0/2000000 withdrawn refunded');
    });

    it('happens by itself when a step is not accepted by its deadline', async () => {
      const before = await held();
      const chain = await publishChain(world.alice, [AT_ONCE, STEP, STEP]);
      mustOk(await submit(world.bob, await taskOf(world, chain, 1), 'done'));
      world.hub.clock.advance(7 * DAY);
      assert.equal(await stand(world, chain), 'abandoned 1000000/0/2000000 paid expired refunded');
      const { endReason } = await readChain(world, chain);
      assert.match(String(endReason), /^step 2 had no accepted result by its deadline/);
      assert.equal(await held(), before);
      mustRefuse(await abandon(chain), 400, 'wrong-state');
    });

    it('gives an undecided delivery its three days, then ends the chain', async () => {
      const chain = await publishChain(world.alice, [BY_HAND, STEP]);
      mustOk(await submit(world.bob, await taskOf(world, chain, 1), 'one'));
      world.hub.clock.advance(7 * DAY);
      assert.equal(await stand(world, chain), 'running 0/2000000/0 delivered waiting');
      world.hub.clock.advance(3 * DAY);
      assert.equal(await stand(world, chain), 'abandoned 0/0/2000000 expired refunded');
    });

    it('collects a loan on a step first, or makes it due when the step ends unpaid', async () => {
      const bob = await world.agent();
      const chain = await publishChain(world.alice, [AT_ONCE, AT_ONCE]);
      const taskId = await taskOf(world, chain, 1);
      const claimToken = await claim(bob, taskId);
      mustOk(await borrow(bob, taskId));
      mustOk(await deliver(bob, { taskId, claimToken }));
      assert.equal(await spendableOf(bob), `${330_000 + 633_400}`);
      assert.deepEqual(await loansOf(bob), []);

      const second = await taskOf(world, chain, 2);
      const token = await claim(bob, second);
      mustOk(await borrow(bob, second));
      mustOk(await abandon(chain));
      mustOk(await giveBack(bob, { taskId: second, claimToken: token }));
      assert.deepEqual(await loansOf(bob), [], 'what was spendable paid it at once');
      assert.equal(await spendableOf(bob), `${330_000 + 633_400 - 6_600}`);
      assert.equal(await stand(world, chain), 'abandoned 1000000/0/1000000 paid withdrawn');
    });

    it('is the way to end a step: its task cannot be withdrawn alone', async () => {
      const { alice } = world;
      const chain = await publishChain(alice, [STEP]);
      const taskId = await taskOf(world, chain, 1);
      assert.equal(names((await read(world, taskId))['next']).includes('tasks.cancel'), false);
      const body = mustRefuse(
        await act(alice, taskId, 'cancel', { requester: alice.account }),
        400,
        'wrong-state',
      );
      assert.match(String(body['error']), new RegExp(`/api/v1/chains/${chain.id}/abandon`));
      mustOk(await abandon(chain));
    });

    it('happens once: retried, raced by a claim, raced by itself', async () => {
      const { bob } = world;
      const once = await publishChain(world.alice, [STEP, STEP]);
      const key = { idempotencyKey: `abandon-${once.id}` };
      const first = mustOk(await abandon(once, key));
      assert.deepEqual(mustOk(await abandon(once, key)), { ...first, repeated: true });
      for (let round = 0; round < 5; round += 1) {
        const chain = await publishChain(world.alice, [STEP, STEP]);
        const taskId = await taskOf(world, chain, 1);
        const [one, two, claimed] = await Promise.all([
          abandon(chain),
          abandon(chain),
          act(bob, taskId, 'claim', { agentId: bob.account }),
        ]);
        assert.deepEqual([one.status, two.status].sort(), [200, 400]);
        if (claimed.status !== 200) {
          assert.equal(await stand(world, chain), 'abandoned 0/0/2000000 withdrawn refunded');
          continue;
        }
        assert.equal(await stand(world, chain), 'abandoned 0/1000000/1000000 held refunded');
        const claimToken = String(claimed.body['claimToken']);
        mustOk(await giveBack(bob, { taskId, claimToken }));
      }
    });

    it('has one of two orders when the step is delivered at the same time', async () => {
      const { bob } = world;
      for (let round = 0; round < 5; round += 1) {
        const chain = await publishChain(world.alice, [AT_ONCE, AT_ONCE]);
        const taskId = await taskOf(world, chain, 1);
        const claimToken = await claim(bob, taskId);
        const [ended, delivered] = await Promise.all([
          abandon(chain),
          deliver(bob, { taskId, claimToken }),
        ]);
        mustOk(ended);
        mustOk(delivered);
        const where = await stand(world, chain);
        const orders = ['paid refunded', 'paid withdrawn'];
        assert.ok(
          orders.some((each) => where === `abandoned 1000000/0/1000000 ${each}`),
          where,
        );
      }
    });

    it('is the requester’s alone, while the chain runs', async () => {
      const chain = await publishChain(world.alice, [STEP]);
      const path = `/api/v1/chains/${chain.id}/abandon`;
      mustRefuse(await world.bob.post(path, {}), 400, 'not-a-party');
      const body = { requester: world.alice.account };
      mustRefuse(await world.bob.post(path, body), 401, 'wrong-owner');
      mustRefuse(await world.anyone.post(path, body), 401, 'unsigned');
      const nowhere = '/api/v1/chains/01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90/abandon';
      mustRefuse(await world.alice.post(nowhere, {}), 404, 'not-found');
      mustOk(await world.alice.post(path));
      mustRefuse(await world.alice.post(path, {}), 400, 'wrong-state');
    });

    it('keeps the worker of a chain out of karma that only completion gives', async () => {
      const bob = await world.agent();
      const chain = await publishChain(world.alice, [AT_ONCE, STEP]);
      mustOk(await submit(bob, await taskOf(world, chain, 1), 'done'));
      mustOk(await abandon(chain));
      const { entries } = await standingOf(world, bob);
      const reasons = (entries as Body[]).map((entry) => entry['reason']);
      assert.deepEqual(reasons, ['task.paid.worker']);
    });
  });
}
