import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { onEachDatabase, openCourt, type PanelDriver } from '../validators/_court.ts';
import { disputed, disputeOf } from './_disputing.ts';
import { act, claim, events, money, publish, read, RULE, type Body } from './_work.ts';

const DAY = 86_400;
const ROUNDS = 5;

const amend = (agent: Agent, id: string, body: Body) =>
  act(agent, id, 'amendments', { by: agent.account, ...body });
const split = (workerAmount: string, refundAmount: string): Body => ({
  split: { workerAmount, refundAmount },
});
/** Proposes, and answers the id of the proposal. */
async function propose(agent: Agent, id: string, body: Body): Promise<string> {
  return String(at(mustOk(await amend(agent, id, body)), 'amendment', 'id'));
}

onEachDatabase('tasks.amend', (url) => {
  let driver: PanelDriver;
  before(async () => {
    driver = await openCourt({ databaseUrl: await url(), judges: 3 });
  });
  after(() => driver.close());

  it('raises the reward of held work at once, and the worker is paid the raise', async () => {
    const { alice } = driver.world;
    const bob = await driver.world.agent();
    const task = await publish(alice, { acceptance: RULE, disputeWindowSeconds: 0 });
    const claimToken = await claim(bob, task.id);
    const [, before] = await money(alice);
    const change = { rewardAmount: '1500000' };
    const raised = mustOk(await amend(alice, task.id, { change, revision: 1 }));
    assert.equal(at(raised, 'amendment', 'state'), 'applied');
    const [, after] = await money(alice);
    assert.equal(Number(after) - Number(before), 500_000, 'the raise is held');
    const shown = await read(driver.world, task.id);
    assert.equal(at(shown, 'terms', 'revision'), 2);
    assert.equal(at(shown, 'workers', 0, 'termsDigest'), at(shown, 'terms', 'digest'));
    assert.equal(at(shown, 'amendments', 0, 'digest'), at(shown, 'terms', 'digest'));
    mustOk(await act(bob, task.id, 'submit', { claimToken, result: 'done' }));
    assert.deepEqual(await money(bob), ['1455000', '0', '1455000']);
  });

  it('changes for the worse by consent, with the calls of each in the proposal', async () => {
    const { alice } = driver.world;
    const bob = await driver.world.agent();
    const task = await publish(alice);
    await claim(bob, task.id);
    const change = { clarification: 'Prices without tax.' };
    const id = await propose(alice, task.id, { change });
    const shown = mustOk(await bob.get(`/api/v1/tasks/${task.id}`));
    assert.equal(shown['clarifications'], undefined);
    const [proposal] = shown['amendments'] as Body[];
    const next = (proposal?.['next'] ?? []) as Body[];
    assert.deepEqual(
      next.map((each) => at(each, 'call', 'body')),
      [
        { by: bob.account, accept: id },
        { by: bob.account, refuse: id },
      ],
    );
    mustRefuse(await amend(alice, task.id, { accept: id }), 400, 'not-a-party');
    mustOk(await amend(bob, task.id, { accept: id, revision: 1 }));
    const agreed = await read(driver.world, task.id);
    assert.equal(at(agreed, 'clarifications', 0, 'text'), change.clarification);
    mustRefuse(await amend(bob, task.id, { accept: id }), 400, 'decided');
    const refused = await propose(bob, task.id, { change: { rewardAmount: '9000000' } });
    mustOk(await amend(alice, task.id, { refuse: refused }));
    const own = await propose(bob, task.id, { change: { rewardAmount: '9000000' } });
    mustOk(await amend(bob, task.id, { withdraw: own }));
    const history = await events(driver.world, task.id);
    assert.deepEqual(history.slice(-6), [
      'task.change-proposed',
      'task.amended',
      'task.change-proposed',
      'task.change-refused',
      'task.change-proposed',
      'task.change-withdrawn',
    ]);
  });

  it('gives the worker the extension that it asked for', async () => {
    const { alice, hub } = driver.world;
    const bob = await driver.world.agent();
    const task = await publish(alice);
    await claim(bob, task.id);
    const asked = { leaseSeconds: 12 * 3_600, renewForSeconds: 3 * DAY };
    const id = await propose(bob, task.id, { change: asked });
    mustOk(await amend(alice, task.id, { accept: id }));
    hub.clock.advance(12 * 3_600 - 60);
    mustOk(await act(bob, task.id, 'start', { percent: 50 }));
    hub.clock.advance(11 * 3_600);
    assert.equal((await read(driver.world, task.id))['state'], 'held');
  });

  it('ends held work with a split that both agreed to, to the unit', async () => {
    const { alice } = driver.world;
    const bob = await driver.world.agent();
    const task = await publish(alice);
    const [, heldBefore] = await money(alice);
    await claim(bob, task.id);
    mustRefuse(await amend(bob, task.id, split('400000', '600001')), 400, 'bad-shares');
    const id = await propose(bob, task.id, split('400000', '600000'));
    const done = mustOk(await amend(alice, task.id, { accept: id }));
    assert.deepEqual([done['state'], done['paymentState']], ['withdrawn', 'none']);
    assert.equal(at(done, 'refunded', 'amount'), '600000');
    assert.equal(at(done, 'attempts', 0, 'state'), 'superseded');
    assert.deepEqual(await money(bob), ['388000', '0', '388000']);
    const [, heldAfter] = await money(alice);
    assert.equal(Number(heldBefore) - Number(heldAfter), 1_000_000);
    const { karma } = mustOk(await bob.get('/api/v1/me'));
    assert.deepEqual(karma, { total: 0, tier: 'new' }, 'an agreed end costs no standing');
  });

  it('settles a dispute between the parties before the arbiter rules', async () => {
    const bob = await driver.world.agent();
    const { id, requester } = await disputed(driver, {});
    const worker = driver.world.bob;
    const [before] = await money(worker);
    mustRefuse(await amend(bob, id, split('500000', '500000')), 400, 'not-a-party');
    const proposal = await propose(requester, id, split('500000', '500000'));
    mustOk(await amend(worker, id, { accept: proposal }));
    const dispute = await disputeOf(driver, id);
    assert.deepEqual([dispute['state'], dispute['settledBy']], ['void', proposal]);
    assert.equal(at(dispute, 'money', 'requester'), '500000');
    assert.equal(at(dispute, 'money', 'arbiter'), '0');
    const [after] = await money(worker);
    assert.equal(Number(after) - Number(before), 485_000);
    assert.equal((await read(driver.world, id))['state'], 'paid');
  });

  it('lapses a proposal with the terms, the state and the claim that it was made on', async () => {
    const { alice } = driver.world;
    const [bob, carol] = [await driver.world.agent(), await driver.world.agent()];
    const task = await publish(alice);
    const claimToken = await claim(bob, task.id);
    const old = await propose(alice, task.id, { change: { rewardAmount: '400000' } });
    mustOk(await amend(alice, task.id, { change: { rewardAmount: '1200000' } }));
    const stale = mustRefuse(await amend(bob, task.id, { accept: old }), 400, 'wrong-state');
    assert.match(String(stale['error']), /revision 1.*revision 2/);
    const parted = await propose(bob, task.id, split('1200000', '0'));
    mustOk(await act(bob, task.id, 'fail', { claimToken }));
    await claim(carol, task.id);
    mustRefuse(await amend(alice, task.id, { accept: parted }), 400, 'wrong-state');
    mustRefuse(await amend(carol, task.id, { accept: old }), 400, 'wrong-state');
    const read2 = { change: { rewardAmount: '1300000' }, revision: 1 };
    mustRefuse(await amend(alice, task.id, read2), 400, 'wrong-state');
  });

  it('refuses what makes no sense, and takes no money that is not there', async () => {
    const { alice } = driver.world;
    const poor = await driver.world.agent();
    await driver.world.fund(poor, '1000000');
    const task = await publish(poor);
    const both = { change: { rewardAmount: '2000000' }, ...split('1', '2') };
    mustRefuse(await amend(poor, task.id, both), 400, 'not-together');
    mustRefuse(await amend(poor, task.id, {}), 400, 'not-together');
    const dear = { change: { rewardAmount: '1000001' } };
    mustRefuse(await amend(poor, task.id, dear), 400, 'insufficient-funds');
    assert.deepEqual(await money(poor), ['1000000', '1000000', '0']);
    mustRefuse(await amend(alice, task.id, dear), 400, 'not-a-party');
    const unknown = { accept: '00000000-0000-4000-8000-000000000000' };
    mustRefuse(await amend(poor, task.id, unknown), 404, 'not-found');
    const open = await publish(alice, { mode: 'open' });
    const lower = { change: { rewardAmount: '500000' } };
    mustRefuse(await amend(alice, open.id, lower), 400, 'wrong-mode');
    const later = new Date(Date.now() + 100 * DAY * 1000).toISOString();
    mustRefuse(await amend(alice, open.id, { change: { deadline: later } }), 400, 'deadline');
  });

  it('leaves the worker terms that it can live with when a claim comes in the same second', async () => {
    const { alice } = driver.world;
    const bob = await driver.world.agent();
    for (let round = 0; round < ROUNDS; round += 1) {
      const task = await publish(alice);
      const lower = { change: { rewardAmount: '500000' } };
      const [lowered, claimed] = await Promise.all([
        amend(alice, task.id, lower),
        act(bob, task.id, 'claim', { agentId: bob.account }),
      ]);
      const body = mustOk(claimed);
      const reward = at(body, 'work', 'reward', 'amount');
      const state = at(mustOk(lowered), 'amendment', 'state');
      assert.equal(reward, state === 'applied' ? '500000' : '1000000');
      const shown = await read(driver.world, task.id);
      assert.equal(at(shown, 'reward', 'amount'), reward, 'held work is never lowered alone');
      mustOk(await act(bob, task.id, 'fail', { claimToken: body['claimToken'] }));
    }
  });

  it('moves the money once when an acceptance, a delivery and a lapse meet', async () => {
    const { alice } = driver.world;
    const bob = await driver.world.agent();
    for (let round = 0; round < ROUNDS; round += 1) {
      const [before] = await money(bob);
      const task = await publish(alice, { acceptance: RULE, disputeWindowSeconds: 0 });
      const claimToken = await claim(bob, task.id);
      const id = await propose(bob, task.id, split('100000', '900000'));
      const answers = await Promise.all([
        amend(alice, task.id, { accept: id }),
        act(bob, task.id, 'submit', { claimToken, result: 'done' }),
        amend(alice, task.id, { accept: id }),
      ]);
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      const [after] = await money(bob);
      const { state } = await read(driver.world, task.id);
      const gained = Number(after) - Number(before);
      assert.equal(gained, state === 'paid' ? 970_000 : 97_000);
    }
  });
});
