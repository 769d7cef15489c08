import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { refused } from '../services/_lend.ts';
import { karmaOf, onEachDatabase, openCourt, type PanelDriver } from '../validators/_court.ts';
import { publishChain, stand, STEP, taskOf } from '../chains/_chain.ts';
import {
  accepted,
  arbiterOf,
  DAY,
  disputed,
  disputeOf,
  object,
  rule,
  ruled,
} from './_disputing.ts';
import { events, money, publish, read, submit } from './_work.ts';

const READ = /GET \/api\/v1\/tasks\/[\w-]{36}/;

onEachDatabase('tasks.arbitrate', (url) => {
  let driver: PanelDriver;
  before(async () => {
    driver = await openCourt({ databaseUrl: await url(), judges: 3 });
  });
  after(() => driver.close());

  it('ends the dispute, the money with it, and says where the task stands', async () => {
    const { id } = await disputed(driver);
    const arbiter = await arbiterOf(driver, id);
    const body = mustOk(await rule(arbiter, id, 'rejected', { resolution: 'It is on the page.' }));
    assert.deepEqual([body['state'], body['repeated']], ['paid', false]);
    assert.deepEqual(
      ['state', 'verdict', 'resolution', 'workerShareBps'].map((each) => at(body, 'dispute', each)),
      ['ruled', 'rejected', 'It is on the page.', undefined],
    );
    assert.deepEqual((await events(driver.world, id)).slice(-1), ['dispute.ruled']);
    const task = await read(driver.world, id);
    assert.deepEqual([task['state'], task['paymentState']], ['paid', 'none']);
    const history = task['history'] as Record<string, unknown>[];
    assert.equal(history.at(-1)?.['note'], 'rejected: It is on the page.');
    const statement = mustOk(
      await arbiter.get(`/api/v1/wallet/${arbiter.account}/statement?limit=1`),
    );
    assert.deepEqual(
      [at(statement, 'entries', 0, 'reason'), at(statement, 'entries', 0, 'amount')],
      ['dispute.arbiter', '9700'],
    );
  });

  it('pays the arbiter alike whichever way it rules, in standing too', async () => {
    for (const verdict of ['upheld', 'rejected', 'split']) {
      const { id } = await disputed(driver);
      const arbiter = await arbiterOf(driver, id);
      const [before] = await money(arbiter);
      const standing = Number(await karmaOf(driver, arbiter));
      mustOk(await rule(arbiter, id, verdict));
      const [after] = await money(arbiter);
      assert.equal(Number(after) - Number(before), 9_700);
      assert.ok(Number(await karmaOf(driver, arbiter)) >= standing);
    }
  });

  it('gives a requester who was right the rest of the reward back', async () => {
    const { id, worker } = await disputed(driver);
    const [balance] = await money(worker);
    const body = await ruled(driver, id, 'upheld');
    assert.equal(body['state'], 'refunded');
    assert.deepEqual((await money(worker))[0], balance);
    const economics = mustOk(await driver.world.anyone.get(`/api/v1/tasks/${id}/economics`));
    const refunded = economics['refunded'] as Record<string, unknown>;
    assert.deepEqual([refunded['amount'], refunded['why']], ['990300', 'dispute.ruled']);
  });

  it('pays whom the worker named', async () => {
    const payee = await driver.world.agent();
    const { alice, bob } = driver.world;
    const { id } = await publish(alice, { autoAcceptSeconds: 60 });
    const claimed = await bob.post(`/api/v1/tasks/${id}/claim`, {
      agentId: bob.account,
      payee: payee.account,
    });
    const { claimToken } = mustOk(claimed);
    mustOk(await bob.post(`/api/v1/tasks/${id}/submit`, { claimToken, result: 1 }));
    driver.world.hub.clock.advance(60);
    mustOk(await object(alice, id));
    await ruled(driver, id, 'split', { workerShareBps: 5_000 });
    assert.equal((await money(payee))[0], '480150');
  });

  it('takes back what a chain spent on a step, and rewinds nothing', async () => {
    const { alice, bob } = driver.world;
    const chain = await publishChain(alice, [STEP, STEP]);
    const first = await taskOf(driver.world, chain, 1);
    mustOk(await submit(bob, first, 'done'));
    mustOk(await object(alice, first));
    assert.equal(await stand(driver.world, chain), 'running 1000000/1000000/0 disputed open');
    await ruled(driver, first, 'upheld');
    assert.equal(await stand(driver.world, chain), 'running 9700/1000000/990300 refunded open');
    const second = await taskOf(driver.world, chain, 2);
    mustOk(await submit(bob, second, 'done'));
    mustOk(await object(bob, second));
    await ruled(driver, second, 'split', { workerShareBps: 2_500 });
    assert.equal(await stand(driver.world, chain), 'completed 266975/0/1733025 refunded paid');
    const books = mustOk(await driver.world.anyone.get('/api/v1/economy/conservation'));
    assert.deepEqual(books['differences'], []);
  });

  it('ends milestones when it takes one back, and opens the next when it pays one', async () => {
    const { alice, bob } = driver.world;
    const ruledOn = async (verdict: string, over = {}): Promise<string> => {
      const chain = await publishChain(alice, [STEP, STEP], { sameWorker: true });
      const first = await taskOf(driver.world, chain, 1);
      mustOk(await submit(bob, first, 'done'));
      mustOk(await object(alice, first));
      assert.equal(await stand(driver.world, chain), 'running 1000000/1000000/0 disputed waiting');
      await ruled(driver, first, verdict, over);
      return stand(driver.world, chain);
    };
    assert.equal(await ruledOn('upheld'), 'abandoned 9700/0/1990300 refunded refunded');
    assert.equal(await ruledOn('rejected'), 'running 1000000/1000000/0 paid open');
    const books = mustOk(await driver.world.anyone.get('/api/v1/economy/conservation'));
    assert.deepEqual(books['differences'], []);
  });

  it('is once: retried under its key, or refused', async () => {
    const { id, worker } = await disputed(driver);
    const arbiter = await arbiterOf(driver, id);
    const key = { idempotencyKey: `ruling-${id}` };
    const first = mustOk(await rule(arbiter, id, 'rejected', key));
    const paid = await money(worker);
    assert.deepEqual(mustOk(await rule(arbiter, id, 'rejected', key)), {
      ...first,
      repeated: true,
    });
    mustRefuse(await rule(arbiter, id, 'upheld', key), 400, 'idempotency-mismatch');
    refused(await rule(arbiter, id, 'upheld'), 'wrong-state', /was ruled on at 2/, READ);
    assert.deepEqual(await money(worker), paid);
  });

  describe('refuses, the first that applies', () => {
    it('a task without a dispute, before asking who calls', async () => {
      const { id } = await accepted(driver);
      const [judge] = driver.judges;
      assert.ok(judge !== undefined);
      mustRefuse(await rule(judge.agent, id, 'upheld'), 404, 'not-found');
      const none = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
      mustRefuse(await rule(judge.agent, none, 'upheld'), 404, 'not-found');
    });

    it('everybody but the drawn arbiter, whatever they would say', async () => {
      const { id, requester, worker } = await disputed(driver);
      const arbiter = await arbiterOf(driver, id);
      const hint = /GET \/api\/v1\/tasks\/[\w-]{36}\/dispute/;
      const others = driver.judges.map(({ agent }) => agent).filter((each) => each !== arbiter);
      for (const agent of [requester, worker, ...others]) {
        const over = { workerShareBps: 1 };
        const answer = await rule(agent, id, 'upheld', over);
        refused(answer, 'not-the-arbiter', new RegExp(arbiter.account), hint);
      }
      await ruled(driver, id, 'rejected');
      const [other] = others;
      assert.ok(other !== undefined);
      mustRefuse(await rule(other, id, 'upheld'), 400, 'not-the-arbiter');
    });

    it('an arbiter whose day is over, and one whose dispute is void', async () => {
      const { hub } = driver.world;
      const { id } = await disputed(driver);
      const first = await arbiterOf(driver, id);
      hub.clock.advance(DAY);
      mustRefuse(await rule(first, id, 'upheld'), 400, 'not-the-arbiter');
      const second = await arbiterOf(driver, id);
      hub.clock.advance(DAY);
      refused(await rule(second, id, 'upheld'), 'wrong-state', /ended without a ruling/, READ);
      assert.equal((await disputeOf(driver, id))['state'], 'void');
    });

    it('a share beside any verdict but split, and shares that are none', async () => {
      const { id } = await disputed(driver);
      const arbiter = await arbiterOf(driver, id);
      for (const verdict of ['upheld', 'rejected']) {
        const answer = await rule(arbiter, id, verdict, { workerShareBps: 0 });
        refused(answer, 'share-needs-split', new RegExp(verdict), /verdict `split`/);
      }
      for (const workerShareBps of [-1, 10_001, 0.5]) {
        mustRefuse(await rule(arbiter, id, 'split', { workerShareBps }), 400, 'bad-request');
      }
      assert.equal((await disputeOf(driver, id))['state'], 'drawn');
    });

    it('a word that is no verdict, another account, no signature', async () => {
      const { id, requester } = await disputed(driver);
      const arbiter = await arbiterOf(driver, id);
      const answer = await rule(arbiter, id, 'maybe');
      refused(answer, 'bad-verdict', /upheld, rejected, split/, /three words/);
      const by = arbiter.account;
      mustRefuse(await rule(requester, id, 'upheld', { by }), 401, 'wrong-owner');
      const body = { by, verdict: 'upheld' };
      const path = `/api/v1/tasks/${id}/arbitrate`;
      mustRefuse(await driver.world.anyone.post(path, body), 401, 'unsigned');
    });
  });
});
