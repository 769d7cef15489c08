import assert from 'node:assert/strict';
import { at, refusalStep, scriptedHub, type ScriptedHub, type Step } from './fixture.ts';
import { Agent, createHub, generateKey, items, nextCalls, pages, watchTask } from './index.ts';
import type { GeneratedKey, Hub, HubEvent, HubOptions } from './index.ts';
import { deref, operations, type Json } from '../../conformance/harness/contract.ts';
import type { PagedPath } from './pages.ts';
import type { InitOf } from './routes.ts';
import { isRefusal, unwrap } from './refusal.ts';

const ID = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
const PATH = `/api/v1/tasks/${ID}`;

/** Every list of the contract that has more than one page. */
const LISTS = operations.flatMap(({ path, responses, raw }) => {
  const answer = deref<Json>(responses['200']?.content?.['application/json']?.schema ?? {});
  const hasCursor = 'nextCursor' in ((answer['properties'] ?? {}) as object);
  assert.ok(!hasCursor || JSON.stringify(raw['parameters']).includes('parameters/PageCursor'));
  return hasCursor ? [path as PagedPath] : [];
});

const page = (body: object): Step => ({ status: 200, body });
const taskStep = (state: string, events: number): Step =>
  page({ id: ID, state, paymentState: 'escrowed', history: Array.from({ length: events }) });

