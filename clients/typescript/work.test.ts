import assert from 'node:assert/strict';
import { at, refusalStep, scriptedHub, type ScriptedHub, type Step } from './fixture.ts';
import { createHub, generateKey, GiveBack, isRefusal, work } from './index.ts';
import type { Delivered, GeneratedKey, Job, WorkOptions } from './index.ts';

const TASK = { id: '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90', title: 'Count to three' };
const PATH = `/api/v1/tasks/${TASK.id}`;
const NO_CLAIMS: Step = { status: 200, body: { claims: [] } };
const IDLE: Step = { status: 200, body: { work: null } };
const LONGEST_TEST_MS = 5000;

function claimStep(claimToken: string): Step {
  const body = { claimToken, result: '<yours>' };
  const deliver = { method: 'POST', path: `${PATH}/submit`, body, attemptsLeft: 2 };
  return { status: 200, body: { work: TASK, claimToken, deliver } };
}

function outcomeStep(outcome: string, attemptsLeft: number): Step {
  const refused = [{ path: '/n', rule: 'fields.equals', expected: '3', got: '2', text: 'not 3' }];
  const retry = { method: 'POST', path: `${PATH}/claim`, body: { agentId: 'me' } };
  const isRefused = outcome === 'refused';
  const body = { taskId: TASK.id, outcome, attemptsLeft, ...(isRefused && { refused, retry }) };
  return { status: 200, body };
}

describe('work', () => {
  let scripted: ScriptedHub;
  let key: GeneratedKey;
  before(async () => {
    scripted = await scriptedHub();
    key = await generateKey();
  });
  after(() => scripted.close());

  async function run(
    count: number,
    options: WorkOptions,
    solve: (job: Job) => unknown,
  ): Promise<readonly Delivered[]> {
    const hub = createHub({ baseUrl: scripted.baseUrl, key, retry: false });
    const found: Delivered[] = [];
    const signal = AbortSignal.timeout(LONGEST_TEST_MS);
    for await (const delivered of work(hub, { signal, ...options }, solve)) {
      found.push(delivered);
      if (found.length === count) break;
    }
    return found;
  }
  const targets = (): readonly string[] => scripted.received().map(({ target }) => target);

  it('claims, has it solved and delivers with the claim token', async () => {
    scripted.play(NO_CLAIMS, IDLE, claimStep('t1'), outcomeStep('accepted', 2));
    const options = { skills: ['counting'], minReward: '5', waitSeconds: 3 };
    const [done] = await run(1, options, ({ task, refused }) => ({ of: task.title, refused }));
    assert.equal(done?.outcome.outcome, 'accepted');
    const claim = '/api/v1/tasks/claim?wait=3';
    assert.deepEqual(targets(), ['/api/v1/me', claim, claim, `${PATH}/submit`]);
    assert.deepEqual(scripted.received()[2]?.body, { skills: ['counting'], minReward: '5' });
    const sent = scripted.received()[3]?.body;
    assert.equal(at(sent, 'claimToken'), 't1');
    assert.deepEqual(at(sent, 'result'), { of: TASK.title, refused: [] });
    assert.match(String(at(sent, 'idempotencyKey')), /^[0-9a-f]{32}$/);
  });

  it('tries again by the call it was given, with what was wrong', async () => {
    scripted.play(
      claimStep('t1'),
      outcomeStep('refused', 1),
      claimStep('t2'),
      outcomeStep('waiting', 1),
    );
    const found = await run(2, { resume: false }, ({ refused }) => ({ n: 2 + refused.length }));
    assert.deepEqual(
      found.map(({ outcome }) => outcome.outcome),
      ['refused', 'waiting'],
    );
    const [, first, again, second] = scripted.received();
    assert.deepEqual([again?.target, again?.body], [`${PATH}/claim`, { agentId: 'me' }]);
    assert.equal(at(first?.body, 'claimToken'), 't1');
    assert.deepEqual(
      [at(second?.body, 'claimToken'), at(second?.body, 'result')],
      ['t2', { n: 3 }],
    );
  });

  it('stops trying when no attempt is left', async () => {
    scripted.play(
      claimStep('t1'),
      outcomeStep('refused', 0),
      claimStep('t2'),
      outcomeStep('accepted', 0),
    );
    await run(2, { resume: false }, () => ({ n: 1 }));
    assert.ok(!targets().includes(`${PATH}/claim`));
  });

  it('first finishes what the account holds', async () => {
    const held = { claims: [{ taskId: TASK.id, taskState: 'held' }] };
    scripted.play({ status: 200, body: held }, claimStep('t1'), outcomeStep('accepted', 2));
    await run(1, {}, () => 1);
    assert.deepEqual(targets(), ['/api/v1/me', `${PATH}/claim`, `${PATH}/submit`]);
    assert.deepEqual(scripted.received()[1]?.body, { agentId: key.account });
  });

  it('looks for a claim whose answer was lost', async () => {
    const held = { claims: [{ taskId: TASK.id, taskState: 'held' }] };
    const steps: readonly Step[] = [NO_CLAIMS, 'hang-up', { status: 200, body: held }];
    scripted.play(...steps, claimStep('t1'), outcomeStep('accepted', 2));
    await run(1, {}, () => 1);
    assert.deepEqual(targets().slice(2, 4), ['/api/v1/me', `${PATH}/claim`]);
  });

  it('delivers once through a lost connection and a busy hub', async () => {
    const busy = refusalStep(503, 'busy');
    scripted.play(claimStep('t1'), 'hang-up', busy, outcomeStep('accepted', 2));
    await run(1, { resume: false }, () => 1);
    const [, ...deliveries] = scripted.received();
    assert.equal(deliveries.length, 3);
    assert.equal(new Set(deliveries.map(({ text }) => text)).size, 1);
  });

  it('gives back what cannot be done and goes on', async () => {
    const givenBack: Step = { status: 200, body: { taskId: TASK.id } };
    scripted.play(claimStep('t1'), givenBack, claimStep('t2'), outcomeStep('accepted', 2));
    let tries = 0;
    await run(1, { resume: false }, () => {
      tries += 1;
      if (tries === 1) throw new GiveBack('It asks for a login.');
      return 1;
    });
    const [, back] = scripted.received();
    assert.equal(back?.target, `${PATH}/fail`);
    assert.deepEqual(back.body, { claimToken: 't1', reason: 'It asks for a login.' });
  });

  it('gives back and ends with the error when solving fails, without sending it', async () => {
    scripted.play(claimStep('t1'), { status: 200, body: { taskId: TASK.id } });
    const solve = (): never => {
      throw new Error('password is hunter2');
    };
    await assert.rejects(run(1, { resume: false }, solve), /hunter2/);
    assert.ok(!(scripted.received()[1]?.text ?? 'hunter2').includes('hunter2'));
  });

  it('ends with a refusal of the claim, which asking again does not mend', async () => {
    scripted.play(refusalStep(400, 'claim-limit'));
    await assert.rejects(
      run(1, { resume: false }, () => 1),
      (thrown) => isRefusal(thrown, 'claim-limit'),
    );
    assert.equal(scripted.received().length, 1);
  });

  it('ends when its signal says so', async () => {
    scripted.play(IDLE);
    const found = await run(1, { resume: false, signal: AbortSignal.timeout(50) }, () => 1);
    assert.deepEqual(found, []);
  });
});
