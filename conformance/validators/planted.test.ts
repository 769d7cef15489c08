import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject } from '../../domain/jsonObject.ts';
import { at, mustOk } from '../harness/must.ts';
import { hubctl } from '../operator/_operator.ts';
import { act, publish, type Body } from '../tasks/_work.ts';
import { COURT_MS_MAX, delivered, openCourt, panels, type PanelDriver } from './_court.ts';
import { measure, planted } from './_measured.ts';

/** Every member of a value by its path, with the kind of its value; ids and times have no more. */
function shapeOf(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => shapeOf(each, `${path}[]`)).sort();
  if (!isObject(value)) return [`${path}: ${value === null ? 'null' : typeof value}`];
  return Object.entries(value)
    .flatMap(([name, each]) => shapeOf(each, `${path}.${name}`))
    .sort();
}

describe('planted results', function suite() {
  this.timeout(COURT_MS_MAX);
  let driver: PanelDriver;
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hub-test-'));
    driver = await openCourt({ judges: 3, databaseUrl: `sqlite:${join(folder, 'hub.sqlite')}` });
  });
  afterEach(async () => {
    await driver.close();
    await rm(folder, { recursive: true, force: true });
  });

  const published = { description: 'Read the page.', input: { page: 1 } };
  /** All that a judge can ask about a task, and what it was called with. */
  const seenOf = async (id: string): Promise<readonly unknown[]> => {
    const { world, judges } = driver;
    const [judge] = judges;
    assert.ok(judge !== undefined);
    const paths = [
      ...['', '/economics', '/comments', '/solutions'].map((part) => `/api/v1/tasks/${id}${part}`),
      `/api/v1/wallet/${world.alice.account}/summary`,
    ];
    const answers = [];
    for (const path of paths) answers.push((await judge.agent.get(path)).body);
    const call = judge.cases.find(({ taskId }) => taskId === id);
    const request = judge.requests.find(({ body }) => body['taskId'] === id);
    const events = mustOk(await judge.agent.get('/api/v1/me/events'));
    const own = (events['events'] as Body[]).filter((each) => JSON.stringify(each).includes(id));
    return [...answers, call, Object.keys(request?.headers ?? {}).sort(), own];
  };

  it('differ from real ones in no field, header or event that a judge can see', async () => {
    const real = await delivered(driver, published);
    const plant = await planted(driver, 'accepted', published);
    await driver.sit();
    await measure(driver);
    const [ofReal, ofPlant] = [await seenOf(real), await seenOf(plant)];
    assert.ok(JSON.stringify(ofReal).includes('judge.drawn'), 'the judge was notified');
    assert.deepEqual(shapeOf(ofPlant), shapeOf(ofReal));
    const texts = JSON.stringify(ofPlant);
    assert.ok(!/plant/i.test(texts), texts);
    const [export1] = [
      await driver.world.alice.get(`/api/v1/wallet/${driver.world.alice.account}/export`),
    ];
    assert.ok(!/plant/i.test(export1.text));
  });

  it('are called in the order and time of real ones: the mark is no part of any draw or call', async () => {
    const marked: string[] = [];
    for (let nth = 0; nth < 6; nth += 1) {
      if (nth % 2 === 0) await delivered(driver, published);
      else marked.push(await planted(driver, 'accepted', published));
    }
    const { hub } = driver.world;
    await hub.runJob('panels');
    // Calls go out side by side, so they may arrive in another order than this one.
    const due = await hub.running.hub.store.read((db) =>
      db
        .knex('panel_seats')
        .join('panel_rounds', 'id', 'round_id')
        .where({ place: 0 })
        .orderBy(['due_at', 'round_id'])
        .select<{ task_id: string; due_at: number }[]>('task_id', 'due_at'),
    );
    const order = due.map(({ task_id: id }) => marked.includes(id));
    assert.deepEqual(order, [false, true, false, true, false, true], 'first delivered, first due');
    assert.equal(new Set(due.map(({ due_at: time }) => time)).size, 1, 'and at one time');
    await driver.sit();
    const called = driver.judges.flatMap(({ cases }) => cases.map(({ taskId }) => taskId));
    assert.deepEqual(new Set(called), new Set(due.map(({ task_id: id }) => id)));
    for (const id of marked) assert.equal((await panels(driver, id)).length, 1);
  });

  it('stay unknown to a lone judge that states another confidence for each vote', async () => {
    await driver.close();
    driver = await openCourt({
      judges: 1,
      databaseUrl: `sqlite:${join(folder, 'lone.sqlite')}`,
    });
    const [judge] = driver.judges;
    assert.ok(judge !== undefined);
    judge.does(({ nth }) => JSON.stringify({ verdict: 'accepted', confidence: nth / 100 }));
    for (let nth = 0; nth < 20; nth += 1) {
      if (nth % 4 === 1) await planted(driver, 'rejected', published);
      else await delivered(driver, published);
    }
    for (let run = 0; run < 8; run += 1) await driver.sit();
    await measure(driver);
    const list = mustOk(await driver.world.anyone.get('/api/v1/validators'));
    const id = String(at(list, 'validators', 0, 'id'));
    const report = mustOk(await driver.world.anyone.get(`/api/v1/validators?id=${id}`));
    assert.equal(at(report, 'measures', 'all', 'draws'), 20);
    assert.equal(at(report, 'measures', 'all', 'calibration'), undefined);
    assert.deepEqual(
      [
        at(report, 'measures', 'all', 'planted', 'count'),
        at(report, 'measures', 'all', 'planted', 'of'),
      ],
      [0, 5],
    );
  });

  it('take an answer from the operator alone, once, between claim and delivery', async () => {
    const { world } = driver;
    const { id } = await publish(world.alice, { verification: 'validator' });
    const { attemptId, claimToken } = mustOk(
      await act(world.bob, id, 'claim', { agentId: world.bob.account }),
    );
    const answer = (...words: readonly string[]) => hubctl([world], 'plant', 'answer', ...words);
    assert.equal((await answer(String(attemptId), 'maybe')).code, 2);
    assert.equal((await answer(String(attemptId), 'rejected')).code, 0);
    assert.match((await answer(String(attemptId), 'accepted')).output, /noted already/);
    mustOk(await act(world.bob, id, 'submit', { claimToken, result: 'x' }));
    const other = await delivered(driver);
    const workers = mustOk(await world.anyone.get(`/api/v1/tasks/${other}`))['workers'];
    assert.match((await answer(String(at(workers, 0, 'id')), 'accepted')).output, /waiting/);
    const { id: plain } = await publish(world.alice);
    const unjudged = mustOk(await act(world.bob, plain, 'claim', { agentId: world.bob.account }));
    assert.match(
      (await answer(String(unjudged['attemptId']), 'accepted')).output,
      /no panel judges/,
    );
    assert.match((await answer('nothing', 'accepted')).output, /there is no attempt/);
  });

  it('are drawn like a real task from the operator’s own cases, and compared with real ones', async () => {
    const { world } = driver;
    const file = join(folder, 'cases.json');
    const item = { title: 'Sum', description: 'Add a and b.', input: { a: 1, b: 2 } };
    await writeFile(file, JSON.stringify([{ ...item, result: { sum: 4 }, answer: 'rejected' }]));
    assert.match((await hubctl([world], 'plant', 'draw', file)).output, /Only 0 judged tasks/);
    for (let nth = 0; nth < 20; nth += 1) await delivered(driver, { maxAttempts: 4 });
    assert.match((await hubctl([world], 'plant', 'check')).output, /no planted tasks/);
    const { code, output } = await hubctl([world], 'plant', 'draw', file, '5');
    assert.equal(code, 0, output);
    const order = JSON.parse(output) as Body;
    assert.deepEqual([order['answer'], order['result']], ['rejected', { sum: 4 }]);
    const { deadline: _deadline, ...body } = order['publish'] as Body;
    const { id } = await publish(world.alice, body);
    const task = mustOk(await world.anyone.get(`/api/v1/tasks/${id}`));
    assert.deepEqual(
      [task['title'], task['maxAttempts'], at(task, 'reward', 'amount')],
      ['Sum', 4, '1000000'],
    );
    await planted(driver, 'rejected', { ...item, maxAttempts: 9 });
    const checked = await hubctl([world], 'plant', 'check');
    assert.equal(checked.output.trim().split('\n').length, 12, checked.output);
    assert.match((await hubctl([world], 'plant', 'draw', file)).output, /was planted already/);
    await writeFile(file, JSON.stringify([{ title: 'Sum', answer: 'maybe' }]));
    assert.match((await hubctl([world], 'plant', 'draw', file)).output, /write a list of/);
  });
});
