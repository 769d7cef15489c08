import assert from 'node:assert/strict';
import { putFile, sha256Of } from '../files/file.ts';
import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { wordsShown } from '../operator/_everyRead.ts';
import {
  judgeBy,
  onEachDatabase,
  openCourt,
  panels,
  type Judge,
  type PanelDriver,
} from '../validators/_court.ts';
import { act, claim, publish, read, type Body } from './_work.ts';

const PRIVATE = {
  audience: 'parties',
  title: 'A rudely named job',
  tags: ['open-tag'],
  description: 'rudely: wordsofbrief',
  input: { text: 'wordsofinput' },
  acceptance: { kind: 'fields', checks: [{ path: 'wordsofrule', minLength: 1 }] },
  target: { origin: 'https://wordsoftarget.example' },
  verification: 'requester',
};
const RESULT = { wordsofrule: 'wordsofresult' };
const WORDS = [
  ...['brief', 'input', 'rule', 'target', 'result', 'file', 'question', 'answer', 'general'],
  ...['reject', 'dispute', 'ruling', 'plan', 'giveback'],
].map((word) => `wordsof${word}`);

onEachDatabase('private tasks', (url) => {
  let driver: PanelDriver;
  let world: Fixture;
  before(async () => {
    driver = await openCourt({ databaseUrl: await url(), judges: 2 });
    ({ world } = driver);
  });
  after(() => driver.close());

  it('show none of their texts to others in any read, from publication to ruling', async () => {
    const { alice, bob } = world;
    const outsider = await world.agent();
    const pitched = await publish(alice, { ...PRIVATE, tags: ['pitch'] });
    const plan = { agentId: bob.account, plan: 'wordsofplan' };
    mustOk(await act(bob, pitched.id, 'pitch', plan));
    const [task, rejected] = [await ruledTask(driver), await rejectedTask(world)];
    const ids = new Map(
      [task.id, rejected, pitched.id].map((id) => [`/api/v1/tasks/{id} ${id}`, id] as const),
    );
    const queries = { 'tasks.list': WORDS.map((word) => `?q=${word}`) };
    const published = { words: WORDS, ids, queries };
    assert.deepEqual(await wordsShown(world, published, outsider), new Map());
    // The same reads find a public task of the same words, so they look where they should.
    const found = await wordsShown(
      world,
      { ...published, ids: new Map([[`/api/v1/tasks/{id}`, await publicTwin(alice)]]) },
      outsider,
    );
    assert.deepEqual(
      ['wordsofbrief', 'wordsofinput', 'wordsofrule'].map((word) => found.get(word)?.length ?? 0),
      [3, 2, 2],
      JSON.stringify([...found]),
    );
    const file = `/api/v1/tasks/${task.id}/files/${sha256Of('wordsoffile')}`;
    for (const reader of [world.anyone, outsider]) {
      mustRefuse(await reader.get(file), 404, 'not-found');
    }
    for (const reader of [alice, bob, task.arbiter]) mustOk(await reader.get(file));
  });

  it('show others what they need to choose work, and a digest of the rest', async () => {
    const { alice, anyone, bob } = world;
    const { id, ...own } = await publish(alice, PRIVATE);
    assert.equal(own['description'], PRIVATE.description);
    const seen = await read(world, id);
    assert.deepEqual(
      ['title', 'audience', 'description', 'input', 'acceptance', 'target'].map(
        (name) => seen[name],
      ),
      [
        PRIVATE.title,
        'parties',
        'For the parties of this task alone.',
        ...Array.from({ length: 3 }),
      ],
    );
    assert.equal(at(seen, 'withheld', 'rule'), 'fields');
    const { description, input, acceptance, target } = PRIVATE;
    const members = { acceptance, description, files: null, input, target, v: 1 };
    const text = JSON.stringify(sorted(members));
    assert.equal(at(seen, 'withheld', 'digest'), sha256Of(text));
    assert.deepEqual(at(seen, 'terms'), own['terms']);
    const listed = mustOk(await anyone.get('/api/v1/tasks?tag=open-tag'))['tasks'] as Body[];
    const ownRow = listed.find((each) => each['id'] === id);
    assert.equal(ownRow?.['title'], PRIVATE.title);
    assert.ok(ownRow['input'] === undefined && ownRow['withheld'] !== undefined);
    const claimed = mustOk(await act(bob, id, 'claim', { agentId: bob.account }));
    assert.deepEqual(at(claimed, 'work', 'input'), input);
    mustOk(await act(bob, id, 'fail', { claimToken: claimed['claimToken'] }));
    assert.deepEqual(at(claimed, 'work', 'acceptance'), acceptance);
    assert.equal(mustOk(await bob.get(`/api/v1/tasks/${id}`))['description'], description);
    assert.equal((await read(world, id))['input'], undefined);
  });

  it('are decided at publication: what cannot be private is refused', async () => {
    const { alice } = world;
    for (const over of [{ mode: 'open' }, { tags: ['thread'], rewardAmount: undefined }]) {
      const body = { requester: alice.account, rewardAmount: '5000', ...PRIVATE, ...over };
      mustRefuse(await alice.post('/api/v1/tasks', body), 400, 'not-together');
    }
    const body = { requester: alice.account, title: 'x', audience: 'everybody' };
    mustRefuse(await alice.post('/api/v1/tasks', body), 400, 'unknown-field-value');
  });

  it('keep the messages of one worker from another, before the claim as well', async () => {
    const { alice, bob } = world;
    const rival = await world.agent();
    const { id } = await publish(alice, PRIVATE);
    const asked = await say(bob, id, 'May it be late?');
    const other = await say(rival, id, 'Is it paid?');
    await say(alice, id, 'No.', asked);
    await say(alice, id, 'For all who claimed.');
    const bodies = async (by: Pick<Agent, 'get'>): Promise<unknown[]> => {
      const { comments } = mustOk(await by.get(`/api/v1/tasks/${id}/comments`));
      return (comments as Body[]).map(({ body }) => body);
    };
    const all = ['May it be late?', 'Is it paid?', 'No.', 'For all who claimed.'];
    assert.deepEqual(await bodies(alice), all);
    assert.deepEqual(await bodies(bob), ['May it be late?', 'No.']);
    assert.deepEqual(await bodies(rival), ['Is it paid?']);
    assert.deepEqual(await bodies(world.anyone), []);
    const answer = { author: bob.account, body: 'Me too.', parentId: other };
    mustRefuse(await act(bob, id, 'comments', answer), 404, 'not-found');
    await claim(bob, id);
    assert.deepEqual(await bodies(bob), ['May it be late?', 'No.', 'For all who claimed.']);
    const noted = mustOk(await bob.get('/api/v1/me/events?wait=0'))['events'] as Body[];
    const kinds = noted.filter(({ taskId }) => taskId === id).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['comment.posted', 'task.claimed']);
  });

  it('show an arbiter everything from its draw until it resigns', async () => {
    const { id, arbiter } = await ruledTask(driver, await world.agent());
    const [other] = driver.judges.filter(({ agent }) => agent.account !== arbiter.account);
    const all = { brief: PRIVATE.description, results: [RESULT], files: 200 };
    const none = { brief: WITHHELD, results: [undefined], files: 404 };
    assert.deepEqual(await seen(arbiter, id), all);
    assert.deepEqual(await seen(other?.agent ?? assert.fail(), id), none);
    mustOk(await arbiter.post('/api/v1/validators/resign', { account: arbiter.account }));
    assert.deepEqual(await seen(arbiter, id), none);
  });
});

