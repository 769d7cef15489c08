import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { spendableOf, standingOf } from '../services/_lend.ts';
import {
  karmaOf,
  onEachDatabase,
  openCourt,
  seat,
  type PanelDriver,
} from '../validators/_court.ts';
import { arbiterOf, DAY, disputed, disputeOf, rule } from './_disputing.ts';
import { events, read, type Body } from './_work.ts';

/** The clock of a dispute: a day for each arbiter, two in all, and then what was before stands. */
onEachDatabase('tasks.readDispute', (url) => {
  let driver: PanelDriver;
  beforeEach(async () => {
    driver = await openCourt({ databaseUrl: await url(), judges: 2 });
  });
  afterEach(() => driver.close());

  const draws = async (id: string): Promise<readonly unknown[]> =>
    ((await disputeOf(driver, id))['draws'] as Body[]).map(({ arbiter }) => arbiter);

  it('shows who raised it, who decides, by when, and its outcome', async () => {
    const { id, requester } = await disputed(driver);
    const open = await disputeOf(driver, id);
    assert.deepEqual([open['raisedBy'], open['state']], [requester.account, 'drawn']);
    const arbiter = await arbiterOf(driver, id);
    mustOk(await rule(arbiter, id, 'split', { resolution: 'Half is right.' }));
    const over = await disputeOf(driver, id);
    assert.deepEqual(
      ['state', 'verdict', 'workerShareBps', 'resolution', 'arbiter', 'next'].map(
        (field) => over[field],
      ),
      ['ruled', 'split', 5_000, 'Half is right.', arbiter.account, []],
    );
    assert.equal(typeof at(over, 'money', 'transferId'), 'string');
    assert.equal(typeof over['ruledAt'], 'string');
  });

  it('draws another arbiter after a day, and not the first again', async () => {
    const { hub } = driver.world;
    const { id } = await disputed(driver);
    const first = await arbiterOf(driver, id);
    hub.clock.advance(DAY - 1);
    assert.equal((await arbiterOf(driver, id)).account, first.account);
    hub.clock.advance(1);
    const second = await arbiterOf(driver, id);
    assert.notEqual(second.account, first.account);
    assert.deepEqual(await draws(id), [first.account, second.account]);
    mustRefuse(await rule(first, id, 'rejected'), 400, 'not-the-arbiter');
    assert.equal(await karmaOf(driver, first), -1, 'late on a test network');
    const reported = (await events(driver.world, id)).slice(-3);
    assert.deepEqual(reported, ['dispute.drawn', 'dispute.late', 'dispute.drawn']);
    const dispute = await disputeOf(driver, id);
    assert.equal(dispute['deadline'], dispute['voidAt'], 'the second has what is left');
    mustOk(await rule(second, id, 'rejected'));
    assert.equal(await karmaOf(driver, second), 1);
  });

  it('is void after two days: the outcome before it stands, and no account earns by it', async () => {
    const { hub, bob, alice } = driver.world;
    const { id } = await disputed(driver);
    const first = await arbiterOf(driver, id);
    hub.clock.advance(DAY);
    const second = await arbiterOf(driver, id);
    hub.clock.advance(DAY - 1);
    assert.equal((await disputeOf(driver, id))['state'], 'drawn');
    hub.clock.advance(1);
    await hub.runJob('disputeVoid');
    const dispute = await disputeOf(driver, id);
    const money = dispute['money'] as Body;
    assert.deepEqual(
      ['hub', 'judges', 'arbiter', 'worker', 'requester'].map((part) => money[part]),
      ['30000', '0', '0', '970000', '0'],
    );
    assert.equal(dispute['state'], 'void');
    assert.equal((await read(driver.world, id))['state'], 'paid');
    assert.equal(await spendableOf(bob), '970000');
    assert.deepEqual([await karmaOf(driver, first), await karmaOf(driver, second)], [-1, -1]);
    assert.deepEqual([await karmaOf(driver, bob), await karmaOf(driver, alice)], [0, 0]);
    assert.deepEqual((await events(driver.world, id)).slice(-2), ['dispute.late', 'dispute.void']);
    mustRefuse(await rule(second, id, 'upheld'), 400, 'wrong-state');
    mustRefuse(await rule(first, id, 'upheld'), 400, 'not-the-arbiter');
  });

  it('costs no arbiter who was never drawn when every date was missed while the hub was down', async () => {
    const { id } = await disputed(driver);
    driver.world.hub.clock.advance(3 * DAY);
    const dispute = await disputeOf(driver, id);
    assert.equal(dispute['state'], 'void');
    assert.equal((await draws(id)).length, 1);
  });

  it('looks for an arbiter every hour, and gives one who is found late its whole day', async () => {
    const { hub } = driver.world;
    const { id } = await disputed(driver, { rewardAmount: '6000001' });
    assert.deepEqual(await draws(id), []);
    const searching = await disputeOf(driver, id);
    assert.equal(searching['state'], 'searching');
    assert.match(String(searching['why']), /No validator seated on sandbox.*6000001/);
    const next = Date.parse(String(searching['nextDrawAt'])) - Date.parse(String(searching['at']));
    assert.equal(next, 3_600_000);
    const [judge] = driver.judges;
    assert.ok(judge !== undefined);
    await seat(judge, { stake: '2000000' });
    hub.clock.advance(3_599);
    assert.deepEqual(await draws(id), []);
    hub.clock.advance(1);
    assert.deepEqual(await draws(id), [judge.agent.account]);
    const found = await disputeOf(driver, id);
    assert.deepEqual(
      [found['state'], 'why' in found, 'nextDrawAt' in found],
      ['drawn', false, false],
    );
    const { deadline, at: raised } = found;
    const hours = (Date.parse(String(deadline)) - Date.parse(String(raised))) / 3_600_000;
    assert.equal(hours, 25);
    hub.clock.advance(DAY);
    assert.equal((await disputeOf(driver, id))['arbiter'], undefined, 'no other arbiter may');
    hub.clock.advance(23 * 3_600);
    assert.equal((await disputeOf(driver, id))['state'], 'void');
  });

  it('waits for the first pulse of a hub that has none', async () => {
    const young = await openCourt({ databaseUrl: await url(), judges: 1, unpulsed: true });
    try {
      const { hub } = young.world;
      const { id } = await disputed(young);
      assert.equal((await disputeOf(young, id))['arbiter'], undefined);
      hub.clock.advance(60);
      await hub.runJob('pulse');
      assert.equal(typeof (await disputeOf(young, id))['arbiter'], 'string');
    } finally {
      await young.close();
    }
  });

  it('is in the standing of the loser, and beside what a requester offers next', async () => {
    const { alice, bob, anyone } = driver.world;
    const lost = async (agent: typeof alice): Promise<number> => {
      const { entries } = await standingOf(driver.world, agent);
      return (entries as Body[]).filter(({ reason }) => reason === 'dispute.lost').length;
    };
    const first = await disputed(driver);
    mustOk(await rule(await arbiterOf(driver, first.id), first.id, 'rejected'));
    assert.deepEqual([await lost(alice), await lost(bob)], [1, 0]);
    const second = await disputed(driver);
    mustOk(await rule(await arbiterOf(driver, second.id), second.id, 'upheld'));
    assert.deepEqual([await lost(alice), await lost(bob)], [1, 1]);
    const third = await disputed(driver);
    mustOk(await rule(await arbiterOf(driver, third.id), third.id, 'split'));
    assert.deepEqual([await lost(alice), await lost(bob)], [1, 1]);
    const task = mustOk(await anyone.get(`/api/v1/tasks/${third.id}`));
    assert.equal(at(task, 'requesterRecord', 'disputesLost'), 1);
  });

  it('refuses a task without one, and no task', async () => {
    const { anyone } = driver.world;
    const { id } = await disputed(driver);
    mustOk(await anyone.get(`/api/v1/tasks/${id}/dispute`));
    const none = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await anyone.get(`/api/v1/tasks/${none}/dispute`), 404, 'not-found');
  });
});
