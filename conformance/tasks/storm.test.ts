import assert from 'node:assert/strict';
import type { Agent, Answer } from '../harness/agents.ts';
import { DATABASES } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';
import { act, publish, RULE, type Body } from './_work.ts';

/**
 * Everybody does everything at once. Whatever the order came to be, no call failed on the hub's
 * side, every live reward is held exactly once, and nothing is held for a task that is over (I8).
 */
const ROUNDS = 6;
const JOBS = ['leaseExpiry', 'autoAccept', 'payoutRelease', 'deadlineExpiry'];

describe('tasks in a storm', () => {
  for (const [name, url] of DATABASES) {
    it(`keep escrow and state in step (${name})`, async () =>
      storm(await openFixture({ databaseUrl: await url() }))).timeout(60_000);
  }
});

async function storm(world: Fixture): Promise<void> {
  const { alice, hub } = world;
  await world.fund(alice, '100000000');
  const workers = await Promise.all(Array.from({ length: 5 }, () => world.agent()));
  const tasks = await someTasks(alice);
  for (let round = 0; round < ROUNDS; round += 1) {
    const calls = tasks.flatMap((task) => [
      ...workers.map((worker, place) => tryWork(worker, task, place + round)),
      ...tryDecide(alice, task, round),
    ]);
    const jobs = JOBS.map((job) => hub.runJob(job));
    const answers = (await Promise.all(calls)).flat();
    await Promise.all(jobs);
    const broken = answers.filter(({ status }) => status >= 500);
    assert.deepEqual(
      broken.map(({ text }) => text),
      [],
    );
    await escrowMatches(world);
    hub.clock.advance([0, 61, 1_800, 3_600, 86_400][round % 5] ?? 0);
  }
  await assertBooksBalance(hub.running.hub.store);
  await world.close();
}

async function someTasks(alice: Agent): Promise<readonly (Body & { id: string })[]> {
  const kinds: readonly Body[] = [
    { acceptance: RULE },
    { acceptance: RULE, disputeWindowSeconds: 0 },
    { autoAcceptSeconds: 60 },
    { autoAcceptSeconds: 0, disputeWindowSeconds: 60 },
    { mode: 'open' },
    { mode: 'open', acceptance: RULE },
    { mode: 'open', autoAcceptSeconds: 60 },
    { verification: 'validator' },
  ];
  return Promise.all(kinds.map((over) => publish(alice, { rewardAmount: '1000007', ...over })));
}

async function tryWork(
  worker: Agent,
  task: Body & { id: string },
  turn: number,
): Promise<readonly Answer[]> {
  const agentId = worker.account;
  const result = turn % 2 === 0 ? 'done' : 'not yet';
  if (task['mode'] === 'open') {
    return [await act(worker, task.id, 'solution', { agentId, result })];
  }
  const claimed = await act(worker, task.id, 'claim', { agentId });
  const claimToken = claimed.body['claimToken'];
  if (typeof claimToken !== 'string') return [claimed];
  const ends = turn % 3 === 0 ? 'fail' : 'submit';
  const body = ends === 'fail' ? { claimToken } : { claimToken, result };
  return [claimed, await act(worker, task.id, ends, body)];
}

function tryDecide(alice: Agent, task: Body & { id: string }, round: number): Promise<Answer[]>[] {
  const requester = alice.account;
  const verb = ['reject', 'start', 'reject', 'accept', 'accept', 'cancel'][round] ?? 'cancel';
  const body = verb === 'reject' ? { requester, reason: 'no' } : { requester };
  return [act(alice, task.id, verb, verb === 'start' ? {} : body).then((answer) => [answer])];
}

async function escrowMatches({ hub }: Fixture): Promise<void> {
  const { tasks, holds } = await hub.running.hub.store.read(async ({ knex }) => ({
    tasks: plain(await knex('tasks').select('id', 'state', 'reward', 'hold_id')),
    holds: plain(await knex('commitments').where({ state: 'open' })),
  }));
  const live = ['open', 'held', 'delivered', 'accepted', 'disputed'];
  const due = tasks
    .filter((task) => live.includes(String(task['state'])))
    .map(({ id, state, reward, hold_id }) => {
      const kind = state === 'accepted' || state === 'disputed' ? 'payout' : 'task';
      return [id, kind, String(reward), hold_id];
    });
  const held = holds.map(({ id, kind, ref_id, remaining }) => [
    ref_id,
    kind,
    String(remaining),
    id,
  ]);
  const byTask = (a: readonly unknown[], b: readonly unknown[]): number =>
    String(a[0]) < String(b[0]) ? -1 : 1;
  assert.deepEqual(held.sort(byTask), due.sort(byTask));
}

function plain(rows: unknown): readonly Body[] {
  assert.ok(Array.isArray(rows));
  return rows.map((row: Body) => ({ ...row }));
}
