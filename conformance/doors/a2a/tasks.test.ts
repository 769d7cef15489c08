import assert from 'node:assert/strict';
import type { Agent } from '../../harness/agents.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { readRpc, request, type Json, type RpcAnswer } from '../mcp/_door.ts';
import { publishWork } from '../mcp/_town.ts';
import {
  A2A,
  callSkill,
  dataOf,
  mustBeUnauthorized,
  mustComplete,
  mustError,
  mustReject,
  mustTask,
  post,
  resultOf,
  skillCall,
  SPELLINGS,
  unwrapped,
  VERSIONS,
} from './_door.ts';
import { seated, settle, until } from '../../harness/waiting.ts';

/** Tasks while they work and after: who may see them, what ends them, what follows them. */
const PROMPT_TRIES_MAX = 5;
const WAIT = { wait: 30 };
const NOT_FOUND = -32_001;
const NOT_CANCELABLE = -32_002;
const UNSUPPORTED = -32_004;
const PARAMS = -32_602;
const POLLS_MAX = 4;
const REWARD = '1000';

/** A stream that is read while it goes on. */
interface Following {
  readonly events: Json[];
  readonly ended: Promise<void>;
  hangUp(): void;
}

async function follow(world: Fixture, body: unknown, by: Agent): Promise<Following> {
  const signed = await by.signed('POST', A2A, body);
  const hanging = new AbortController();
  const response = await fetch(signed, { signal: hanging.signal });
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  const events: Json[] = [];
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of response.body ?? []) {
      const pieces = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
      rest = pieces.pop() ?? '';
      for (const piece of pieces) {
        events.push(unwrapped(JSON.parse(piece.slice(piece.indexOf('{'))) as Json));
      }
    }
  };
  return { events, ended: read().catch(() => undefined), hangUp: () => hanging.abort() };
}

