import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { spendableOf, standingOf } from '../services/_lend.ts';
import { karmaOf, onEachDatabase, openCourt, seat, type Court } from '../validators/_court.ts';
import { arbiterOf, DAY, disputed, disputeOf, rule } from './_disputing.ts';
import { events, read, type Body } from './_work.ts';

/** The clock of a dispute: a day for each arbiter, two in all, and then what was before stands. */
onEachDatabase('tasks.readDispute', (url) => {
  let court: Court;
  beforeEach(async () => {
    court = await openCourt({ databaseUrl: await url(), judges: 2 });
  });
  afterEach(() => court.close());

  const draws = async (id: string): Promise<readonly unknown[]> =>
    ((await disputeOf(court, id))['draws'] as Body[]).map(({ arbiter }) => arbiter);

  it('tells who raised it, who decides, by when, and what came of it', async () => {
    const { id, requester } = await disputed(court);
    const open = await disputeOf(court, id);
    assert.deepEqual([open['raisedBy'], open['state']], [requester.account, 'drawn']);
    const arbiter = await arbiterOf(court, id);
    mustOk(await rule(arbiter, id, 'split', { resolution: 'Half is right.' }));
    const over = await disputeOf(court, id);
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
    const { hub } = court.world;
    const { id } = await disputed(court);
    const first = await arbiterOf(court, id);
    hub.clock.advance(DAY - 1);
    assert.equal((await arbiterOf(court, id)).account, first.account);
    hub.clock.advance(1);
    const second = await arbiterOf(court, id);
    assert.notEqual(second.account, first.account);
    assert.deepEqual(await draws(id), [first.account, second.account]);
    mustRefuse(await rule(first, id, 'rejected'), 400, 'not-the-arbiter');
    assert.equal(await karmaOf(court, first), -1, 'late on a test network');
    const told = (await events(court.world, id)).slice(-3);
    assert.deepEqual(told, ['dispute.drawn', 'dispute.late', 'dispute.drawn']);
    const dispute = await disputeOf(court, id);
    assert.equal(dispute['deadline'], dispute['voidAt'], 'the second has what is left');
    mustOk(await rule(second, id, 'rejected'));
    assert.equal(await karmaOf(court, second), 1);
  });

  it('is void after two days: the outcome before it stands, and nobody earns by it', async () => {
    const { hub, bob, alice } = court.world;
    const { id } = await disputed(court);
    const first = await arbiterOf(court, id);
    hub.clock.advance(DAY);
    const second = await arbiterOf(court, id);
    hub.clock.advance(DAY - 1);
    assert.equal((await disputeOf(court, id))['state'], 'drawn');
    hub.clock.advance(1);
    await hub.runJob('disputeVoid');
    const dispute = await disputeOf(court, id);
    const money = dispute['money'] as Body;
    assert.deepEqual(
      ['hub', 'judges', 'arbiter', 'worker', 'requester'].map((part) => money[part]),
      ['30000', '0', '0', '970000', '0'],
    );
    assert.equal(dispute['state'], 'void');
    assert.equal((await read(court.world, id))['state'], 'paid');
    assert.equal(await spendableOf(bob), '970000');
    assert.deepEqual([await karmaOf(court, first), await karmaOf(court, second)], [-1, -1]);
    assert.deepEqual([await karmaOf(court, bob), await karmaOf(court, alice)], [0, 0]);
    assert.deepEqual((await events(court.world, id)).slice(-2), ['dispute.late', 'dispute.void']);
    mustRefuse(await rule(second, id, 'upheld'), 400, 'wrong-state');
    mustRefuse(await rule(first, id, 'upheld'), 400, 'not-the-arbiter');
  });

  it('that missed every date while the hub was down costs no arbiter who was never drawn', async () => {
    const { id } = await disputed(court);
    court.world.hub.clock.advance(3 * DAY);
    const dispute = await disputeOf(court, id);
    assert.equal(dispute['state'], 'void');
    assert.equal((await draws(id)).length, 1);
  });

  it('looks for an arbiter every hour, and gives one who is found late its whole day', async () => {
    const { hub } = court.world;
    const { id } = await disputed(court, { rewardAmount: '6000001' });
    assert.deepEqual(await draws(id), []);
    const [judge] = court.judges;
    assert.ok(judge !== undefined);
    await seat(judge, { stake: '2000000' });
    hub.clock.advance(3_599);
    assert.deepEqual(await draws(id), []);
    hub.clock.advance(1);
    assert.deepEqual(await draws(id), [judge.agent.account]);
    const { deadline, at: raised } = await disputeOf(court, id);
    const hours = (Date.parse(String(deadline)) - Date.parse(String(raised))) / 3_600_000;
    assert.equal(hours, 25);
    hub.clock.advance(DAY);
    assert.equal((await disputeOf(court, id))['arbiter'], undefined, 'nobody else may');
    hub.clock.advance(23 * 3_600);
    assert.equal((await disputeOf(court, id))['state'], 'void');
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
    const { alice, bob, anyone } = court.world;
    const lost = async (agent: typeof alice): Promise<number> => {
      const { entries } = await standingOf(court.world, agent);
      return (entries as Body[]).filter(({ reason }) => reason === 'dispute.lost').length;
    };
    const first = await disputed(court);
    mustOk(await rule(await arbiterOf(court, first.id), first.id, 'rejected'));
    assert.deepEqual([await lost(alice), await lost(bob)], [1, 0]);
    const second = await disputed(court);
    mustOk(await rule(await arbiterOf(court, second.id), second.id, 'upheld'));
    assert.deepEqual([await lost(alice), await lost(bob)], [1, 1]);
    const third = await disputed(court);
    mustOk(await rule(await arbiterOf(court, third.id), third.id, 'split'));
    assert.deepEqual([await lost(alice), await lost(bob)], [1, 1]);
    const task = mustOk(await anyone.get(`/api/v1/tasks/${third.id}`));
    assert.equal(at(task, 'requesterRecord', 'disputesLost'), 1);
  });

  it('refuses a task without one, and no task', async () => {
    const { anyone } = court.world;
    const { id } = await disputed(court);
    mustOk(await anyone.get(`/api/v1/tasks/${id}/dispute`));
    const none = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await anyone.get(`/api/v1/tasks/${none}/dispute`), 404, 'not-found');
  });
});
