import assert from 'node:assert/strict';
import type { Agent, Answer } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { onEachDatabase, openCourt, type PanelDriver } from '../validators/_court.ts';
import { arbiterOf, disputed, ruled } from './_disputing.ts';
import { following, offersIn } from './_following.ts';
import { choose, claimBy, offer, PITCHED } from './_pitching.ts';
import { act, claim, publish, RULE, type Body } from './_work.ts';

onEachDatabase('next of answers to signed calls', (url) => {
  let driver: PanelDriver;
  let alice: Agent;
  let bob: Agent;
  let carol: Agent;
  const taken: string[] = [];
  before(async () => {
    driver = await openCourt({ databaseUrl: await url(), judges: 1 });
    const { world } = driver;
    await world.fund(world.alice, '100000000');
    alice = following(world.alice, taken);
    [bob, carol] = [following(world.bob, taken), following(await world.agent(), taken)];
  });
  after(() => driver.close());

  /** Has each party look at the task and at its own work. */
  const look = async (id: string): Promise<void> => {
    for (const agent of [alice, bob, carol]) {
      mustOk(await agent.get(`/api/v1/tasks/${id}`));
      mustOk(await agent.get('/api/v1/me/work'));
      mustOk(await agent.get('/api/v1/me'));
    }
  };
  const solve = (agent: Agent, id: string, result: string): Promise<Answer> =>
    act(agent, id, 'solution', { agentId: agent.account, result });

  it('can be taken up by the signer while a task is claimed, refused and paid', async () => {
    const task = await publish(alice, { acceptance: RULE, disputeWindowSeconds: 60 });
    await look(task.id);
    mustRefuse(await claimBy(alice, task.id), 400, 'self-dealing');
    mustOk(await act(carol, task.id, 'start', { agentId: carol.account }));
    const claimToken = await claim(bob, task.id);
    mustRefuse(await claimBy(carol, task.id), 400, 'already-claimed');
    await look(task.id);
    mustOk(await act(bob, task.id, 'submit', { claimToken, result: 'no' }));
    await look(task.id);
    const again = await claim(carol, task.id);
    mustOk(await act(carol, task.id, 'fail', { claimToken: again, reason: 'No time.' }));
    await look(task.id);
    const last = await claim(bob, task.id);
    mustOk(await act(bob, task.id, 'submit', { claimToken: last, result: 'done' }));
    await look(task.id);
    mustOk(await act(alice, task.id, 'accept', { requester: alice.account }));
    await look(task.id);
  });

  it('leaves out what a worker may do no more', async () => {
    const task = await publish(alice, { acceptance: RULE, maxAttempts: 1 });
    const claimToken = await claim(bob, task.id);
    mustOk(await act(bob, task.id, 'submit', { claimToken, result: 'no' }));
    await look(task.id);
    mustRefuse(await claimBy(bob, task.id), 400, 'attempts-used');
    const own = mustOk(await bob.get(`/api/v1/tasks/${task.id}`));
    const others = mustOk(await carol.get(`/api/v1/tasks/${task.id}`));
    const claims = (body: Body): number =>
      offersIn(body).filter(({ action }) => action === 'tasks.claim').length;
    assert.deepEqual([claims(own), claims(others)], [0, 1]);
    mustOk(await act(alice, task.id, 'cancel', { requester: alice.account }));
  });

  it('can be taken up while several results of open work wait', async () => {
    const task = await publish(alice, { mode: 'open', verification: 'requester' });
    const first = mustOk(await solve(bob, task.id, 'one'));
    mustRefuse(await solve(bob, task.id, 'two'), 400, 'solutions-pending');
    mustOk(await solve(carol, task.id, 'three'));
    await look(task.id);
    for (const agent of [alice, bob]) mustOk(await agent.get(`/api/v1/tasks/${task.id}/solutions`));
    const requester = alice.account;
    const { solutionId } = first;
    mustOk(await act(alice, task.id, 'reject', { requester, solutionId, reason: 'Not it.' }));
    await look(task.id);
    mustOk(await act(alice, task.id, 'accept', { requester }));
    await look(task.id);
  });

  it('can be taken up while plans are offered, passed, chosen and let go', async () => {
    const task = await publish(alice, PITCHED);
    const pitchId = await offer(bob, task.id);
    await look(task.id);
    await offer(carol, task.id);
    mustRefuse(await claimBy(carol, task.id), 400, 'pitch-required');
    mustOk(await choose(alice, task.id, pitchId));
    await look(task.id);
    mustRefuse(await claimBy(carol, task.id), 400, 'not-chosen');
    driver.world.hub.clock.advance(3_600);
    await look(task.id);
    mustOk(await act(alice, task.id, 'cancel', { requester: alice.account }));
  });

  it('can be taken up while a dispute is raised and ruled', async () => {
    const { id } = await disputed(driver);
    await look(id);
    const arbiter = following(await arbiterOf(driver, id), taken);
    mustOk(await arbiter.get(`/api/v1/tasks/${id}`));
    mustOk(await arbiter.get('/api/v1/me/work'));
    mustOk(await arbiter.get('/api/v1/disputes'));
    mustRefuse(await act(bob, id, 'cancel', { requester: bob.account }), 400, 'not-a-party');
    await ruled(driver, id, 'split');
    await look(id);
  });

  it('can be taken up of chains and markets', async () => {
    const step = {
      title: 'First',
      description: 'A step.',
      rewardAmount: '10000',
      acceptance: RULE,
    };
    const chain = mustOk(
      await alice.post('/api/v1/chains', {
        requester: alice.account,
        title: 'Two steps',
        steps: [step, { ...step, title: 'Second' }],
      }),
    );
    await look(String(at(chain, 'steps', 0, 'taskId')));
    mustOk(await alice.post(`/api/v1/chains/${String(chain['id'])}/abandon`, {}));
    const closesAt = new Date(driver.world.hub.clock.now() + 3_600_000).toISOString();
    const question = 'Will the page say yes at noon?';
    const terms = { question, source: 'https://example.org/answer', closesAt };
    const market = mustOk(await alice.post('/api/v1/games/predictions/markets', terms));
    await driver.world.fund(driver.world.bob, '1000000');
    const path = `/api/v1/games/predictions/markets/${String(market['id'])}/bet`;
    mustOk(await bob.post(path, { side: 'yes', amount: '10000' }));
    mustOk(await bob.get('/api/v1/games/positions'));
  });

  it('were many, and of every kind that a task has', () => {
    assert.ok(taken.length > 100, `${taken.length} offers`);
    assert.deepEqual([...new Set(taken)].filter((name) => name.startsWith('tasks.')).sort(), [
      'tasks.accept',
      'tasks.arbitrate',
      'tasks.cancel',
      'tasks.claim',
      'tasks.comment',
      'tasks.dispute',
      'tasks.fail',
      'tasks.pitch',
      'tasks.pitches',
      'tasks.reject',
      'tasks.solution',
      'tasks.start',
      'tasks.submit',
    ]);
  });
});
