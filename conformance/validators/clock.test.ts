import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { act, events, money, publish, read, submit, type Body } from '../tasks/_work.ts';
import {
  accepts,
  delivered,
  isSilent,
  onEachDatabase,
  openCourt,
  panels,
  rejects,
  seat,
  shown,
  tick,
  votesIn,
  type PanelDriver,
} from './_court.ts';
import { until } from '../harness/waiting.ts';

const HOUR = 3_600;

onEachDatabase('panels by the clock', (url) => {
  let driver: PanelDriver;
  afterEach(() => driver.close());
  const open = async (judges: number, over: object = {}): Promise<void> => {
    driver = await openCourt({ judges, databaseUrl: await url(), ...over });
  };
  const later = async (seconds: number): Promise<void> => {
    driver.world.hub.clock.advance(seconds);
    await driver.sit();
  };

  it('wait for the first pulse: before it nothing is committed that a draw could be made of', async () => {
    await open(1, { unpulsed: true });
    const id = await delivered(driver);
    await driver.sit();
    assert.deepEqual(await panels(driver, id), []);
    await tick(driver.world);
    await driver.sit();
    const [panel] = await panels(driver, id);
    assert.deepEqual([at(panel, 'state'), at(panel, 'pulseSeq')], ['decided', 1]);
  });

  it('are drawn for at delivery, in the same step', async () => {
    await open(3);
    const id = await delivered(driver);
    const [panel] = await panels(driver, id);
    assert.deepEqual([at(panel, 'state'), at(panel, 'round')], ['open', 1]);
    assert.equal(
      at(panel, 'drawnAt'),
      at(await read(driver.world, id), 'workers', 0, 'deliveredAt'),
    );
  });

  it('are drawn once an account may judge, a minute after the last look', async () => {
    await open(1, { unseated: true });
    const id = await delivered(driver);
    await driver.sit();
    assert.deepEqual(await panels(driver, id), []);
    const [judge] = driver.judges;
    assert.ok(judge !== undefined);
    await seat(judge);
    await driver.world.hub.runJob('seatProbes');
    await later(59);
    assert.deepEqual(await panels(driver, id), []);
    await later(1);
    assert.equal((await read(driver.world, id))['state'], 'accepted');
  });

  it('end undecided after 30 minutes, and the next draw is another one', async () => {
    await open(3);
    const [one, two, three] = driver.judges;
    one?.does(accepts);
    two?.does(rejects);
    three?.does(isSilent);
    const id = await delivered(driver);
    for (const wait of [0, 5, 15]) await later(wait);
    const [tied] = await panels(driver, id);
    assert.deepEqual(
      [at(tied, 'state'), [...shown(tied)].sort()],
      ['open', ['drawn', 'drawn', 'no-show']],
    );
    await later(29 * 60 + 39);
    assert.equal((await panels(driver, id)).length, 1);
    three?.does(accepts);
    await later(1);
    const [first, second] = await panels(driver, id);
    assert.equal(at(first, 'state'), 'undecided');
    assert.deepEqual([...shown(first)].sort(), ['accepted', 'no-show', 'rejected']);
    assert.deepEqual([at(second, 'state'), at(second, 'round')], ['decided', 2]);
    assert.notEqual(at(first, 'seed'), at(second, 'seed'));
    const seats = mustOk(await driver.world.anyone.get('/api/v1/validators'))['validators'];
    const rounds = (seats as Body[]).map(({ record }) => at(record, 'rounds'));
    assert.deepEqual(rounds, [1, 1, 1], 'an undecided round is on no record');
  });

  it('decide by the majority they have when their time is over', async () => {
    await open(3);
    const [one] = driver.judges;
    one?.does(() => undefined);
    const id = await delivered(driver);
    const sitting = driver.world.hub.runJob('panelCalls');
    await until(() => driver.judges.every(({ cases }) => cases.length === 1));
    await until(async () => (await driver.world.hub.running.hub.store.read(votesIn)) === 2);
    driver.world.hub.clock.advance(30 * 60);
    await driver.world.hub.runJob('panels');
    const [panel] = await panels(driver, id);
    assert.deepEqual([at(panel, 'state'), at(panel, 'verdict')], ['decided', 'accepted']);
    assert.deepEqual([...shown(panel)].sort(), ['accepted', 'accepted', 'released']);
    // A call that was made again meanwhile ends by the clock as well.
    driver.world.hub.clock.advance(60);
    await sitting;
    assert.equal((await panels(driver, id)).length, 1);
  });

  it('leave it to the requester after 6 hours, who may refuse; the panel is over then', async () => {
    await open(1);
    const [judge] = driver.judges;
    judge?.does(isSilent);
    const id = await delivered(driver);
    const { alice } = driver.world;
    const reject = () => act(alice, id, 'reject', { requester: alice.account, reason: 'No.' });
    driver.world.hub.clock.advance(6 * HOUR - 1);
    mustRefuse(await reject(), 400, 'wrong-state');
    await driver.world.hub.runJob('panels');
    judge?.does(accepts);
    driver.world.hub.clock.advance(1);
    const calls = judge?.cases.length;
    await driver.sit();
    assert.equal(judge?.cases.length, calls);
    mustOk(await reject());
    assert.deepEqual((await events(driver.world, id)).at(-1), 'attempt.rejected');
    const last = (await panels(driver, id)).at(-1);
    assert.notEqual(at(last, 'state'), 'open');
  });

  it('are none: the result is handed back 72 hours later, and costs its worker nothing', async () => {
    await open(0);
    const id = await delivered(driver);
    await later(78 * HOUR - 1);
    assert.equal((await read(driver.world, id))['state'], 'delivered');
    await later(1);
    await driver.world.hub.runJob('autoAccept');
    const task = await read(driver.world, id);
    assert.equal(task['state'], 'open');
    assert.equal(at(task, 'workers', 0, 'state'), 'superseded');
    assert.equal((await events(driver.world, id)).at(-1), 'panel.silent');
  });

  it('leave a result to autoAcceptSeconds, which counts from the end of those 6 hours', async () => {
    await open(0);
    const id = await delivered(driver, { autoAcceptSeconds: 60, disputeWindowSeconds: 0 });
    await later(6 * HOUR + 59);
    await driver.world.hub.runJob('autoAccept');
    assert.equal((await read(driver.world, id))['state'], 'delivered');
    await later(1);
    await driver.world.hub.runJob('autoAccept');
    assert.equal((await read(driver.world, id))['state'], 'paid');
    // No panel judged, so nothing was kept for one.
    assert.deepEqual(await money(driver.world.bob), ['970000', '0', '970000']);
  });

  it('take three solutions of an open task at a time, the oldest first', async () => {
    await open(3);
    const { world, judges } = driver;
    for (const judge of judges) judge.does(rejects);
    const over = { mode: 'open', verification: 'validator', disputeWindowSeconds: 0 };
    const { id } = await publish(world.alice, over);
    const workers = await Promise.all(Array.from({ length: 5 }, () => world.agent()));
    for (const [place, worker] of workers.entries()) {
      const body = { agentId: worker.account, result: `Try ${place}` };
      mustOk(await act(worker, id, 'solution', body));
      world.hub.clock.advance(1);
    }
    assert.equal((await panels(driver, id)).length, 3);
    await world.hub.runJob('panelCalls');
    const results = (judges[0]?.cases ?? []).map(({ result }) => result);
    assert.deepEqual(results.sort(), ['Try 0', 'Try 1', 'Try 2']);
    const states = async () =>
      ((await read(world, id))['workers'] as Body[]).map(({ state }) => state);
    assert.deepEqual(await states(), [
      ...['rejected', 'rejected', 'rejected'],
      ...['waiting', 'waiting'],
    ]);
    const [one, two] = judges;
    for (const judge of [one, two]) {
      judge?.does(({ body }) => (body['result'] === 'Try 3' ? 'accepted' : 'rejected'));
    }
    await driver.sit();
    assert.equal((await read(world, id))['state'], 'paid');
    const after = await states();
    assert.equal(after[3], 'accepted');
    assert.ok(['rejected', 'superseded'].includes(String(after[4])));
    assert.ok((await panels(driver, id)).every(({ state }) => state !== 'open'));
  });

  it('are asked nothing about a result that the rule refuses', async () => {
    await open(1);
    const { world, judges } = driver;
    const acceptance = { kind: 'contains', values: ['done'] };
    const over = { verification: 'validator', acceptance };
    const { id } = await publish(world.alice, over);
    const missed = mustOk(await submit(world.bob, id, 'not yet'));
    assert.equal(missed['outcome'], 'refused');
    await driver.sit();
    assert.equal(judges[0]?.cases.length, 0);
    const waits = mustOk(await submit(world.bob, id, 'done'));
    assert.equal(waits['outcome'], 'waiting');
    await driver.sit();
    assert.equal((await read(world, id))['state'], 'accepted');
  });
});
