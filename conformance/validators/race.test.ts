import assert from 'node:assert/strict';
import { sharedPostgres } from '../harness/databases.ts';
import { startHub, type TestHub } from '../harness/hub.ts';
import { at, mustOk } from '../harness/must.ts';
import { act, publish, read, type Body } from '../tasks/_work.ts';
import { COURT_MS_MAX, openCourt, panels, recordOf, shown, type PanelDriver } from './_court.ts';

const TASKS = 12;

/** Several processes on one database: each judge is asked once, each vote counts once. */
describe('panels of two hubs on one database', function race() {
  this.timeout(COURT_MS_MAX);
  let driver: PanelDriver;
  let second: TestHub;
  before(async () => {
    const databaseUrl = await (await sharedPostgres()).freshDatabase();
    driver = await openCourt({ judges: 4, databaseUrl });
    const { hub } = driver.world;
    const pairs = driver.judges.map(({ pair }) => pair).join();
    const env = {
      HUB_ALLOW_PRIVATE_HOSTS: pairs,
      HUB_DATA_DIR: hub.running.hub.settings.dataDir,
    };
    second = await startHub({ databaseUrl, clock: hub.clock, env });
  });
  after(async () => {
    await second.close();
    await driver.close();
  });

  const bothRun = async (): Promise<void> => {
    const hubs = [driver.world.hub, second];
    for (const job of ['panels', 'panelCalls', 'panels', 'panelCalls']) {
      await Promise.all(hubs.map((hub) => hub.runJob(job)));
    }
  };

  it('call each judge once for a result, and decide each result once', async () => {
    const { world, judges } = driver;
    // Each judge goes its own way by the task, so that rounds end both ways.
    for (const [place, judge] of judges.entries()) {
      judge.does(({ body }) => {
        const turn = Number.parseInt(String(body['taskId']).slice(-2), 16);
        return turn % 4 === place ? 'rejected' : 'accepted';
      });
    }
    const ids: string[] = [];
    for (let task = 0; task < TASKS; task += 1) {
      const { id } = await publish(world.alice, { verification: 'validator', mode: 'open' });
      const worker = await world.agent();
      mustOk(await act(worker, id, 'solution', { agentId: worker.account, result: task }));
      ids.push(id);
    }
    await bothRun();
    for (const id of ids) {
      const [panel, ...more] = await panels(driver, id);
      assert.deepEqual([at(panel, 'state'), more.length], ['decided', 0]);
      assert.ok(shown(panel).every((word) => word === 'accepted' || word === 'rejected'));
      const { history, state } = await read(world, id);
      assert.equal(state, 'accepted');
      const decisions = (history as Body[]).filter(({ event }) => event === 'panel.accepted');
      assert.equal(decisions.length, 1);
    }
    const calls = judges.map(({ cases }) => cases.map(({ attemptId }) => String(attemptId)));
    for (const mine of calls) assert.equal(new Set(mine).size, mine.length, 'no call twice');
    assert.equal(calls.flat().length, TASKS * 3);
    const records = await Promise.all(judges.map((judge) => recordOf(driver, judge)));
    const rounds = records.map(({ record }) => Number(at(record, 'rounds')));
    assert.deepEqual(
      rounds,
      calls.map((mine) => mine.length),
    );
  });

  it('decide once when the requester accepts in the same moment', async () => {
    const { world, judges } = driver;
    const { alice, bob } = world;
    for (const judge of judges) judge.does(() => 'accepted');
    for (let time = 0; time < 6; time += 1) {
      const { id } = await publish(alice, { verification: 'validator', disputeWindowSeconds: 0 });
      const { claimToken } = mustOk(await act(bob, id, 'claim', { agentId: bob.account }));
      mustOk(await act(bob, id, 'submit', { claimToken, result: 'x' }));
      const [accepted] = await Promise.all([
        act(alice, id, 'accept', { requester: alice.account }),
        bothRun(),
      ]);
      const { history, state } = await read(world, id);
      assert.equal(state, 'paid');
      const paid = (history as Body[]).filter(({ event }) => event === 'task.paid');
      assert.equal(paid.length, 1);
      const byPanel = (history as Body[]).some(({ event }) => event === 'panel.accepted');
      assert.equal(accepted.status === 200, !byPanel);
      assert.ok((await panels(driver, id)).every(({ state: round }) => round !== 'open'));
    }
  });
});