for (const version of VERSIONS) {
  const { get, cancel, subscribe, send, stream, atOnce, header } = SPELLINGS[version];

  describe(`a task of A2A ${version}`, () => {
    let world: Fixture;
    beforeEach(async () => {
      world = await openFixture();
    });
    afterEach(() => world.close());

    const ask = (method: string, params: Json, by?: Agent): Promise<RpcAnswer> =>
      post(world, request(1, method, params), { headers: header, ...(by && { by }) });
    const claim = (): Json => skillCall(version, 'claim-task', WAIT, { configuration: atOnce });
    const streamed = (given: Json): Json => ({
      ...skillCall(version, 'claim-task', given),
      method: stream,
    });
    const published = async (): Promise<Json> => {
      const { alice } = world;
      await world.fund(alice, '5000');
      const acceptance = { kind: 'contains', values: ['done'] };
      const given = { requester: alice.account, title: 'T', rewardAmount: REWARD, acceptance };
      return mustTask(
        await callSkill(world, version, 'publish-task', given, { by: alice }),
        version,
        'completed',
      );
    };
    /** A claim that waits on its own, and the task that stands for it. */
    const waiting = async (): Promise<string> => {
      const answer = await post(world, claim(), { headers: header, by: world.bob });
      return String(mustTask(answer, version, 'working')['id']);
    };
    const ended = async (id: string, by: Agent): Promise<Json> => {
      for (let looks = 0; looks < 100; looks += 1) {
        const answer = await ask(get, { id }, by);
        if ((resultOf(answer)['status'] as Json)['state'] !== SPELLINGS[version].state('working')) {
          return resultOf(answer);
        }
        await settle();
      }
      throw new Error('the task does not end');
    };

    it('is shown again to its signer alone', async () => {
      const task = await published();
      const id = task['id'];
      assert.deepEqual(resultOf(await ask(get, { id }, world.alice)), task);
      for (const by of [world.bob, undefined]) {
        const { hint } = mustError(await ask(get, { id }, by), version, NOT_FOUND);
        assert.match(String(hint), by ? /kept an hour/ : /^Sign the request/);
        mustError(await ask(cancel, { id }, by), version, NOT_FOUND);
        mustError(await ask(subscribe, { id }, by), version, NOT_FOUND);
      }
    });

    it('is shown for one signature once', async () => {
      const body = request(1, get, { id: (await published())['id'] });
      const { headers } = await world.alice.signed('POST', A2A, body);
      const once = async () => {
        const init = { method: 'POST', headers, body: JSON.stringify(body) };
        return readRpc(await fetch(`${world.hub.url}${A2A}`, init));
      };
      resultOf(await once());
      mustBeUnauthorized(await once(), version, 'replayed');
    });

    it('is not found when it never existed, and one without a name is no params', async () => {
      for (const method of [get, cancel, subscribe]) {
        mustError(await ask(method, { id: 'nosuch' }, world.alice), version, NOT_FOUND);
        for (const params of [{}, { id: 7 }, { id: '' }, { id: 'x'.repeat(300) }]) {
          const { field } = mustError(await ask(method, params, world.alice), version, PARAMS);
          assert.equal(field, 'id');
        }
      }
    });

    it('is kept an hour', async () => {
      const { id } = await published();
      world.hub.clock.advance(3_600);
      resultOf(await ask(get, { id }, world.alice));
      world.hub.clock.advance(1);
      mustError(await ask(get, { id }, world.alice), version, NOT_FOUND);
    });

    it('takes no cancellation, no subscriber and no message at its end', async () => {
      const { id } = await published();
      mustError(await ask(cancel, { id }, world.alice), version, NOT_CANCELABLE);
      mustError(await ask(subscribe, { id }, world.alice), version, UNSUPPORTED);
      const more = skillCall(version, 'list-tasks', {});
      const { message } = more['params'] as { readonly message: Json };
      const params = (taskId: unknown): Json => ({ message: { ...message, taskId } });
      mustError(await ask(send, params(id), world.alice), version, UNSUPPORTED);
      mustError(await ask(stream, params(id), world.alice), version, UNSUPPORTED);
      mustError(await ask(send, params('nosuch'), world.alice), version, NOT_FOUND);
      mustError(await ask(send, params(id), world.bob), version, NOT_FOUND);
    });

    it('waits on without its caller, which asks for its end', async () => {
      const id = await waiting();
      const working = resultOf(await ask(get, { id }, world.bob));
      assert.equal((working['status'] as Json)['state'], SPELLINGS[version].state('working'));
      const title = await publishWork(world);
      const { artifacts } = await ended(id, world.bob);
      const { work } = dataOf((artifacts as readonly Json[])[0]);
      assert.equal((work as Json)['title'], title);
    });

    it('ends at once when it is cancelled, and holds nothing', async () => {
      const id = await waiting();
      const task = mustTask(await ask(cancel, { id }, world.bob), version, 'canceled');
      assert.equal(task['id'], id);
      await publishWork(world);
      const { body } = await world.bob.get('/api/v1/me');
      assert.deepEqual(body['claims'], []);
      const again = mustTask(await ask(cancel, { id }, world.bob), version, 'canceled');
      assert.deepEqual(again, task);
      assert.deepEqual(resultOf(await ask(get, { id }, world.bob)), task);
    });

    it('streams its work: itself, then the answer, then its end', async () => {
      const following = await follow(world, streamed(WAIT), world.bob);
      await until(() => following.events.length > 0);
      const [task] = following.events;
      assert.equal((task?.['status'] as Json)['state'], SPELLINGS[version].state('working'));
      const title = await publishWork(world);
      await following.ended;
      const [, answer, end, ...more] = following.events;
      assert.deepEqual(more, []);
      const { work } = dataOf(answer?.['artifact']);
      assert.equal((work as Json)['title'], title);
      assert.equal(answer?.['taskId'], task?.['id']);
      assert.equal((end?.['status'] as Json)['state'], SPELLINGS[version].state('completed'));
      if (version === '0.3') {
        const kinds = following.events.map(({ kind }) => kind);
        assert.deepEqual(kinds, ['task', 'artifact-update', 'status-update']);
        assert.equal(end?.['final'], true);
      }
    });

    it('is followed by any number of subscribers to the same end', async () => {
      const id = await waiting();
      const body = request(1, subscribe, { id });
      const all = await Promise.all([1, 2].map(() => follow(world, body, world.bob)));
      await until(() => all.every(({ events }) => events.length > 0));
      mustTask(await ask(cancel, { id }, world.bob), version, 'canceled');
      for (const following of all) {
        await following.ended;
        assert.equal(following.events[0]?.['id'], id);
        const { state } = following.events.at(-1)?.['status'] as Json;
        assert.equal(state, SPELLINGS[version].state('canceled'));
      }
    });

    it('claims nothing and gives its place back when its stream is hung up', async () => {
      for (let times = 0; times < POLLS_MAX; times += 1) {
        const following = await follow(world, streamed(WAIT), world.bob);
        await seated(world.hub, 1);
        following.hangUp();
        await following.ended;
        await seated(world.hub, 0);
      }
      await publishWork(world);
      await settle();
      const { body } = await world.bob.get('/api/v1/me');
      assert.deepEqual(body['claims'], []);
    });

    it('streams one event when it ends promptly, and a refusal keeps its own status', async () => {
      let [task, ...more]: readonly Json[] = [];
      let title: unknown;
      // Promptly is a tenth of a second of the clock: a machine that was busy just then is asked again.
      for (let n = 0; n < PROMPT_TRIES_MAX && (n === 0 || more.length > 0); n += 1) {
        title = await publishWork(world);
        const following = await follow(world, streamed(WAIT), world.bob);
        await following.ended;
        [task, ...more] = following.events;
      }
      assert.deepEqual(more, []);
      const { work } = dataOf((task?.['artifacts'] as readonly Json[])[0]);
      assert.equal((work as Json)['title'], title);
      mustBeUnauthorized(await post(world, streamed(WAIT)), version, 'unsigned');
      const { network: _, ...wrong } = { network: 'x', wait: 'soon' };
      const answer = await post(world, streamed(wrong), { by: world.bob });
      assert.equal(answer.headers.get('content-type'), 'text/event-stream');
      mustReject(answer, version, 'bad-request');
    });

    it('answers a caller who waits for the end with the end', async () => {
      const open = callSkill(world, version, 'claim-task', WAIT, { by: world.bob });
      await settle();
      const title = await publishWork(world);
      const { work } = mustComplete(await open, version);
      assert.equal((work as Json)['title'], title);
    });
  });
}

