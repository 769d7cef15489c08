import assert from 'node:assert/strict';
import { agentWith, type Answer } from '../harness/agents.ts';
import { generateKey } from '../../clients/typescript/sign.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { startHub } from '../harness/hub.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';
import { onEachDatabase, openCourt, type PanelDriver } from '../validators/_court.ts';
import { accepted, arbiterOf, DAY, disputed, disputeOf, object, rule } from './_disputing.ts';
import { money, read } from './_work.ts';

/** A disputed reward leaves once, in every order of concurrent calls. */
const ROUNDS = 5;

onEachDatabase('disputes at once', (url) => {
  let driver: PanelDriver;
  before(async () => {
    driver = await openCourt({ databaseUrl: await url(), judges: 3 });
  });
  after(() => driver.close());

  it('an objection and the end of the window: one of the two', async () => {
    const { hub } = driver.world;
    for (let round = 0; round < ROUNDS; round += 1) {
      const work = await accepted(driver, { disputeWindowSeconds: 60 });
      hub.clock.advance(59);
      const raising = object(work.worker, work.id);
      hub.clock.advance(1);
      const [raised] = await Promise.all([raising, hub.runJob('payoutRelease')]);
      const { state } = await read(driver.world, work.id);
      if (raised.status === 200) assert.equal(state, 'disputed');
      else {
        mustRefuse(raised, 400, 'window-closed');
        assert.equal(state, 'paid');
      }
    }
  });

  it('an objection and the requester’s own acceptance: one of the two', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, requester, worker } = await accepted(driver);
      const [raised, waived] = await Promise.all([
        object(worker, id),
        requester.post(`/api/v1/tasks/${id}/accept`, { requester: requester.account }),
      ]);
      const { state } = await read(driver.world, id);
      assert.deepEqual([raised.status, waived.status].sort(), [200, 400]);
      assert.equal(state, raised.status === 200 ? 'disputed' : 'paid');
    }
  });

  it('opens one dispute for both parties', async () => {
    const { id, requester, worker } = await accepted(driver);
    const answers = await Promise.all([requester, worker, worker].map((each) => object(each, id)));
    const [lost, also] = answers.filter(({ status }) => status !== 200);
    assert.ok(lost !== undefined && also !== undefined);
    mustRefuse(lost, 400, 'already-disputed');
    mustRefuse(also, 400, 'already-disputed');
  });

  it('two rulings: one, whole', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, worker } = await disputed(driver);
      const arbiter = await arbiterOf(driver, id);
      const [before] = await money(worker);
      const answers = await Promise.all([
        rule(arbiter, id, 'rejected'),
        rule(arbiter, id, 'upheld'),
        rule(arbiter, id, 'rejected'),
      ]);
      const won = answers.filter(({ status }) => status === 200);
      assert.equal(won.length, 1);
      for (const answer of answers) {
        if (answer.status !== 200) mustRefuse(answer, 400, 'wrong-state');
      }
      const { verdict } = await disputeOf(driver, id);
      const [after] = await money(worker);
      assert.equal(Number(after) - Number(before), verdict === 'rejected' ? 960_300 : 0);
    }
  });

  it('a ruling and the end of the dispute: one of the two', async () => {
    const { hub } = driver.world;
    for (let round = 0; round < ROUNDS; round += 1) {
      const worker = await driver.world.agent();
      const { id } = await accepted(driver, {}, worker);
      mustOk(await object(worker, id));
      hub.clock.advance(DAY);
      const arbiter = await arbiterOf(driver, id);
      const ruling = rule(arbiter, id, 'split', { workerShareBps: 0 });
      hub.clock.advance(DAY);
      const [answer] = await Promise.all([ruling, hub.runJob('disputeVoid')]);
      const { state } = await disputeOf(driver, id);
      const won = answer.status === 200;
      assert.equal(state, won ? 'ruled' : 'void');
      assert.equal((await money(worker))[0], won ? '0' : '970000');
    }
  });

  it('an objection and the only arbiter who leaves: never a dispute on an empty seat', async () => {
    const alone = await openCourt({ databaseUrl: await url(), judges: 1 });
    try {
      const arbiter = alone.judges[0]?.agent ?? assert.fail('one judge');
      const { id, worker } = await accepted(alone);
      const [raised, left] = await Promise.all([
        object(worker, id),
        arbiter.post('/api/v1/validators/resign', { account: arbiter.account }),
      ]);
      const drawn = mustOk(raised)['arbiter'];
      if (left.status === 200) assert.equal(drawn, undefined);
      else {
        mustRefuse(left, 400, 'seat-busy');
        assert.equal(drawn, arbiter.account);
      }
    } finally {
      await alone.close();
    }
  });
});

describe('disputes on two hubs of one database', function suite() {
  this.timeout(120_000);

  it('are raised, drawn, ruled on and ended once', async () => {
    const databaseUrl = await (await sharedPostgres()).freshDatabase();
    const driver = await openCourt({ databaseUrl, judges: 3 });
    const { hub } = driver.world;
    const other = await startHub({ databaseUrl, clock: hub.clock });
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const key = await generateKey();
        const [here, there] = [agentWith(hub, key), agentWith(other, key)];
        const { id } = await accepted(driver, {}, here);
        const raised = await Promise.all([object(here, id), object(there, id)]);
        assert.deepEqual(statuses(raised), [200, 400]);
        hub.clock.advance(DAY);
        await Promise.all([hub.runJob('disputeVoid'), other.runJob('disputeVoid')]);
        const { draws, arbiter } = await disputeOf(driver, id);
        assert.equal((draws as unknown[]).length, 2);
        const judge = await arbiterOf(driver, id);
        assert.equal(judge.account, arbiter);
        hub.clock.advance(DAY);
        const jobs = [hub, other].map((each) => each.runJob('disputeVoid'));
        const [ruling] = await Promise.all([rule(judge, id, 'rejected'), ...jobs]);
        mustRefuse(ruling, 400, 'wrong-state');
        assert.equal((await money(here))[0], '970000');
      }
      await assertBooksBalance(hub.running.hub.store);
    } finally {
      await other.close();
      await driver.close();
    }
  });
});

function statuses(answers: readonly Answer[]): readonly number[] {
  return answers.map(({ status }) => status).sort();
}
