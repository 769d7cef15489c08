import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { fund } from './payers.ts';
import { newCaller, type Answer, type Caller } from './signed.ts';

const REWARD = 1_000;
/** Shorter than a poll waits: the work was found by a notification, or by the scan of the poll. */
const POLL_SECONDS = 20;

/**
 * Lives of tasks across two hubs: one is asked for work by a long poll before the other publishes
 * it. Returns how long each worker waited for what was published.
 */
export async function liveAcross(
  [first, second]: readonly [string, string],
  count: number,
): Promise<readonly number[]> {
  const [requester, worker] = [newCaller(), newCaller()];
  await fund(first, requester);
  const waits: number[] = [];
  for (let n = 0; n < count; n += 1) waits.push(await live(requester, worker, [first, second]));
  for (const each of [requester, worker]) each.close();
  return waits;
}

async function live(
  requester: Caller,
  worker: Caller,
  [publishes, polls]: readonly [string, string],
): Promise<number> {
  const tags = [randomUUID()];
  const key = { idempotencyKey: randomUUID() };
  const polled = worker
    .post(polls, `/api/v1/tasks/claim?wait=${POLL_SECONDS}`, { tags, ...key })
    .then((answer) => ({ answer, at: performance.now() }));
  const publishedAt = performance.now();
  await ok(
    requester.post(publishes, '/api/v1/tasks', {
      requester: requester.account,
      title: 'Do it',
      rewardAmount: String(REWARD),
      tags,
      acceptance: { kind: 'contains', values: ['done'] },
      disputeWindowSeconds: 0,
      ...key,
    }),
  );
  const { answer, at } = await polled;
  const { work, claimToken } = await ok(Promise.resolve(answer));
  const { id } = work as { readonly id: string };
  const delivery = { claimToken, result: 'done', ...key };
  const paid = await ok(worker.post(polls, `/api/v1/tasks/${id}/submit`, delivery));
  assert.equal(paid['state'], 'paid');
  return at - publishedAt;
}

async function ok(sent: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await sent;
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}
