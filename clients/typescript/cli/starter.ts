import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isFinal,
  isRefusal,
  unwrap,
  watchTask,
  type Claim,
  type Hub,
  type WatchedTask,
} from '../index.ts';
import { deliverResult } from '../work.ts';
import type { Call } from './command.ts';
import { keep, readKept } from './home.ts';
import type { Session } from './session.ts';
import { progress, type Progress } from './show.ts';

/** The hub's own requester of one small paid task for each new account. */
const STARTER = 'hub:starter';
const CLAIM_TRIES = 5;
const LOOK_MS = 1000;
/** A hub that has just started makes its stock in the first seconds. */
const STOCK_TRIES = 15;

/**
 * Does the starter task from claim to payment; an interrupted run goes on from its file. Returns
 * undefined if this account has had its starter task, or the hub has none.
 */
export async function doStarter(call: Call, session: Session): Promise<WatchedTask | undefined> {
  const file = join(session.home.folder, 'starter.json');
  const status = progress(call.io);
  try {
    const held = await keptTask(file, session);
    if (held !== undefined && held.state !== 'open' && held.state !== 'held') {
      return await untilPaid(call, session, held.id, status);
    }
    status.say('looking for the starter task');
    const claim = await claimStarter(session, call.io.signal, held?.id);
    if (claim?.work === undefined || claim.work === null) return undefined;
    const { id, title } = claim.work;
    await keep(file, { hub: session.home.baseUrl, account: session.hub.account, taskId: id });
    status.say(`claimed "${title}", delivering`);
    await deliverResult(session.hub, claim, solved(claim));
    return await untilPaid(call, session, id, status);
  } finally {
    status.end();
  }
}

async function keptTask(file: string, { hub, home }: Session): Promise<WatchedTask | undefined> {
  const kept = await readKept(file);
  if (typeof kept !== 'object' || kept === null) return undefined;
  const id: unknown = Reflect.get(kept, 'taskId');
  const isOurs =
    Reflect.get(kept, 'hub') === home.baseUrl && Reflect.get(kept, 'account') === hub.account;
  if (!isOurs || typeof id !== 'string') return undefined;
  const answer = await hub.GET('/api/v1/tasks/{id}', { params: { path: { id } } });
  return answer.response.status === 404 ? undefined : unwrap(answer);
}

async function claimStarter(
  { hub }: Session,
  signal: AbortSignal,
  heldId?: string,
): Promise<Claim | undefined> {
  for (let tries = 1; tries <= STOCK_TRIES; tries += 1) {
    const ids = heldId === undefined ? await openStarters(hub) : [heldId];
    for (const id of ids) {
      const claim = await tryClaim(hub, id);
      if (claim !== 'taken') return claim;
    }
    await sleep(LOOK_MS, undefined, { signal });
  }
  return undefined;
}

async function openStarters(hub: Hub): Promise<readonly string[]> {
  const query = { requester: STARTER, state: 'open' as const, limit: CLAIM_TRIES };
  const { tasks } = unwrap(await hub.GET('/api/v1/tasks', { params: { query } }));
  return tasks.map(({ id }) => id);
}

/** Another agent may be faster, so the next is tried. */
async function tryClaim(hub: Hub, id: string): Promise<Claim | 'taken' | undefined> {
  try {
    const params = { path: { id } };
    const body = { agentId: hub.account ?? '' };
    return unwrap(await hub.POST('/api/v1/tasks/{id}/claim', { params, body }));
  } catch (error) {
    if (isRefusal(error, 'starter-used')) return undefined;
    if (isRefusal(error, 'wrong-state') || isRefusal(error, 'already-claimed')) return 'taken';
    throw error;
  }
}

/** A text with the words that the rule asks for; the task's prose is data and is not read. */
function solved({ work }: Claim): string {
  const rule = work?.acceptance;
  return `hello, ${rule?.kind === 'contains' ? rule.values.join(' ') : ''}`.trim();
}

async function untilPaid(
  call: Call,
  { hub }: Session,
  id: string,
  status: Progress,
): Promise<WatchedTask> {
  let task: WatchedTask | undefined;
  let decidesAt: string | undefined;
  const { signal } = call.io;
  const report = (of: WatchedTask): void => status.say(waiting(of, decidesAt));
  const ticking = setInterval(() => task !== undefined && report(task), LOOK_MS);
  try {
    for await (const now of watchTask(hub, id, { signal, intervalMs: LOOK_MS })) {
      task = now;
      if (now.state === 'delivered') decidesAt ??= await decisionOf(hub, id);
      report(now);
    }
  } finally {
    clearInterval(ticking);
  }
  if (task === undefined || !isFinal(task))
    throw new Error('interrupted; "hub work" goes on with it');
  return task;
}

/** Returns when silence accepts the result. A task itself lists only the calls of its caller. */
async function decisionOf(hub: Hub, id: string): Promise<string | undefined> {
  const query = { role: 'worker' as const, state: 'waiting' as const };
  const { work } = unwrap(await hub.GET('/api/v1/me/work', { params: { query } }));
  return work.find(({ taskId }) => taskId === id)?.decidesAt;
}

function waiting({ state }: WatchedTask, decidesAt: string | undefined): string {
  if (decidesAt === undefined || state !== 'delivered') return `the task is ${state}`;
  const seconds = Math.max(0, Math.ceil((Date.parse(decidesAt) - Date.now()) / 1000));
  return `delivered; accepted by silence in ${seconds} s`;
}
