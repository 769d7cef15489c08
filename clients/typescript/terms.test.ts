import assert from 'node:assert/strict';
import { refusalStep, scriptedHub, type ScriptedHub } from './fixture.ts';
import {
  amendTask,
  createHub,
  generateKey,
  isRefusal,
  offersTo,
  whileHeld,
  WithFiles,
  workOffers,
} from './index.ts';
import type { Hub } from './index.ts';

const ID = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
const PROPOSAL = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c91';

describe('terms of tasks', () => {
  let scripted: ScriptedHub;
  let hub: Hub;
  before(async () => {
    scripted = await scriptedHub();
    hub = createHub({ baseUrl: scripted.baseUrl, key: await generateKey(), retry: false });
  });
  after(() => scripted.close());

  const sent = (): readonly Record<string, unknown>[] =>
    scripted.received().map(({ body }) => (body ?? {}) as Record<string, unknown>);

  it('names the account and a key of its own with each change', async () => {
    scripted.play({ status: 200, body: { taskId: ID } });
    await amendTask(hub, ID, { change: { rewardAmount: '500' }, revision: 2 });
    await amendTask(hub, ID, { accept: PROPOSAL }, 'accept-1');
    const [first, second] = sent();
    assert.deepEqual(
      [first?.['by'], first?.['change'], first?.['revision']],
      [hub.account, { rewardAmount: '500' }, 2],
    );
    assert.match(String(first?.['idempotencyKey']), /^\S{16,}$/);
    assert.deepEqual([second?.['accept'], second?.['idempotencyKey']], [PROPOSAL, 'accept-1']);
    await assert.rejects(
      amendTask(createHub({ baseUrl: scripted.baseUrl }), ID, { accept: PROPOSAL }),
      /give a key/,
    );
  });

  it('finds what is offered to this account alone', async () => {
    const work = [{ taskId: 'a', offeredUntil: '2026-12-01T00:00:00.000Z' }, { taskId: 'b' }];
    scripted.play({ status: 200, body: { work, hasMore: false } });
    const found: string[] = [];
    for await (const { taskId } of offersTo(hub)) found.push(taskId);
    assert.deepEqual(found, ['a']);
    const [{ target } = { target: '' }] = scripted.received();
    assert.match(target, /role=worker&state=open/);
  });

  it('claims each offer, delivers what is made of it, and leaves one that another has', async () => {
    const work = ['a', 'b'].map((taskId) => ({ taskId, offeredUntil: '2026-12-01T00:00:00.000Z' }));
    const deliver = { method: 'POST', path: '/api/v1/tasks/b/submit', body: { claimToken: 'T' } };
    const outcome = { taskId: 'b', outcome: 'accepted' };
    scripted.play(
      { status: 200, body: { work, hasMore: false } },
      { status: 200, body: { work: null } },
      { status: 200, body: { work: { id: 'b', title: 'Do it' }, deliver } },
      { status: 200, body: {} },
      { status: 200, body: outcome },
    );
    const file = { owner: 'key:o', key: 'out', sha256: 'd' };
    const done: unknown[] = [];
    const jobs = workOffers(hub, async ({ title }, { report }) => {
      await report(50);
      return new WithFiles(title, [file]);
    });
    for await (const { task, outcome: is } of jobs) done.push([task.id, is]);
    assert.deepEqual(done, [['b', outcome]]);
    const calls = scripted.received().map(({ target, body }) => [target.split('?')[0], body]);
    const agentId = hub.account;
    assert.deepEqual(calls.slice(1, 4), [
      ['/api/v1/tasks/a/claim', { agentId }],
      ['/api/v1/tasks/b/claim', { agentId }],
      ['/api/v1/tasks/b/start', { agentId, percent: 50 }],
    ]);
    const [, sentBody] = calls[4] ?? [];
    const { idempotencyKey, ...given } = sentBody as Record<string, unknown>;
    assert.match(String(idempotencyKey), /^\S{16,}$/);
    assert.deepEqual(given, { claimToken: 'T', result: 'Do it', files: [file] });
  });

  it('renews a claim until the work is done, through a cut, and reports progress', async () => {
    scripted.play({ status: 200, body: {} }, 'hang-up', { status: 200, body: {} });
    const result = await whileHeld(
      hub,
      { id: ID },
      async ({ report, signal }) => {
        await report(40, 'half of it');
        while (scripted.received().length < 4) await turn();
        assert.equal(signal.aborted, false);
        return 'done';
      },
      { everySeconds: 0.02 },
    );
    assert.equal(result, 'done');
    const [first, second] = sent();
    assert.deepEqual([first?.['percent'], first?.['note']], [40, 'half of it']);
    assert.deepEqual(second, { agentId: hub.account });
    const { length } = scripted.received();
    await new Promise((resolve) => setTimeout(resolve, 60));
    assert.equal(scripted.received().length, length, 'no sign of life after the work');
  });

  it('ends the work when the claim is lost, and passes on what the work throws', async () => {
    scripted.play(refusalStep(429, 'rate-limited'), refusalStep(400, 'wrong-state'));
    const lost = whileHeld(
      hub,
      { id: ID, lease: { leaseSeconds: 1 } },
      async ({ signal }) => {
        while (!signal.aborted) await turn();
        throw signal.reason as Error;
      },
      { everySeconds: 0.01 },
    );
    await assert.rejects(lost, (error) => isRefusal(error, 'wrong-state'));
    const failed = whileHeld(hub, { id: ID }, () => Promise.reject(new Error('no disk')));
    await assert.rejects(failed, /no disk/);
  });
});

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}
