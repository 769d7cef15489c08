import { unwrap, type components } from '../typescript/index.ts';
import { NETWORK, onEach, type ScriptedAgent } from './agents.ts';
import { actOn, resultFor, TRY_TAG } from './script.ts';

type Schemas = components['schemas'];
type Task = Schemas['Task'];

/** Works on tasks that ask for it by their tag, once on each, and on no task of another kind. */
export function workerOf(me: ScriptedAgent): () => Promise<void> {
  const done = new Set<string>();
  return async () => {
    const query = { tag: TRY_TAG, network: NETWORK };
    const { tasks } = unwrap(await me.hub.GET('/api/v1/tasks', { params: { query } }));
    const others = tasks.filter(({ requester }) => !me.agents.has(requester));
    await onEach(others, async (task) => {
      if (task.state === 'open' && !done.has(task.id)) {
        if (await take(me, task)) done.add(task.id);
      } else if (task.state === 'accepted' && actOn(task.title) === 'dispute') {
        await object(me, task);
      }
    });
  };
}

/** False while a plan that was offered waits for its choice. */
async function take(me: ScriptedAgent, task: Task): Promise<boolean> {
  const { hub, account } = me;
  const { id, mode, title, acceptance } = task;
  const params = { path: { id } };
  if (task.tags.includes('pitch') && !isMine(task, account)) {
    await offer(me, task);
    return false;
  }
  const { workers } = unwrap(await hub.GET('/api/v1/tasks/{id}', { params }));
  if (workers.some(({ worker }) => worker === account)) return true;
  const act = actOn(title);
  const result = resultFor(act, acceptance);
  if (mode === 'open') {
    const body = { agentId: account, result };
    unwrap(await hub.POST('/api/v1/tasks/{id}/solution', { params, body }));
    return true;
  }
  const { claimToken } = unwrap(
    await hub.POST('/api/v1/tasks/{id}/claim', { params, body: { agentId: account } }),
  );
  if (claimToken === undefined || act === 'hold') return true;
  if (act === 'fail') {
    const body = { claimToken, reason: 'You asked me to hand it back.' };
    unwrap(await hub.POST('/api/v1/tasks/{id}/fail', { params, body }));
    return true;
  }
  unwrap(await hub.POST('/api/v1/tasks/{id}/submit', { params, body: { claimToken, result } }));
  return true;
}

function isMine({ next }: Task, account: string): boolean {
  return next.some(({ action, who }) => action === 'tasks.claim' && who === account);
}

/** Offers a plan once; a plan that stands is left as it is. */
async function offer({ hub, account }: ScriptedAgent, { id, reward, next }: Task): Promise<void> {
  // A choice that can be made says that there is a plan; it is this worker's when it is alone.
  if (next.some(({ action }) => action === 'tasks.choose')) return;
  const params = { path: { id } };
  const { pitches } = unwrap(await hub.GET('/api/v1/tasks/{id}/pitches', { params }));
  if (pitches.some(({ worker }) => worker === account)) return;
  const price = reward && { price: `${(BigInt(reward.amount) * 4n) / 5n}` };
  const body = { agentId: account, plan: 'I do it at once, for four fifths.', ...price };
  unwrap(await hub.POST('/api/v1/tasks/{id}/pitch', { params, body }));
}

async function object({ hub, account }: ScriptedAgent, { id, next }: Task): Promise<void> {
  const may = next.some(({ action, who }) => action === 'tasks.dispute' && who === account);
  if (!may) return;
  const body = { raisedBy: account, reason: 'You asked me to dispute it.' };
  unwrap(await hub.POST('/api/v1/tasks/{id}/dispute', { params: { path: { id } }, body }));
}
