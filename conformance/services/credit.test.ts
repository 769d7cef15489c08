import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { houseAccount } from '../../domain/account.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import type { Agent } from '../harness/agents.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, publish, type Body } from '../tasks/_work.ts';
import {
  accountOf,
  bookOf,
  borrow,
  deliver,
  deposit,
  earn,
  giveBack,
  held,
  loansOf,
  move,
  refused,
  spendableOf,
  SUITE_MS_MAX,
} from './_lend.ts';

const CREDIT = houseAccount('hub:credit');
/** The first limit that one point of standing gives. */
const FIRST_KARMA = 3_970_000;

for (const [name, url] of DATABASES) {
  describe(`services.credit (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '900000000');
    });
    after(() => world.close());

    describe('lends', () => {
      it('a third of the reward, spendable at once, with 2% on top of the debt', async () => {
        const bob = await world.agent();
        const { taskId } = await held(world.alice, bob);
        const loan = mustOk(await borrow(bob, taskId));
        const { id, takenAt, transferId, next, ...rest } = loan;
        assert.deepEqual(rest, {
          borrower: bob.account,
          taskId,
          state: 'open',
          principal: '330000',
          origination: '6600',
          debt: '336600',
          outstanding: '336600',
          asset: 'USDC',
          network: 'sandbox',
          credit: { limit: '3300000', outstanding: '330000', available: '2970000' },
          repeated: false,
        });
        assert.equal(takenAt, new Date(world.hub.clock.now()).toISOString());
        assert.deepEqual((next as Body[])[0]?.['action'], 'tasks.submit');
        assert.equal(await spendableOf(bob), '330000');
        const page = mustOk(await bob.get(`/api/v1/wallet/${bob.account}/statement`));
        assert.deepEqual(
          ['reason', 'direction', 'counterparty', 'ref', 'transferId'].map((each) =>
            at(page, 'entries', 0, each),
          ),
          ['loan.advance', 'in', CREDIT, { kind: 'loan', id }, transferId],
        );
        assert.deepEqual(await loansOf(bob), [
          {
            id,
            taskId,
            state: 'open',
            principal: '330000',
            outstanding: '336600',
            asset: 'USDC',
            network: 'sandbox',
            takenAt,
          },
        ]);
      });

      it('what is wanted, and lowers what is too much', async () => {
        const bob = await world.agent();
        const first = await held(world.alice, bob);
        const small = mustOk(await borrow(bob, first.taskId, { wantedAtomic: '50000' }));
        assert.deepEqual([small['principal'], small['origination']], ['50000', '1000']);
        const second = await held(world.alice, bob);
        const large = mustOk(await borrow(bob, second.taskId, { wantedAtomic: '500000' }));
        assert.equal(large['principal'], '330000');
        assert.equal(at(large, 'credit', 'outstanding'), '380000');
      });

      it('one loan for a key, however often and at once it is asked', async () => {
        const bob = await world.agent();
        const { taskId } = await held(world.alice, bob);
        const body = { idempotencyKey: 'loan-1' };
        const answers = await Promise.all([1, 2, 3].map(() => borrow(bob, taskId, body)));
        const ids = new Set(answers.map((answer) => mustOk(answer)['id']));
        assert.equal(ids.size, 1);
        assert.equal(answers.filter((answer) => answer.body['repeated'] === false).length, 1);
        assert.equal(await spendableOf(bob), '330000');
        const other = await borrow(bob, taskId, { ...body, wantedAtomic: '1' });
        mustRefuse(other, 400, 'idempotency-mismatch');
      });

      it('one loan for a task, when two ask at once without a key', async () => {
        const bob = await world.agent();
        const { taskId } = await held(world.alice, bob);
        const answers = await Promise.all([borrow(bob, taskId), borrow(bob, taskId)]);
        assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
        assert.equal(await spendableOf(bob), '330000');
      });

      it('nothing to any account but the signer', async () => {
        const bob = await world.agent();
        const { taskId } = await held(world.alice, bob);
        const body = { borrower: bob.account, taskId };
        mustRefuse(await world.alice.post('/api/v1/services/credit', body), 401, 'wrong-owner');
        mustRefuse(await world.anyone.post('/api/v1/services/credit', body), 401, 'unsigned');
      });
    });

    describe('collects first', () => {
      it('its part of the settlement, and the limit grows by a tenth of the principal', async () => {
        const bob = await world.agent();
        const claim = await held(world.alice, bob);
        mustOk(await borrow(bob, claim.taskId));
        const economics = await world.anyone.get(`/api/v1/tasks/${claim.taskId}/economics`);
        assert.deepEqual(at(mustOk(economics), 'plan'), {
          reward: '1000000',
          hub: '30000',
          judges: '0',
          loan: '0',
          worker: '970000',
          asset: 'USDC',
          network: 'sandbox',
        });
        const before = await bookOf(world);
        const paid = mustOk(await deliver(bob, claim));
        assert.deepEqual(
          [at(paid, 'split', 'loan'), at(paid, 'split', 'worker')],
          ['336600', '633400'],
        );
        assert.equal(await spendableOf(bob), `${330_000 + 633_400}`);
        assert.deepEqual(await loansOf(bob), []);
        assert.deepEqual(await entriesOf(bob), [
          ['loan.advance', 'in', '330000'],
          ['task.reward', 'in', '970000'],
          ['loan.repay', 'out', '330000'],
          ['loan.origination', 'out', '6600'],
        ]);
        const open = await world.anyone.get(`/api/v1/tasks/${claim.taskId}/economics`);
        assert.deepEqual(
          (at(mustOk(open), 'settled') as Body[])
            .map(({ why, amount }) => `${String(why)} ${String(amount)}`)
            .sort(),
          ['task.fee.hub 30000', 'task.reward 970000'],
          'the loan is between the borrower and the hub',
        );
        const after = await bookOf(world);
        const gained = (figure: string) => Number(after[figure]) - Number(before[figure]);
        assert.deepEqual(
          ['repaid', 'open', 'origination', 'available'].map(gained),
          [330_000, -330_000, 6_600, 330_000],
        );
        const next = await held(world.alice, bob);
        const credit = mustOk(await borrow(bob, next.taskId))['credit'];
        assert.equal(at(credit, 'limit'), `${FIRST_KARMA + 33_000}`);
      });

      it('its part from the signer before any payee', async () => {
        const [bob, carol] = [await world.agent(), await world.agent()];
        const { id: taskId } = await publish(world.alice, {
          acceptance: { kind: 'contains', values: ['done'] },
          disputeWindowSeconds: 0,
        });
        const body = { agentId: bob.account, payee: carol.account };
        const { claimToken } = mustOk(await act(bob, taskId, 'claim', body));
        mustOk(await borrow(bob, taskId));
        mustOk(await deliver(bob, { taskId, claimToken: String(claimToken) }));
        assert.deepEqual([await spendableOf(bob), await spendableOf(carol)], ['330000', '633400']);
      });

      it('its part when the dispute window is over, which the acceptance shows already', async () => {
        const bob = await world.agent();
        const claim = await held(world.alice, bob, { disputeWindowSeconds: 3_600 });
        mustOk(await borrow(bob, claim.taskId));
        const accepted = mustOk(await deliver(bob, claim));
        assert.deepEqual(
          [accepted['state'], at(accepted, 'split', 'loan')],
          ['accepted', '336600'],
        );
        assert.equal((await loansOf(bob))[0]?.['state'], 'open');
        const wallet = mustOk(await bob.get(`/api/v1/wallet/${bob.account}`));
        assert.equal(at(wallet, 'inFlight', 'payouts'), '633400');
        world.hub.clock.advance(3_600);
        await world.hub.runJob('payoutRelease');
        assert.equal(await spendableOf(bob), `${330_000 + 633_400}`);
        assert.deepEqual(await loansOf(bob), []);
      });

      it('a fee without a loan grows the limit by all of it', async () => {
        const bob = await world.agent();
        await earn(world.alice, bob);
        const { taskId } = await held(world.alice, bob);
        assert.equal(
          at(mustOk(await borrow(bob, taskId)), 'credit', 'limit'),
          `${FIRST_KARMA + 30_000}`,
        );
      });
    });

    describe('is due once the claim ends unpaid', () => {
      const ends: readonly (readonly [
        string,
        (claim: Parameters<typeof deliver>[1]) => Promise<void>,
      ])[] = [
        ['given back', async (claim) => void mustOk(await giveBack(world.bob, claim))],
        [
          'refused by the rule',
          async (claim) => void mustOk(await deliver(world.bob, claim, { result: 'no' })),
        ],
        [
          'lapsed',
          async () => {
            world.hub.clock.advance(1_800);
            await world.hub.runJob('leaseExpiry');
          },
        ],
      ];
      for (const [how, end] of ends) {
        it(`${how}: what is spendable is taken at once`, async () => {
          const { alice, bob } = world;
          await world.fund(bob, '100000');
          const before = Number(await spendableOf(bob));
          const claim = await held(alice, bob);
          mustOk(await borrow(bob, claim.taskId));
          await end(claim);
          assert.equal(Number(await spendableOf(bob)), before - 6_600);
          assert.deepEqual(await loansOf(bob), []);
        });
      }

      it('rejected by the requester', async () => {
        const bob = await world.agent();
        await world.fund(bob, '6600');
        const claim = await held(world.alice, bob, {
          acceptance: undefined,
          verification: 'requester',
        });
        mustOk(await borrow(bob, claim.taskId));
        mustOk(await deliver(bob, claim));
        assert.equal((await loansOf(bob))[0]?.['state'], 'open', 'it waits for a decision');
        const no = { requester: world.alice.account, reason: 'no' };
        mustOk(await act(world.alice, claim.taskId, 'reject', no));
        assert.deepEqual([await spendableOf(bob), await loansOf(bob)], ['0', []]);
      });

      it('takes the rest from the next settlement, whatever task it is of', async () => {
        const bob = await world.agent();
        const lost = await held(world.alice, bob);
        mustOk(await borrow(bob, lost.taskId));
        const carol = await world.agent();
        const gift = { to: carol.account, amount: '300000', idempotencyKey: 'gift' };
        mustOk(await bob.post(`/api/v1/wallet/${bob.account}/pay`, gift));
        mustOk(await giveBack(bob, lost));
        const [due] = await loansOf(bob);
        assert.deepEqual([due?.['state'], due?.['outstanding']], ['due', '306600']);
        assert.equal(await spendableOf(bob), '0');
        const next = await held(world.alice, bob);
        refused(
          await borrow(bob, next.taskId),
          'loan-open',
          /is due; 306600 of it are unpaid/,
          /collected from your next settlements/,
        );
        assert.equal(at(mustOk(await deliver(bob, next)), 'split', 'loan'), '306600');
        assert.deepEqual([await loansOf(bob), await spendableOf(bob)], [[], '663400']);
        const again = await held(world.alice, bob);
        const { credit } = mustOk(await borrow(bob, again.taskId));
        assert.equal(at(credit, 'limit'), `${FIRST_KARMA + 30_000 + 6_600}`);
      });

      it('takes money that comes in later, before it is a default', async () => {
        const bob = await world.agent();
        const lost = await held(world.alice, bob);
        mustOk(await borrow(bob, lost.taskId));
        mustOk(await giveBack(bob, lost));
        assert.equal((await loansOf(bob))[0]?.['outstanding'], '6600');
        await world.fund(bob, '6000');
        await world.hub.runJob('loanCollection');
        assert.equal((await loansOf(bob))[0]?.['outstanding'], '600');
        await world.fund(bob, '1000');
        const next = await held(world.alice, bob);
        mustOk(await borrow(bob, next.taskId));
        assert.equal(await spendableOf(bob), `${400 + 330_000}`, 'the call itself collects');
      });
    });

    describe('refuses', () => {
      it('no-live-claim: it is unheld or held by another, it is unpaid, the lease is short', async () => {
        const bob = await world.agent();
        const open = await publish(world.alice);
        const hint = /tasks\/[\w-]{36}\/claim/;
        refused(await borrow(bob, open.id), 'no-live-claim', /You do not hold this task/, hint);
        const taken = await held(world.alice, await world.agent());
        refused(await borrow(bob, taken.taskId), 'no-live-claim', /You do not hold/, hint);
        const unpaid = await held(world.alice, bob, { rewardAmount: undefined });
        refused(
          await borrow(bob, unpaid.taskId),
          'no-live-claim',
          /no reward to advance/,
          /Claim a task with a reward/,
        );
        const short = await held(world.alice, bob);
        world.hub.clock.advance(1_501);
        refused(
          await borrow(bob, short.taskId),
          'no-live-claim',
          /an advance needs 300 seconds of it/,
          new RegExp(`Renew the lease: .POST /api/v1/tasks/${short.taskId}/claim`),
        );
        mustOk(await act(bob, short.taskId, 'claim', { agentId: bob.account }));
        mustOk(await borrow(bob, short.taskId));
        world.hub.clock.advance(1_800);
        mustRefuse(await borrow(bob, short.taskId), 400, 'no-live-claim');
      });

      it('limit-zero: a standing below zero', async () => {
        const bob = await world.agent();
        await held(world.alice, bob);
        world.hub.clock.advance(1_800);
        await world.hub.runJob('leaseExpiry');
        const { taskId } = await held(world.alice, bob);
        refused(
          await borrow(bob, taskId),
          'limit-zero',
          /Your standing is -5; below 0 it gives no credit/,
          /until your standing is 0 again/,
        );
      });

      it('loan-open: the task carries one already', async () => {
        const bob = await world.agent();
        const { taskId } = await held(world.alice, bob);
        mustOk(await borrow(bob, taskId));
        refused(
          await borrow(bob, taskId),
          'loan-open',
          /already carries a loan of 330000/,
          /GET \/api\/v1\/me. lists open loans/,
        );
      });

      it('over-limit: the limit is used up', async () => {
        const bob = await world.agent();
        const first = await held(world.alice, bob, { rewardAmount: '40000000' });
        const { credit } = mustOk(await borrow(bob, first.taskId));
        assert.deepEqual(credit, { limit: '3300000', outstanding: '3300000', available: '0' });
        const second = await held(world.alice, bob);
        refused(
          await borrow(bob, second.taskId),
          'over-limit',
          /Your limit on sandbox is 3300000, and 3300000 of it are lent/,
          /Deliver a task that carries a loan/,
        );
      });

      it('below-minimum, not-found and bad-amount', async () => {
        const bob = await world.agent();
        const { taskId } = await held(world.alice, bob);
        refused(
          await borrow(bob, taskId, { wantedAtomic: '0' }),
          'below-minimum',
          /at least 1 atomic unit/,
          /Leave wantedAtomic out/,
        );
        mustRefuse(await borrow(bob, taskId, { wantedAtomic: '01' }), 400, 'bad-amount');
        const nowhere = '00000000-0000-4000-8000-000000000000';
        mustRefuse(await borrow(bob, nowhere), 404, 'not-found');
      });

      it('limit-zero, then credit-unavailable, then lends what real fees earned', async () => {
        const bob = await world.agent();
        const { alice } = world;
        const real = { network: 'base' };
        await deposit(world, accountOf(alice), 5_000_000n);
        const first = await held(alice, bob, real);
        refused(
          await borrow(bob, first.taskId),
          'limit-zero',
          /Your limit on base is 0\./,
          /It grows with the hub fee/,
        );
        mustOk(await deliver(bob, first));
        const second = await held(alice, bob, real);
        refused(
          await borrow(bob, second.taskId),
          'credit-unavailable',
          /hub:credit has 0 on base/,
          /Work without an advance/,
        );
        await deposit(world, CREDIT, 1_000n);
        refused(
          await borrow(bob, second.taskId),
          'credit-unavailable',
          /hub:credit has 1000 on base/,
          /"wantedAtomic": "500" at most/,
        );
        await deposit(world, CREDIT, 99_000n);
        const loan = mustOk(await borrow(bob, second.taskId));
        assert.deepEqual(
          [loan['principal'], loan['origination'], loan['credit']],
          ['30000', '600', { limit: '30000', outstanding: '30000', available: '0' }],
        );
        assert.equal((await bookOf(world, 'base'))['open'], '30000');
        mustOk(await deliver(bob, second));
      });
    });

    it('is collected once under concurrent requests', async () => {
      const bob = await world.agent();
      const claims = await Promise.all([1, 2, 3].map(() => held(world.alice, bob)));
      for (const { taskId } of claims) mustOk(await borrow(bob, taskId));
      const pay = (n: number) =>
        bob.post(`/api/v1/wallet/${bob.account}/pay`, {
          to: world.alice.account,
          amount: '200000',
          idempotencyKey: `race-${n}`,
        });
      const [a, b, c] = claims;
      assert.ok(a !== undefined && b !== undefined && c !== undefined);
      const answers = await Promise.all([
        giveBack(bob, a),
        pay(1),
        deliver(bob, b),
        world.hub.runJob('loanCollection'),
        giveBack(bob, c),
        pay(2),
        world.hub.runJob('loanCollection'),
      ]);
      for (const answer of answers) assert.ok(answer === undefined || answer.status < 500);
      const book = await bookOf(world);
      const parts = ['repaid', 'open', 'due', 'defaulted'].map((part) =>
        BigInt(String(book[part])),
      );
      assert.equal(
        parts.reduce((sum, part) => sum + part, 0n),
        BigInt(String(book['advanced'])),
      );
    });

    it('starts at nothing in play money', async () => {
      const bob = await world.agent();
      const [from, to] = [houseAccount('hub:demand'), accountOf(world.alice)];
      await move(world, 'play', { from, to, amount: 2_000_000n, reason: 'pay' });
      const { taskId } = await held(world.alice, bob, { network: 'play' });
      mustRefuse(await borrow(bob, taskId), 400, 'limit-zero');
    });
  });
}

/** Returns the entries of the statement, the oldest first. */
async function entriesOf(agent: Agent): Promise<readonly unknown[]> {
  const { entries } = mustOk(await agent.get(`/api/v1/wallet/${agent.account}/statement`));
  return (entries as Body[])
    .map(({ reason, direction, amount }) => [reason, direction, amount])
    .reverse();
}
