import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { refused } from '../services/_lend.ts';
import {
  onEachDatabase,
  openCourt,
  recordOf,
  tick,
  type PanelDriver,
} from '../validators/_court.ts';
import { accepted, arbiterOf, DAY, disputed, disputeOf, object, ruled } from './_disputing.ts';
import {
  act,
  claim,
  events,
  money,
  names,
  publish,
  read,
  RULE,
  submit,
  type Body,
} from './_work.ts';

onEachDatabase('tasks.dispute', (url) => {
  let driver: PanelDriver;
  before(async () => {
    driver = await openCourt({ databaseUrl: await url(), judges: 4 });
  });
  after(() => driver.close());

  describe('freezes', () => {
    it('the payout, for either party, and draws an arbiter who is none', async () => {
      const { alice, bob } = driver.world;
      for (const raises of ['requester', 'worker'] as const) {
        const work = await accepted(driver);
        const held = await money(alice);
        const dispute = mustOk(await object(work[raises], work.id, { reason: 'Not the page.' }));
        assert.deepEqual(
          ['raisedBy', 'reason', 'state', 'verdict', 'money'].map((field) => dispute[field]),
          [work[raises].account, 'Not the page.', 'drawn', undefined, undefined],
        );
        assert.equal(at(dispute, 'disputed', 'amount'), '970000');
        const { arbiter } = dispute;
        assert.ok(driver.judges.some(({ agent }) => agent.account === arbiter));
        assert.ok(arbiter !== alice.account && arbiter !== bob.account);
        assert.deepEqual(dispute['next'], [], 'of a party');
        const shown = mustOk(await driver.world.anyone.get(`/api/v1/tasks/${work.id}/dispute`));
        const next = shown['next'] as Body[];
        assert.deepEqual(
          next.map(({ action, who, until }) => [action, who, until]),
          [['tasks.arbitrate', arbiter, dispute['deadline']]],
        );
        const day = Date.parse(String(dispute['deadline'])) - Date.parse(String(dispute['at']));
        const two = Date.parse(String(dispute['voidAt'])) - Date.parse(String(dispute['at']));
        assert.deepEqual([day, two], [DAY * 1_000, 2 * DAY * 1_000]);
        assert.deepEqual(await money(alice), held, 'raising a dispute moves nothing');
      }
    });

    it('the payout against every clock and every call but the ruling', async () => {
      const { alice, hub } = driver.world;
      const { id } = await disputed(driver);
      hub.clock.advance(DAY - 1);
      for (const job of ['payoutRelease', 'autoAccept', 'deadlineExpiry', 'disputeVoid']) {
        await hub.runJob(job);
      }
      assert.equal((await read(driver.world, id))['state'], 'disputed');
      const requester = alice.account;
      mustRefuse(await act(alice, id, 'accept', { requester }), 400, 'wrong-state');
      mustRefuse(await act(alice, id, 'cancel', { requester }), 400, 'wrong-state');
      const body = { requester, reason: 'no' };
      mustRefuse(await act(alice, id, 'reject', body), 400, 'wrong-state');
      const agentId = driver.world.bob.account;
      mustRefuse(await act(driver.world.bob, id, 'claim', { agentId }), 400, 'wrong-state');
      await ruled(driver, id, 'rejected');
    });

    it('the task and shows it everywhere: state, escrow, economics, history, next', async () => {
      const { id } = await disputed(driver);
      const task = await read(driver.world, id);
      assert.deepEqual([task['state'], task['paymentState']], ['disputed', 'escrowed']);
      assert.deepEqual(names(task['next']), ['tasks.arbitrate', 'tasks.comment']);
      const arbiter = await arbiterOf(driver, id);
      assert.equal(at(task, 'next', 0, 'who'), arbiter.account);
      const reported = (await events(driver.world, id)).slice(-2);
      assert.deepEqual(reported, ['task.disputed', 'dispute.drawn']);
      const economics = mustOk(await driver.world.anyone.get(`/api/v1/tasks/${id}/economics`));
      assert.deepEqual(economics['held'], { kind: 'payout', amount: '1000000' });
      assert.deepEqual(economics['settled'], []);
      const wallet = mustOk(
        await driver.world.bob.get(`/api/v1/wallet/${driver.world.bob.account}`),
      );
      assert.equal(at(wallet, 'inFlight', 'payouts'), '0', 'frozen money is not counted');
    });
  });

  describe('draws', () => {
    it('an arbiter that everybody can draw again, once the pulse is out', async () => {
      const { world } = driver;
      const { id } = await disputed(driver);
      const dispute = await disputeOf(driver, id);
      const [draw] = dispute['draws'] as Body[];
      const { pulseSeq, pool, seed, attemptId, arbiter } = draw ?? {};
      assert.equal((await world.anyone.get(`/api/v1/time/pulses/${String(pulseSeq)}`)).status, 404);
      await tick(world);
      const pulse = mustOk(await world.anyone.get(`/api/v1/time/pulses/${String(pulseSeq)}`));
      const random = String(at(pulse, 'body', 'random'));
      const text = `hub/draw/v1|arbiter|${random}|${id}|${String(attemptId)}|1`;
      const made = createHash('sha256').update(text).digest();
      assert.equal(made.toString('hex'), seed);
      const first = createHmac('sha256', made).update(Buffer.alloc(4)).digest('hex');
      const sorted = (pool as Body[])
        .map((each) => ({
          account: String(each['account']),
          weight: BigInt(String(each['weight'])),
        }))
        .sort((a, b) => (a.account < b.account ? -1 : 1));
      const total = sorted.reduce((sum, { weight }) => sum + weight, 0n);
      let left = BigInt(`0x${first}`) % total;
      const picked = sorted.find(({ weight }) => (left -= weight) < 0n);
      assert.deepEqual([picked?.account, dispute['arbiter']], [arbiter, arbiter]);
    });

    it('no party, no payee, and no judge of the very result', async () => {
      const { world, judges } = driver;
      const [one, two, three, four] = judges;
      assert.ok(one !== undefined && two !== undefined && three !== undefined);
      assert.ok(four !== undefined);
      const payees = { agentId: two.agent.account, payee: three.agent.account };
      const { id } = await publish(one.agent, { acceptance: RULE });
      const { claimToken } = mustOk(await act(two.agent, id, 'claim', payees));
      mustOk(await act(two.agent, id, 'submit', { claimToken, result: 'done' }));
      const dispute = mustOk(await object(two.agent, id));
      assert.equal(dispute['arbiter'], four.agent.account, 'only one is left');

      const judged = await publish(world.alice, { verification: 'validator' });
      mustOk(await submit(world.bob, judged.id, 'The work.'));
      await driver.sit();
      mustOk(await object(world.alice, judged.id));
      const { panels } = await read(world, judged.id);
      const sat = (at(panels, 0, 'judges') as Body[]).map(({ account }) => account);
      const { arbiter } = await disputeOf(driver, judged.id);
      assert.equal(sat.length, 3);
      assert.equal(sat.includes(arbiter), false);
    });

    it('no arbiter whose ceiling is below the reward: then it stays undecided', async () => {
      const { id } = await disputed(driver, { rewardAmount: '6000001' });
      const dispute = await disputeOf(driver, id);
      assert.deepEqual(
        [dispute['arbiter'], dispute['draws'], dispute['next']],
        [undefined, [], []],
      );
      assert.equal(dispute['deadline'], dispute['voidAt']);
    });

    it('a seat that may not be left until the dispute is over', async () => {
      const { id } = await disputed(driver);
      const arbiter = await arbiterOf(driver, id);
      const body = { account: arbiter.account };
      const answer = await arbiter.post('/api/v1/validators/resign', body);
      refused(answer, 'seat-busy', /open dispute/, /GET \/api\/v1\/disputes/);
    });
  });

  describe('refuses', () => {
    const window = /GET \/api\/v1\/tasks\/[\w-]{36}\/economics/;

    it('other accounts before all else, with who may act', async () => {
      const stranger = await driver.world.agent();
      const done = await disputed(driver);
      await ruled(driver, done.id, 'rejected');
      const open = await publish(driver.world.alice, { acceptance: RULE });
      for (const id of [done.id, open.id, (await accepted(driver)).id]) {
        refused(await object(stranger, id), 'not-a-party', /requester, and the worker/, /next/);
      }
    });

    it('a worker whose result was not the accepted one', async () => {
      const { alice, bob } = driver.world;
      const carol = await driver.world.agent();
      const { id } = await publish(alice, { mode: 'open', autoAcceptSeconds: 60 });
      for (const agent of [bob, carol]) {
        mustOk(await act(agent, id, 'solution', { agentId: agent.account, result: 1 }));
      }
      driver.world.hub.clock.advance(60);
      assert.equal((await read(driver.world, id))['state'], 'accepted');
      mustRefuse(await object(carol, id), 400, 'not-a-party');
      mustOk(await object(bob, id));
    });

    it('a second dispute, open or over', async () => {
      const { id, requester, worker } = await disputed(driver);
      const hint = /GET \/api\/v1\/tasks\/[\w-]{36}\/dispute/;
      refused(await object(worker, id), 'already-disputed', /raised at 2/, hint);
      await ruled(driver, id, 'rejected');
      refused(await object(requester, id), 'already-disputed', /raised at 2/, hint);
    });

    it('what was not accepted, and unpaid work', async () => {
      const { alice, bob } = driver.world;
      const open = await publish(alice);
      refused(await object(alice, open.id), 'wrong-state', /is open/, /next/);
      await claim(bob, open.id);
      mustRefuse(await object(bob, open.id), 400, 'not-a-party');
      refused(await object(alice, open.id), 'wrong-state', /is held/, /next/);
      const unpaid = await publish(alice, { rewardAmount: undefined, acceptance: RULE });
      mustOk(await submit(bob, unpaid.id, 'done'));
      assert.equal((await read(driver.world, unpaid.id))['state'], 'accepted');
      refused(await object(alice, unpaid.id), 'wrong-state', /unpaid/, /next/);
    });

    it('a dispute once the window is over, and none at its last second', async () => {
      const { hub } = driver.world;
      const last = await accepted(driver, { disputeWindowSeconds: 3_600 });
      const late = await accepted(driver, { disputeWindowSeconds: 3_600 });
      hub.clock.advance(3_599);
      mustOk(await object(last.worker, last.id));
      hub.clock.advance(1);
      refused(await object(late.worker, late.id), 'window-closed', /ended at 2/, window);
      const none = await accepted(driver, { disputeWindowSeconds: 0 });
      refused(await object(none.requester, none.id), 'window-closed', /is paid/, window);
      const waived = await accepted(driver);
      const { alice } = driver.world;
      mustOk(await act(alice, waived.id, 'accept', { requester: alice.account }));
      refused(await object(waived.worker, waived.id), 'window-closed', /is paid/, window);
    });

    it('an unknown task, another account, no signature, no reason', async () => {
      const { alice, bob, anyone } = driver.world;
      const { id } = await accepted(driver);
      mustRefuse(await object(alice, '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90'), 404, 'not-found');
      mustRefuse(await object(bob, id, { raisedBy: alice.account }), 401, 'wrong-owner');
      const body = { raisedBy: alice.account, reason: 'x' };
      mustRefuse(await anyone.post(`/api/v1/tasks/${id}/dispute`, body), 401, 'unsigned');
      mustRefuse(await object(alice, id, { reason: undefined }), 400, 'missing-field');
      mustRefuse(await object(alice, id, { reason: '' }), 400, 'bad-request');
    });
  });

  it('keeps a long reason whole, and the beginning of it in the history', async () => {
    const { id, requester } = await accepted(driver);
    const reason = 'é'.repeat(4_000);
    mustOk(await object(requester, id, { reason }));
    assert.equal((await disputeOf(driver, id))['reason'], reason);
  });

  it('notes a judged result that falls in the record of who judged it good', async () => {
    const fifth = await openCourt({ databaseUrl: await url(), judges: 5 });
    try {
      const { alice, bob } = fifth.world;
      const { id } = await publish(alice, { verification: 'validator' });
      mustOk(await submit(bob, id, 'The work.'));
      await fifth.sit();
      mustOk(await object(alice, id));
      await ruled(fifth, id, 'upheld');
      const { panels } = await read(fifth.world, id);
      const sat = (at(panels, 0, 'judges') as Body[]).map(({ account }) => account);
      for (const judge of fifth.judges) {
        const wrong = sat.includes(judge.agent.account) ? 1 : 0;
        const record = (await recordOf(fifth, judge))['record'];
        assert.deepEqual([at(record, 'overturned'), at(record, 'disagreed')], [wrong, 0]);
      }
    } finally {
      await fifth.close();
    }
  });
});