describe('ListTasks', () => {
  let world: Fixture;
  const all: Json[] = [];
  const list = (params: Json, by?: Agent) =>
    post(world, request(1, 'ListTasks', params), by && { by });
  before(async () => {
    world = await openFixture();
    const { alice } = world;
    await world.fund(alice, '5000');
    for (const [index, skill] of ['publish-task', 'publish-task', 'start-work'].entries()) {
      world.hub.clock.advance(1);
      const given = { requester: alice.account, title: `T${index}` };
      const call = skillCall('1.0', skill, given);
      const { message } = call['params'] as { readonly message: Json };
      const params = { message: { ...message, contextId: index === 0 ? 'first' : 'other' } };
      all.unshift(resultOf(await post(world, { ...call, params }, { by: alice })));
    }
  });
  after(() => world.close());

  const ids = (answer: RpcAnswer): readonly unknown[] =>
    (resultOf(answer)['tasks'] as readonly Json[]).map(({ id }) => id);
  const idOf = (index: number): unknown => all[index]?.['id'];

  it('shows the signer’s tasks, newest first, without their answers unless asked', async () => {
    const { alice } = world;
    const bare = resultOf(await list({}, alice));
    assert.deepEqual(
      bare['tasks'],
      all.map(({ artifacts: _, ...task }) => task),
    );
    const { nextPageToken, pageSize, totalSize } = bare;
    assert.deepEqual([nextPageToken, pageSize, totalSize], ['', 3, 3]);
    const whole = resultOf(await list({ includeArtifacts: true }, alice));
    assert.deepEqual(whole['tasks'], all);
    assert.deepEqual(ids(await list({}, world.bob)), []);
  });

  it('pages through them', async () => {
    const first = await list({ pageSize: 2 }, world.alice);
    assert.deepEqual(ids(first), [idOf(0), idOf(1)]);
    const { nextPageToken } = resultOf(first);
    const second = await list({ pageSize: 2, pageToken: nextPageToken }, world.alice);
    assert.deepEqual(ids(second), [idOf(2)]);
    assert.equal(resultOf(second)['nextPageToken'], '');
  });

  it('filters by context, state and time', async () => {
    const { alice } = world;
    assert.deepEqual(ids(await list({ contextId: 'first' }, alice)), [idOf(2)]);
    assert.deepEqual(ids(await list({ status: 'TASK_STATE_REJECTED' }, alice)), [idOf(0)]);
    const { timestamp } = all[1]?.['status'] as Json;
    const after = await list({ statusTimestampAfter: timestamp }, alice);
    assert.deepEqual(ids(after), [idOf(0), idOf(1)]);
  });

  it('refuses invalid filters and unsigned requests', async () => {
    for (const [params, field] of [
      [{ pageSize: 101 }, 'pageSize'],
      [{ pageSize: -1 }, 'pageSize'],
      [{ pageSize: 0 }, 'pageSize'],
      [{ status: 'TASK_STATE_DONE' }, 'status'],
      [{ status: 'completed' }, 'status'],
      [{ pageSize: 1.5 }, 'pageSize'],
      [{ pageToken: 'x' }, 'pageToken'],
      [{ pageToken: 7 }, 'pageToken'],
      [{ statusTimestampAfter: 'yesterday' }, 'statusTimestampAfter'],
      [{ contextId: {} }, 'contextId'],
      [{ historyLength: 'all' }, 'historyLength'],
    ] as const) {
      const refusal = mustError(await list(params, world.alice), '1.0', PARAMS);
      assert.equal(refusal['field'], field);
    }
    mustBeUnauthorized(await list({}), '1.0', 'unsigned');
  });
});