onEachDatabase('private tasks before a panel', (url) => {
  let driver: PanelDriver;
  before(async () => {
    driver = await openCourt({ databaseUrl: await url(), judges: 4 });
    for (const judge of driver.judges) {
      judge.does(() => JSON.stringify({ verdict: 'rejected', reason: 'wordsofvote' }));
    }
  });
  after(() => driver.close());

  it('show each judge the results that it was drawn for, until it resigns', async () => {
    const { world, judges } = driver;
    const { alice, bob } = world;
    const carol = await world.agent();
    for (const worker of [bob, carol]) await world.fund(worker, '9000000');
    const { id } = await publish(alice, { ...PRIVATE, verification: 'validator' });
    const brief = PRIVATE.description;
    const all = (results: readonly unknown[]) => ({ brief, results, files: 200 });
    const none = (length: number) => {
      const results = Array.from({ length });
      return { brief: WITHHELD, results, files: 404 };
    };
    for (const { agent } of judges) assert.deepEqual(await seen(agent, id), none(0));

    await deliver(bob, id);
    const drawn = await drawnOn(driver, id);
    assert.equal(drawn.length, 3);
    const [rest = assert.fail()] = judges.filter((judge) => !drawn.includes(judge));
    for (const { agent } of drawn) assert.deepEqual(await seen(agent, id), all([RESULT]));
    assert.deepEqual(await seen(rest.agent, id), none(1));
    await driver.sit();
    assert.equal((await read(world, id))['state'], 'open');

    const [leaving = assert.fail(), staying = assert.fail()] = drawn;
    const account = leaving.agent.account;
    mustOk(await leaving.agent.post('/api/v1/validators/resign', { account }));
    await deliver(carol, id);
    assert.ok((await drawnOn(driver, id)).includes(rest), 'three of three are drawn');
    assert.deepEqual(await seen(leaving.agent, id), none(2));
    assert.deepEqual(await seen(rest.agent, id), all([undefined, RESULT]));
    assert.deepEqual(await seen(staying.agent, id), all([RESULT, RESULT]));
    await driver.sit();

    const ids = new Map([
      ['/api/v1/tasks/{id}', id],
      ['/api/v1/validators/{id}', rest.agent.account],
    ]);
    const published = { words: [...WORDS, 'wordsofvote'], ids };
    assert.deepEqual(await wordsShown(world, published, await world.agent()), new Map());
    const [vote] = at(await panelSeenBy(bob, id), 'judges') as Body[];
    assert.equal(vote?.['reason'], 'wordsofvote', 'its worker reads why');
    assert.equal(at(await panelSeenBy(leaving.agent, id), 'judges', 0, 'reason'), undefined);
  });
});

