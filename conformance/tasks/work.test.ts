import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { onEachDatabase, openCourt, type PanelDriver } from '../validators/_court.ts';
import { accepted, arbiterOf, DAY, object, ruled } from './_disputing.ts';
import { act, claim, names, publish, RULE, submit, type Body } from './_work.ts';

onEachDatabase('tasks.work', (url) => {
  let driver: PanelDriver;
  before(async () => {
    driver = await openCourt({ databaseUrl: await url(), judges: 1 });
  });
  after(() => driver.close());

  const page = async (agent: Agent, query = ''): Promise<Body> =>
    mustOk(await agent.get(`/api/v1/me/work${query}`));
  const items = async (agent: Agent, query = ''): Promise<Body[]> =>
    (await page(agent, query))['work'] as Body[];
  const ids = async (agent: Agent, query: string): Promise<unknown[]> =>
    (await items(agent, query)).map(({ taskId }) => taskId);

  it('is empty for an account that has done nothing', async () => {
    const agent = await driver.world.agent();
    for (const role of ['worker', 'requester', 'judge']) {
      const body = await page(agent, `?role=${role}`);
      assert.deepEqual([body['role'], body['count'], body['work']], [role, 0, []]);
      assert.deepEqual([body['contentIsUntrusted'], body['next']], [true, undefined]);
    }
  });

  it('lists every part of an account in one page order, each item with its role', async () => {
    const { world, judges } = driver;
    const judge = (judges[0] ?? assert.fail('one judge')).agent;
    await world.fund(judge, '9000000');
    const first = await publish(judge, { acceptance: RULE });
    const second = await publish(world.alice, { acceptance: RULE });
    await claim(judge, second.id);
    const third = await publish(world.alice, { verification: 'validator' });
    mustOk(await submit(world.bob, third.id, 'The work.'));
    await world.hub.runJob('panels');
    const fourth = await publish(judge, { acceptance: RULE });
    const roles = (found: readonly Body[]): unknown[] =>
      found.map(({ role, taskId }) => `${String(role)} ${String(taskId)}`);
    const all = [
      `requester ${fourth.id}`,
      `judge ${third.id}`,
      `worker ${second.id}`,
      `requester ${first.id}`,
    ];
    assert.deepEqual(roles(await items(judge)), all);
    const found: unknown[] = [];
    for (let cursor = ''; ;) {
      const body = await page(judge, `?limit=1${cursor}`);
      const [item] = body['work'] as Body[];
      assert.equal(body['role'], item?.['role'], 'of the first item');
      found.push(...roles(body['work'] as Body[]));
      if (body['next'] === undefined) break;
      cursor = `&after=${String(body['next'])}`;
    }
    assert.deepEqual(found, all);
    assert.deepEqual(roles(await items(judge, '?state=claimed')), [`worker ${second.id}`]);
    assert.deepEqual(roles(await items(judge, '?state=waiting')), [`judge ${third.id}`]);
    assert.deepEqual(roles(await items(judge, '?state=open')), [all[0], all[3]]);
    for (const role of ['worker', 'requester', 'judge']) {
      const own = all.filter((each) => each.startsWith(role));
      assert.deepEqual(roles(await items(judge, `?role=${role}`)), own);
    }
    assert.equal((await page(await world.agent()))['role'], 'worker', 'of an empty page');
    await driver.sit();
  });

  it('follows one task through both parties, with the calls of each', async () => {
    const { world } = driver;
    const [worker, requester] = [await world.agent(), await world.agent()];
    await world.fund(requester, '5000000');
    const task = await publish(requester, { verification: 'requester', disputeWindowSeconds: 60 });
    const seen = async (): Promise<unknown[]> => {
      const [mine] = await items(worker);
      const [theirs] = await items(requester, '?role=requester');
      return [
        mine?.['state'],
        names(mine?.['next'] ?? []),
        theirs?.['state'],
        names(theirs?.['next']),
      ];
    };
    assert.deepEqual(await seen(), [undefined, [], 'open', ['tasks.cancel']]);

    const claimToken = await claim(worker, task.id);
    const verbs = ['tasks.submit', 'tasks.fail', 'tasks.claim'];
    assert.deepEqual(await seen(), ['claimed', verbs, 'claimed', []]);
    const [held] = await items(worker, '?state=claimed');
    assert.equal(held?.['leaseEndsAt'], at(await lease(worker, task.id), 'leaseEndsAt'));
    assert.deepEqual(at(held, 'reward', 'amount'), '1000000');

    mustOk(await act(worker, task.id, 'submit', { claimToken, result: 'done' }));
    assert.deepEqual(await seen(), ['waiting', [], 'waiting', ['tasks.accept', 'tasks.reject']]);
    const [delivery] = await items(requester, '?role=requester&state=waiting');
    assert.deepEqual([delivery?.['undecided'], delivery?.['worker']], [1, worker.account]);
    assert.equal(delivery?.['attemptId'], held?.['id']);

    const body = { requester: requester.account, reason: 'Not it.' };
    mustOk(await act(requester, task.id, 'reject', body));
    assert.deepEqual(await seen(), ['closed', [], 'open', ['tasks.cancel']]);
    const [lost] = await items(worker, '?state=closed');
    assert.deepEqual([lost?.['attemptState'], lost?.['reason']], ['rejected', 'Not it.']);

    const again = await submit(worker, task.id, 'done');
    assert.equal(mustOk(again)['outcome'], 'waiting');
    assert.equal((await items(worker)).length, 2);
    mustOk(await act(requester, task.id, 'accept', { requester: requester.account }));
    assert.deepEqual(await seen(), ['closed', [], 'closed', []]);
    assert.deepEqual(
      (await items(worker)).map((each) => each['attemptState']),
      ['accepted', 'rejected'],
    );
  });

  async function lease(worker: Agent, id: string): Promise<unknown> {
    const task = mustOk(await driver.world.anyone.get(`/api/v1/tasks/${id}`));
    const workers = task['workers'] as Body[];
    return workers.find((each) => each['worker'] === worker.account);
  }

  it('shows when an accepted reward is paid, and who decides about a disputed one', async () => {
    const { world } = driver;
    const worker = await world.agent();
    const paying = await accepted(driver, {}, worker);
    const other = await accepted(driver, {}, worker);
    const [soon] = await items(worker, '?state=accepted&limit=1');
    const economics = mustOk(await world.anyone.get(`/api/v1/tasks/${other.id}/economics`));
    assert.deepEqual(
      [soon?.['taskId'], soon?.['paysAt']],
      [other.id, at(economics, 'held', 'until')],
    );
    assert.deepEqual(names(soon?.['next']), ['tasks.dispute']);

    mustOk(await object(world.alice, other.id));
    assert.deepEqual(await ids(worker, '?state=accepted'), [paying.id]);
    const [frozen] = await items(worker, '?state=disputed');
    const arbiter = await arbiterOf(driver, other.id);
    assert.deepEqual(at(frozen, 'dispute', 'raisedBy'), world.alice.account);
    assert.deepEqual(at(frozen, 'dispute', 'arbiter'), arbiter.account);
    assert.deepEqual(await ids(world.alice, '?role=requester&state=disputed'), [other.id]);

    const [owed] = await items(arbiter, '?role=judge');
    assert.deepEqual([owed?.['case'], owed?.['taskId']], ['dispute', other.id]);
    assert.deepEqual([...new Set(names(owed?.['next']))], ['tasks.arbitrate']);
    await ruled(driver, other.id, 'rejected');
    assert.deepEqual(await items(arbiter, '?role=judge'), []);
    world.hub.clock.advance(DAY);
    assert.deepEqual(await ids(worker, '?state=accepted'), [], 'the window is over, no job ran');
    assert.deepEqual(await ids(worker, '?state=closed'), [other.id, paying.id]);
  });

  it('shows the panels that wait for a judge’s word to that judge alone', async () => {
    const { world, judges } = driver;
    const judge = judges[0] ?? assert.fail('one judge');
    const task = await publish(world.alice, { verification: 'validator' });
    mustOk(await submit(world.bob, task.id, 'The work.'));
    await world.hub.runJob('panels');
    const [owed] = await items(judge.agent, '?role=judge&state=waiting');
    const panels = mustOk(await world.anyone.get(`/api/v1/tasks/${task.id}`))['panels'];
    assert.deepEqual([owed?.['case'], owed?.['taskId']], ['panel', task.id]);
    assert.deepEqual(
      [owed?.['id'], owed?.['decidesAt']],
      [at(panels, 0, 'id'), at(panels, 0, 'endsAt')],
    );
    assert.equal(owed?.['attemptId'], at(panels, 0, 'attemptId'));
    assert.deepEqual(await items(world.bob, '?role=judge'), []);
    await driver.sit();
    assert.deepEqual(await items(judge.agent, '?role=judge'), []);
  });

  it('pages each kind without gaps while new work comes in', async () => {
    const { world } = driver;
    const [worker, requester] = [await world.agent(), await world.agent()];
    await world.fund(requester, '9000000');
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const { id } = await publish(requester, { mode: 'open', verification: 'requester' });
      mustOk(await act(worker, id, 'solution', { agentId: worker.account, result: count }));
      made.unshift(id);
    }
    for (const [agent, query] of [
      [worker, '?limit=2'],
      [worker, '?limit=2&state=waiting'],
      [requester, '?limit=2&role=requester'],
      [requester, '?limit=2&role=requester&state=waiting'],
    ] as const) {
      const found: unknown[] = [];
      for (let cursor = ''; ;) {
        const body = await page(agent, `${query}${cursor}`);
        found.push(...(body['work'] as Body[]).map(({ taskId }) => taskId));
        if (body['next'] === undefined) break;
        cursor = `&after=${String(body['next'])}`;
      }
      assert.deepEqual(found, made, query);
    }
    assert.equal((await page(worker, '?limit=9999'))['limit'], 200);
  });

  it('ends unpaid work with its acceptance', async () => {
    const { world } = driver;
    const worker = await world.agent();
    const free = { rewardAmount: undefined, acceptance: RULE };
    const { id } = await publish(world.alice, free);
    mustOk(await submit(worker, id, 'done'));
    assert.deepEqual(await ids(worker, '?state=accepted'), []);
    assert.deepEqual(await ids(worker, '?state=closed'), [id]);
    assert.ok((await ids(world.alice, '?role=requester&state=closed')).includes(id));
  });

  it('keeps an announced attempt apart from a claim', async () => {
    const { world } = driver;
    const worker = await world.agent();
    const { id } = await publish(world.alice);
    mustOk(await act(worker, id, 'start', { agentId: worker.account }));
    assert.deepEqual(await ids(worker, '?state=announced'), [id]);
    assert.deepEqual(await ids(worker, '?state=claimed'), []);
  });

  it('refuses who did not sign, and a state that the role never has', async () => {
    const { alice, anyone } = driver.world;
    mustRefuse(await anyone.get('/api/v1/me/work'), 401, 'unsigned');
    const open = mustRefuse(
      await alice.get('/api/v1/me/work?role=requester&state=announced'),
      400,
      'not-together',
    );
    assert.deepEqual(open['allowed'], [
      'open',
      'claimed',
      'waiting',
      'accepted',
      'disputed',
      'closed',
    ]);
    for (const query of ['?role=judge&state=closed', '?role=judge&state=open']) {
      mustRefuse(await alice.get(`/api/v1/me/work${query}`), 400, 'not-together');
    }
    mustRefuse(await alice.get('/api/v1/me/work?role=boss'), 400, 'unknown-filter');
    mustRefuse(await alice.get('/api/v1/me/work?owner=x'), 400, 'bad-request');
  });
});
