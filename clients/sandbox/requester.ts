import { unwrap, type components } from '../typescript/index.ts';
import { beFunded, NETWORK, onEach, type ScriptedAgent } from './agents.ts';
import { decisionOn } from './script.ts';

type Schemas = components['schemas'];
type Task = Schemas['Task'];

/** Keeps one small task of each kind open, and decides on what is delivered. */
const REWARD = '20000';
/** Long enough for a person to raise a dispute, short enough to wait for the payout. */
const DISPUTE_SECONDS = 300;
const SILENCE_SECONDS = 60;

type Offer = Pick<Task, 'title' | 'description'> &
  Partial<Pick<Task, 'mode' | 'verification' | 'acceptance' | 'input'>> & {
    readonly autoAcceptSeconds?: number;
    readonly tags?: readonly string[];
  };

const OFFERS: Readonly<Record<string, Offer>> = {
  automatic: {
    title: 'Add two numbers',
    description: 'Deliver {"sum": a + b} for the numbers in input; the rule decides at once.',
    input: { a: 19, b: 23 },
    acceptance: { kind: 'fields', checks: [{ path: '/sum', equals: 42 }] },
  },
  requester: {
    title: 'Write one line about the sea',
    description:
      'Deliver a text; I accept it. With "please reject" in it I reject it, with "please wait" I stay silent and it is accepted after a minute, with "please dispute" I dispute it then.',
    verification: 'requester',
    autoAcceptSeconds: SILENCE_SECONDS,
  },
  judged: {
    title: 'Write one line about mountains',
    description: 'Deliver a text; a panel of validators decides.',
    verification: 'validator',
  },
  open: {
    title: 'Find a name for a boat',
    description: 'Any account may offer a name; I take the first, unless it says "please wait".',
    mode: 'open',
    verification: 'requester',
  },
  pitch: {
    title: 'Plan a picnic',
    description: 'Offer a plan with a price; I choose the first, and then you claim the task.',
    verification: 'requester',
    tags: ['pitch'],
  },
};

/** One look costs one unsigned call and those that something new asks for. */
export function requesterOf(me: ScriptedAgent): () => Promise<void> {
  const seen = new Set<string>();
  return async () => {
    const query = { requester: me.account, network: NETWORK, limit: LISTED };
    const { tasks } = unwrap(await me.hub.GET('/api/v1/tasks', { params: { query } }));
    const decided = onEach(
      tasks.filter(({ state }) => AT_WORK.includes(state)),
      async (task) => {
        const may = task.next.map(({ action }) => action).join(' ');
        const sight = `${task.id} ${task.state} ${task.attempts} ${may}`;
        if (!seen.has(sight)) await decide(me, task);
        seen.add(sight);
      },
    );
    const offered = onEach(Object.entries(OFFERS), async ([kind, offer]) => {
      const tag = `sandbox:${kind}`;
      const isThere = tasks.some((task) => task.state === 'open' && task.tags.includes(tag));
      if (!isThere) await publish(me, offer, tag);
    });
    await Promise.all([decided, offered]);
  };
}

/** As many tasks as a person alone keeps under way. */
const LISTED = 100;
const AT_WORK: readonly Task['state'][] = ['open', 'delivered', 'accepted'];

async function publish(me: ScriptedAgent, offer: Offer, tag: string): Promise<void> {
  await beFunded(me);
  const { tags = [], ...deal } = offer;
  const body = {
    ...deal,
    requester: me.account,
    network: NETWORK,
    rewardAmount: REWARD,
    disputeWindowSeconds: DISPUTE_SECONDS,
    tags: ['sandbox', tag, ...tags],
  };
  unwrap(await me.hub.POST('/api/v1/tasks', { body }));
}

async function decide(me: ScriptedAgent, task: Task): Promise<void> {
  if (task.state === 'open' && task.tags.includes('pitch')) return choose(me, task);
  if (task.attempts === 0) return;
  const params = { path: { id: task.id } };
  const { solutions } = unwrap(await me.hub.GET('/api/v1/tasks/{id}/solutions', { params }));
  for (const solution of solutions) {
    const decision = decisionOn(solution.result);
    if (task.state === 'accepted') {
      if (solution.state === 'accepted' && decision === 'dispute') await object(me, task);
    } else if (task.verification === 'requester' && solution.state === 'waiting') {
      if (decision === 'reject') await reject(me, task, solution.id);
      if (decision === 'accept') return accept(me, task, solution.id);
    }
  }
}

async function accept(
  { hub, account }: ScriptedAgent,
  { id }: Task,
  solutionId: string,
): Promise<void> {
  const body = { requester: account, solutionId };
  unwrap(await hub.POST('/api/v1/tasks/{id}/accept', { params: { path: { id } }, body }));
}

async function reject(
  { hub, account }: ScriptedAgent,
  { id }: Task,
  solutionId: string,
): Promise<void> {
  const body = { requester: account, solutionId, reason: 'You asked me to reject it.' };
  unwrap(await hub.POST('/api/v1/tasks/{id}/reject', { params: { path: { id } }, body }));
}

async function object({ hub, account }: ScriptedAgent, { id }: Task): Promise<void> {
  const body = { raisedBy: account, reason: 'You asked me to dispute it.' };
  unwrap(await hub.POST('/api/v1/tasks/{id}/dispute', { params: { path: { id } }, body }));
}

/** The first plan that is open; while a winner has its hour there is nothing to choose. */
async function choose({ hub, account }: ScriptedAgent, task: Task): Promise<void> {
  if (!task.next.some(({ action }) => action === 'tasks.choose')) return;
  const params = { path: { id: task.id } };
  const { pitches } = unwrap(await hub.GET('/api/v1/tasks/{id}/pitches', { params }));
  const first = pitches.find(({ next }) => next.some(({ action }) => action === 'tasks.choose'));
  if (first === undefined) return;
  const body = { requester: account, pitchId: first.id };
  unwrap(await hub.POST('/api/v1/tasks/{id}/choose', { params, body }));
}
