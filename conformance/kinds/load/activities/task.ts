import { deliverResult, type components } from '../../../../clients/typescript/index.ts';
import type { LoadAgent } from '../agents.ts';
import { movement } from '../kept.ts';
import { another, pick, type Activity } from '../world.ts';

type Claim = components['schemas']['Claim'];

const REWARD = 10_000n;
const WAIT_SECONDS = 10;
/** One less than an account may hold. */
const WORKING_MAX = 2;
const TERMS = {
  title: 'Say done',
  rewardAmount: `${REWARD}`,
  acceptance: { kind: 'contains' as const, values: ['done'] },
  disputeWindowSeconds: 0,
};

/** A task of two agents: published, claimed by id or queue, delivered, paid by rule or by hand. */
export const task: Activity = async (own, world) => {
  const worker = another(own, world);
  if (worker.kept.working >= WORKING_MAX) return;
  worker.kept.working += 1;
  try {
    await live(own, worker);
  } finally {
    worker.kept.working -= 1;
  }
};

async function live(own: LoadAgent, worker: LoadAgent): Promise<void> {
  const isDecided = pick([true, false]) === true;
  const skill = own.newKey();
  const fromQueue = pick([true, false]) === true ? claimNext(worker, skill) : undefined;
  const [id, claimed] = await Promise.all([publish(own, skill, isDecided), fromQueue]);
  const claim = claimed?.work?.id === id ? claimed : await claimById(worker, id, skill);
  const key = worker.newKey();
  const delivered = await worker.ask(async (hub) => ({
    data: await deliverResult(hub, claim, 'done', key),
    response: new Response(),
  }));
  const paid = isDecided ? await accept(own, id) : delivered;
  if (paid.split === undefined || paid.transferId === undefined) {
    throw new Error(`task ${id} was not paid: ${JSON.stringify(paid)}`);
  }
  worker.kept.in.set(movement('task.reward', paid.transferId), BigInt(paid.split.worker));
  own.kept.paidTasks.add(id);
}

async function publish(own: LoadAgent, skill: string, isDecided: boolean): Promise<string> {
  const body = {
    ...TERMS,
    ...(isDecided && { verification: 'requester' as const }),
    requester: own.account,
    requiredSkills: [skill],
    idempotencyKey: own.newKey(),
  };
  const { id } = await own.ask((hub) => hub.POST('/api/v1/tasks', { body }));
  own.kept.published += 1;
  return id;
}

async function claimNext(worker: LoadAgent, skill: string): Promise<Claim> {
  const params = { query: { wait: WAIT_SECONDS } };
  const body = { skills: [skill], minReward: `${REWARD}`, idempotencyKey: worker.newKey() };
  return worker.ask((hub) => hub.POST('/api/v1/tasks/claim', { params, body }));
}

async function claimById(worker: LoadAgent, id: string, skill: string): Promise<Claim> {
  const body = { agentId: worker.account, skills: [skill] };
  return worker.ask((hub) =>
    hub.POST('/api/v1/tasks/{id}/claim', { params: { path: { id } }, body }),
  );
}

async function accept(own: LoadAgent, id: string): Promise<components['schemas']['TaskChange']> {
  const body = { requester: own.account, idempotencyKey: own.newKey() };
  return own.ask((hub) =>
    hub.POST('/api/v1/tasks/{id}/accept', { params: { path: { id } }, body }),
  );
}
