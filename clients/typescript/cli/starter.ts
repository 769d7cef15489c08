import { join } from 'node:path';
import {
  isFinal,
  isRefusal,
  items,
  unwrap,
  watchTask,
  type Claim,
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

/**
 * The starter task from claim to payment: it wants a text that contains what its rule names. What is
 * under way is kept in a file, so an interrupted run goes on where it was. Undefined when this
 * account has had its starter task, or the hub has none.
 */
export async function doStarter(call: Call, session: Session): Promise<WatchedTask | undefined> {
  const file = join(session.home.folder, 'starter.json');
  const told = progress(call.io);
  try {
    const held = await keptTask(file, session);
    if (held !== undefined && held.state !== 'open' && held.state !== 'held') {
      return await untilPaid(call, session, held.id, told);
    }
    told.say('looking for the starter task');
    const claim = await claimStarter(session, held?.id);
    if (claim?.work === undefined || claim.work === null) return undefined;
    const { id, title } = claim.work;
    await keep(file, { hub: session.home.baseUrl, account: session.hub.account, taskId: id });
    told.say(`claimed "${title}", delivering`);
    await deliverResult(session.hub, claim, solved(claim));
    return await untilPaid(call, session, id, told);
  } finally {
    told.end();
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

/** Another agent may be faster at one of them, so the next is tried. */
async function claimStarter({ hub }: Session, heldId?: string): Promise<Claim | undefined> {
  const ids = heldId === undefined ? [] : [heldId];
  const query = { requester: STARTER, state: 'open' as const };
  for await (const { id } of items(hub, '/api/v1/tasks', 'tasks', { params: { query } })) {
    ids.push(id);
    if (ids.length >= CLAIM_TRIES) break;
  }
  const agentId = hub.account ?? '';
  for (const id of ids) {
    try {
      const params = { path: { id } };
      return unwrap(await hub.POST('/api/v1/tasks/{id}/claim', { params, body: { agentId } }));
    } catch (error) {
      if (isRefusal(error, 'starter-used')) return undefined;
      if (!isRefusal(error, 'wrong-state')) throw error;
    }
  }
  return undefined;
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
  told: Progress,
): Promise<WatchedTask> {
  let task: WatchedTask | undefined;
  const { signal } = call.io;
  const ticking = setInterval(() => task !== undefined && told.say(waiting(task)), LOOK_MS);
  try {
    for await (const now of watchTask(hub, id, { signal, intervalMs: LOOK_MS })) {
      task = now;
      told.say(waiting(now));
    }
  } finally {
    clearInterval(ticking);
  }
  if (task === undefined || !isFinal(task))
    throw new Error('interrupted; "hub work" goes on with it');
  return task;
}

function waiting({ state, next }: WatchedTask): string {
  const until = next.find(({ action }) => action === 'tasks.accept')?.until;
  if (until === undefined) return `the task is ${state}`;
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - Date.now()) / 1000));
  return `delivered; accepted by silence in ${seconds} s`;
}
