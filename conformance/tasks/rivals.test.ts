import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import {
  delivered,
  onEachDatabase,
  openCourt,
  rejects,
  type PanelDriver,
} from '../validators/_court.ts';
import { accepted, DAY, object, ruled } from './_disputing.ts';
import { act, claim, money, publish, read, RULE, submit, type Body } from './_work.ts';

/**
 * Mistakes that other exchanges published about themselves, each shown not to be here: refund after
 * a fee was paid, an outsider's rejection that clears a guard, pay without delivery, a verdict
 * without an appeal, a reward raised without funds, a deadline that ends the deciding too, cancel
 * after work arrived, escrow trapped by claim-and-vanish, a requester who never decides.
 */
onEachDatabase('mistakes of others', (url) => {
  let driver: PanelDriver;
  before(async () => {
    driver = await openCourt({ databaseUrl: await url(), judges: 4 });
  });
  after(() => driver.close());

  const balanceOf = async (agent: Agent): Promise<bigint> =>
    BigInt(String((await money(agent))[0]));
  const balanced = async (): Promise<void> => {
    const books = mustOk(await driver.world.anyone.get('/api/v1/economy/conservation'));
    assert.deepEqual(books['differences'], []);
  };

  it('a refund after a fee was paid refunds what is left, never the whole again', async () => {
    const { alice, bob, hub } = driver.world;
    for (const judge of driver.judges) judge.does(rejects);
    const before = await balanceOf(alice);
    const id = await delivered(driver);
    await driver.sit();
    assert.equal((await read(driver.world, id))['state'], 'open', 'the panel has earned its share');
    for (const judge of driver.judges) judge.does(() => '{"verdict":"accepted"}');
    mustOk(await act(alice, id, 'cancel', { requester: alice.account }));
    assert.equal(before - (await balanceOf(alice)), 10_000n);
    const economics = mustOk(await driver.world.anyone.get(`/api/v1/tasks/${id}/economics`));
    assert.equal(at(economics, 'refunded', 'amount'), '990000');

    const judged = await publish(alice, { verification: 'validator' });
    mustOk(await submit(bob, judged.id, 'The work.'));
    await driver.sit();
    mustOk(await object(alice, judged.id));
    const held = await balanceOf(alice);
    await ruled(driver, judged.id, 'upheld');
    assert.equal(held - (await balanceOf(alice)), 19_600n, 'the judges and the arbiter are paid');
    hub.clock.advance(60);
    await balanced();
  });

  it('a rejection by an outsider clears no guard: the work still waits for its decision', async () => {
    const { alice, bob } = driver.world;
    const stranger = await driver.world.agent();
    const { id } = await publish(alice, { mode: 'open' });
    mustOk(await act(bob, id, 'solution', { agentId: bob.account, result: 'mine' }));
    const reason = 'no';
    const by = { requester: stranger.account, reason };
    mustRefuse(await act(stranger, id, 'reject', by), 400, 'not-a-party');
    const as = { requester: alice.account, reason };
    mustRefuse(await act(stranger, id, 'reject', as), 401, 'wrong-owner');
    const requester = alice.account;
    mustRefuse(await act(alice, id, 'cancel', { requester }), 400, 'solutions-pending');
    const body = mustOk(await act(alice, id, 'accept', { requester }));
    assert.equal(body['state'], 'paid');
  });

  it('no worker is paid for holding a task, announcing it, or having its time run out', async () => {
    const { alice, hub } = driver.world;
    const vanishes = await driver.world.agent();
    const before = await balanceOf(alice);
    const deadline = new Date(hub.clock.now() + 3_600_000).toISOString();
    const { id } = await publish(alice, { acceptance: RULE, deadline, autoAcceptSeconds: 0 });
    mustOk(await act(vanishes, id, 'start', {}));
    await claim(vanishes, id);
    mustRefuse(await act(alice, id, 'accept', { requester: alice.account }), 400, 'wrong-state');
    hub.clock.advance(1_800);
    assert.equal((await read(driver.world, id))['state'], 'open', 'its lease lapsed');
    hub.clock.advance(1_800);
    assert.equal((await read(driver.world, id))['state'], 'expired');
    assert.equal(await balanceOf(vanishes), 0n);
    assert.equal(await balanceOf(alice), before, 'claim-and-vanish traps no escrow');
    mustRefuse(await object(vanishes, id), 400, 'not-a-party');
  });

  it('every verdict may be appealed: an acceptance to an arbiter, a rejection by working again', async () => {
    const { alice, bob } = driver.world;
    for (const raiser of [alice, bob]) {
      const id = await delivered(driver);
      await driver.sit();
      assert.equal((await read(driver.world, id))['state'], 'accepted');
      const dispute = mustOk(await object(raiser, id));
      assert.equal(typeof dispute['arbiter'], 'string');
      await ruled(driver, id, 'rejected');
    }
    for (const judge of driver.judges) judge.does(rejects);
    const id = await delivered(driver);
    await driver.sit();
    const task = await read(driver.world, id);
    const actions = (task['next'] as Body[]).map(({ action }) => action);
    assert.ok(actions.includes('tasks.claim'), 'the task takes work again');
    const { workers } = task;
    assert.match(String(at(workers, 0, 'reason')), /judges rejected it/, 'and says why');
    for (const judge of driver.judges) judge.does(() => '{"verdict":"accepted"}');
  });

  it('a verdict without a word decides nothing', async () => {
    const id = await delivered(driver);
    for (const judge of driver.judges) judge.does(() => '{"verdict":""}');
    await driver.sit();
    assert.equal((await read(driver.world, id))['state'], 'delivered');
    for (const judge of driver.judges) judge.does(() => '{"verdict":"accepted"}');
    driver.world.hub.clock.advance(20);
    await driver.sit();
    assert.equal((await read(driver.world, id))['state'], 'accepted');
  });

  it('a reward is never raised: what was escrowed is the most that it pays', async () => {
    const { alice } = driver.world;
    const worker = await driver.world.agent();
    const { id } = await publish(alice, { tags: ['pitch'], rewardAmount: '100000' });
    const body = { agentId: worker.account, plan: 'Dearer.', price: '100001' };
    mustRefuse(await act(worker, id, 'pitch', body), 400, 'price-above-reward');
    mustOk(await act(alice, id, 'cancel', { requester: alice.account }));
  });

  it('the deadline of the work is not the deadline of the decision', async () => {
    const { alice, bob, hub } = driver.world;
    const deadline = new Date(hub.clock.now() + 3_600_000).toISOString();
    const { id } = await publish(alice, { deadline });
    mustOk(await submit(bob, id, 'in time'));
    hub.clock.advance(3_600 + 71 * 3_600);
    const body = mustOk(await act(alice, id, 'accept', { requester: alice.account }));
    assert.equal(body['state'], 'paid');
  });

  it('a requester who never decides loses standing, and where silence accepts, the money', async () => {
    const { alice, hub } = driver.world;
    const worker = await driver.world.agent();
    const deadline = new Date(hub.clock.now() + 3_600_000).toISOString();
    const silent = await publish(alice, { deadline });
    mustOk(await submit(worker, silent.id, 'the work'));
    const accepts = await publish(alice, { deadline, autoAcceptSeconds: 60 });
    mustOk(await submit(worker, accepts.id, 'the work'));
    hub.clock.advance(4 * DAY);
    const { state, requesterRecord, history } = await read(driver.world, silent.id);
    assert.equal(state, 'expired');
    const reported = (history as Body[]).map(({ event }) => event);
    assert.ok(reported.includes('delivery.ignored'));
    assert.ok(Number(at(requesterRecord, 'undecided')) >= 1);
    assert.equal((await read(driver.world, accepts.id))['state'], 'accepted');
    hub.clock.advance(DAY);
    await read(driver.world, accepts.id);
    assert.equal(await balanceOf(worker), 970_000n);
  });

  it('a paid task is final: no dispute, no refund, no second payment', async () => {
    const { alice } = driver.world;
    const { id, requester, worker } = await accepted(driver, { disputeWindowSeconds: 0 });
    const before = [await balanceOf(alice), await balanceOf(worker)];
    mustRefuse(await object(requester, id), 400, 'window-closed');
    const body = { requester: requester.account };
    mustRefuse(await act(requester, id, 'cancel', body), 400, 'wrong-state');
    mustRefuse(await act(requester, id, 'accept', body), 400, 'wrong-state');
    assert.deepEqual([await balanceOf(alice), await balanceOf(worker)], before);
    await balanced();
  });
});