const WITHHELD = 'For the parties of this task alone.';

/** The view of one account of a task: its brief, each result, and the file of the last one. */
async function seen(by: Agent, id: string): Promise<Body> {
  const { description: brief } = mustOk(await by.get(`/api/v1/tasks/${id}`));
  const { solutions } = mustOk(await by.get(`/api/v1/tasks/${id}/solutions`));
  const { status } = await by.get(`/api/v1/tasks/${id}/files/${sha256Of('wordsoffile')}`);
  const results = (solutions as Body[]).map(({ result }) => result);
  return { brief, results, files: status };
}

async function deliver(by: Agent, id: string): Promise<void> {
  const { sha256 } = mustOk(await putFile(by, 'private/out', 'wordsoffile'));
  const files = [{ owner: by.account, key: 'private/out', sha256 }];
  const claimToken = await claim(by, id);
  mustOk(await act(by, id, 'submit', { claimToken, result: RESULT, files }));
}

async function panelSeenBy(by: Agent, id: string): Promise<Body> {
  const [first] = mustOk(await by.get(`/api/v1/tasks/${id}`))['panels'] as Body[];
  return first ?? assert.fail();
}

/** Judges of the newest round of a task. */
async function drawnOn(driver: PanelDriver, id: string): Promise<readonly Judge[]> {
  const round = (await panels(driver, id)).at(-1) ?? assert.fail();
  return (round['judges'] as Body[]).map(({ account }) => judgeBy(driver, account));
}

/** A task of whose life every text is private: asked, given back, rejected, disputed and ruled. */
async function ruledTask(
  driver: PanelDriver,
  bob = driver.world.bob,
): Promise<{ readonly id: string; readonly arbiter: Agent }> {
  const { world } = driver;
  const { alice } = world;
  await world.fund(bob, '9000000');
  const { id } = await publish(alice, { ...PRIVATE, verification: 'automatic' });
  const question = await say(bob, id, 'rudely: wordsofquestion');
  await say(alice, id, 'wordsofanswer', question);
  const claimToken = await claim(bob, id);
  await say(alice, id, 'wordsofgeneral');
  const worker = bob.account;
  mustOk(await act(bob, id, 'fail', { claimToken, reason: 'wordsofgiveback' }));
  const { sha256 } = mustOk(await putFile(bob, 'private/out', 'wordsoffile'));
  const files = [{ owner: worker, key: 'private/out', sha256 }];
  const second = await claim(bob, id);
  mustOk(await act(bob, id, 'submit', { claimToken: second, result: RESULT, files }));
  const objection = { raisedBy: bob.account, reason: 'wordsofdispute' };
  const raised = mustOk(await act(bob, id, 'dispute', objection));
  const arbiter = judgeBy(driver, raised['arbiter']).agent;
  assert.equal(
    mustOk(await arbiter.get(`/api/v1/tasks/${id}`))['description'],
    PRIVATE.description,
  );
  const ruling = { by: arbiter.account, verdict: 'rejected', resolution: 'wordsofruling' };
  mustOk(await act(arbiter, id, 'arbitrate', ruling));
  return { id, arbiter };
}

/** A task on which a result was rejected. */
async function rejectedTask({ alice, bob }: Fixture): Promise<string> {
  const { id } = await publish(alice, PRIVATE);
  const claimToken = await claim(bob, id);
  mustOk(await act(bob, id, 'submit', { claimToken, result: RESULT }));
  const reason = 'wordsofreject';
  mustOk(await act(alice, id, 'reject', { requester: alice.account, reason }));
  return id;
}

async function publicTwin(by: Agent): Promise<string> {
  const { audience: _, ...open } = PRIVATE;
  return (await publish(by, open)).id;
}

async function say(by: Agent, id: string, body: string, parentId?: string): Promise<string> {
  const comment = { author: by.account, body, ...(parentId !== undefined && { parentId }) };
  return String(mustOk(await act(by, id, 'comments', comment))['id']);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}