describe('what saves a caller work', () => {
  let scripted: ScriptedHub;
  let key: GeneratedKey;
  before(async () => {
    scripted = await scriptedHub();
    key = await generateKey();
  });
  after(() => scripted.close());

  const open = (more: Partial<HubOptions> = {}): Hub =>
    createHub({ baseUrl: scripted.baseUrl, key, ...more });
  const targets = (): readonly string[] => scripted.received().map(({ target }) => target);

  describe('pages', () => {
    it('are asked for one after the other, by the cursor of the one before', async () => {
      scripted.play(
        page({ tasks: [{ id: 'a' }, { id: 'b' }], hasMore: true, nextCursor: 'b' }),
        page({ tasks: [], hasMore: false }),
      );
      const found: string[] = [];
      const params = { query: { tag: 'x', limit: 2 } };
      for await (const { id } of items(open(), '/api/v1/tasks', 'tasks', { params }))
        found.push(id);
      assert.deepEqual(found, ['a', 'b']);
      assert.deepEqual(targets(), [
        '/api/v1/tasks?tag=x&limit=2',
        '/api/v1/tasks?tag=x&limit=2&cursor=b',
      ]);
    });

    for (const path of LISTS) {
      it(`are those of ${path}`, async () => {
        scripted.play(
          page({ hasMore: true, nextCursor: 'a/b', next: 'a/b' }),
          page({ hasMore: false }),
        );
        let count = 0;
        const params = { path: { owner: 'o', keyId: 'k', id: ID } };
        for await (const _ of pages(open(), path, { params } as InitOf<PagedPath>)) count += 1;
        const [first = '', second] = targets();
        assert.deepEqual([count, second], [2, `${first}?cursor=a%2Fb`]);
      });
    }

    it('are not asked for when the loop was left', async () => {
      scripted.play(page({ tasks: [{ id: 'a' }], hasMore: true, nextCursor: 'a' }));
      for await (const { tasks } of pages(open(), '/api/v1/tasks')) {
        assert.equal(tasks.length, 1);
        break;
      }
      assert.equal(targets().length, 1);
    });

    it('leave a number to begin at to the first of them', async () => {
      scripted.play(
        page({ agents: [{}], hasMore: true, nextCursor: '6' }),
        page({ agents: [{}], hasMore: false }),
      );
      let count = 0;
      for await (const _ of items(open(), '/api/v1/agents', 'agents', {
        params: { query: { offset: 5 } },
      }))
        count += 1;
      assert.deepEqual([count, targets()[1]], [2, '/api/v1/agents?offset=5&cursor=6']);
    });

    it('end with a refusal of one of them, and with the signal', async () => {
      scripted.play(
        page({ tasks: [{ id: 'a' }], hasMore: true, nextCursor: 'a' }),
        refusalStep(400, 'bad-request'),
      );
      const all = async (signal?: AbortSignal): Promise<void> => {
        for await (const _ of pages(open(), '/api/v1/tasks', { ...(signal && { signal }) }))
          continue;
      };
      await assert.rejects(all(), (error) => isRefusal(error, 'bad-request'));
      await assert.rejects(all(AbortSignal.abort(new Error('enough'))), /enough/);
    });
  });

  describe('next calls', () => {
    const call = {
      method: 'POST',
      path: `${PATH}/reject`,
      body: { reason: '<why>', by: 'me' },
    } as const;
    const next = [{ action: 'tasks.reject', call }];

    it('are sent as functions, with what was left to the caller', async () => {
      scripted.play(page({ fine: true }));
      const [reject, ...more] = nextCalls(open(), { next }, 'tasks.reject');
      assert.deepEqual(
        [reject?.missing, more, nextCalls(open(), { next }, 'x')],
        [['reason'], [], []],
      );
      assert.deepEqual(await reject?.run({ reason: 'Not three.' }), { fine: true });
      assert.deepEqual(scripted.received()[0]?.body, { reason: 'Not three.', by: 'me' });
    });

    it('are not sent while a place is empty', async () => {
      scripted.play(page({}));
      await assert.rejects(async () => nextCalls(open(), { next })[0]?.run(), /lacks reason/);
      assert.deepEqual(targets(), []);
    });

    it('are those of a refusal as well', async () => {
      const credit = { method: 'POST', path: '/api/v1/wallet/x/credit', body: { amount: '5' } };
      const refusal = {
        error: 'No.',
        code: 'insufficient-funds',
        hint: 'Pay in.',
        next: [{ action: 'wallet.credit', call: credit }],
      };
      scripted.play({ status: 400, body: refusal }, page({ funded: true }));
      const hub = open();
      const thrown = await hub
        .GET('/api/v1/me')
        .then(unwrap)
        .catch((error: unknown) => error);
      assert.ok(isRefusal(thrown, 'insufficient-funds'));
      assert.deepEqual(await nextCalls(hub, thrown)[0]?.run(), { funded: true });
    });
  });

  describe('watching a task', () => {
    it('yields each change once and ends with the final state', async () => {
      scripted.play(
        taskStep('held', 2),
        taskStep('held', 2),
        taskStep('delivered', 3),
        taskStep('paid', 4),
      );
      const seen: string[] = [];
      for await (const { state } of watchTask(open(), ID, { intervalMs: 1 })) seen.push(state);
      assert.deepEqual([seen, targets().length], [['held', 'delivered', 'paid'], 4]);
    });

    it('ends with its signal', async () => {
      scripted.play(taskStep('held', 2));
      const ending = new AbortController();
      for await (const _ of watchTask(open(), ID, { signal: ending.signal })) ending.abort();
      assert.equal(targets().length, 1);
    });
  });

  describe('events', () => {
    it('report sends, lost answers, pauses and answers, without secrets', async () => {
      const reported: HubEvent[] = [];
      scripted.play('hang-up', page({ owner: 'x' }));
      const hub = open({ onEvent: (event) => reported.push(event), retry: { baseDelayMs: 1 } });
      await hub.GET('/api/v1/me');
      assert.deepEqual(
        reported.map(({ kind, attempt }) => `${kind} ${attempt}`),
        ['send 1', 'lost 1', 'pause 1', 'send 2', 'answer 2'],
      );
      const last = reported.at(-1);
      assert.ok(last?.kind === 'answer');
      assert.deepEqual([last.status, last.requestId, last.method], [200, 'req-1', 'GET']);
      assert.doesNotMatch(JSON.stringify(reported), /signature|secret/i);
    });

    it('fails no call because a listener throws', async () => {
      scripted.play(page({ owner: 'x' }));
      const hub = open({
        onEvent: () => {
          throw new Error('the disk is full');
        },
      });
      assert.equal(unwrap(await hub.GET('/api/v1/me')).owner, 'x');
    });
  });

  describe('an agent', () => {
    const claimed = (skill: string): Step => {
      const body = { claimToken: 't', result: '<yours>' };
      const deliver = { method: 'POST', path: `${PATH}/submit`, body, attemptsLeft: 2 };
      return page({
        work: { id: ID, title: 'T', requiredSkills: [skill] },
        claimToken: 't',
        deliver,
      });
    };
    const accepted = page({
      taskId: ID,
      outcome: 'accepted',
      attemptsLeft: 2,
      split: { worker: '97' },
    });

    it('claims by its skills, solves by the one that is asked for, and counts', async () => {
      scripted.play(claimed('b'), accepted);
      const agent = new Agent({ baseUrl: scripted.baseUrl, key, resume: false, minReward: '9' })
        .can('a', () => 'by a')
        .can('b', () => 'by b');
      const found = [];
      for await (const { pays } of agent.run({ count: 1 })) found.push(pays);
      assert.deepEqual(found, ['97']);
      const [claim, delivery] = scripted.received();
      assert.deepEqual(claim?.body, { skills: ['a', 'b'], minReward: '9' });
      assert.equal(at(delivery?.body, 'result'), 'by b');
    });

    it('gives back what it has no skill for, and needs one to begin', async () => {
      scripted.play(claimed('c'), page({ taskId: ID }), claimed('a'), accepted);
      const options = { baseUrl: scripted.baseUrl, key, resume: false };
      for await (const _ of new Agent(options).can('a', () => 1).run({ count: 1 })) continue;
      assert.equal(targets()[1], `${PATH}/fail`);
      await assert.rejects(async () => {
        for await (const _ of new Agent(options).run()) continue;
      }, /needs a skill/);
    });
  });
});
