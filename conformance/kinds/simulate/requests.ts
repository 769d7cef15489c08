import type { Calling } from './model/operations.ts';
import { SEAT_SKILL } from './model/seats.ts';
import type { StepTerms, Terms } from './model/types.ts';
import type { SiteRequest } from './site.ts';

/** The hub's names for the things that operations of this run made. */
export interface Names {
  readonly accounts: readonly string[];
  readonly ids: ReadonlyMap<string, string>;
  readonly tokens: ReadonlyMap<string, string>;
  /** Where an agent listens as a judge. */
  endpointOf(by: number): string;
  taskOf(name: string): string;
}

export function requestOf(op: Calling, names: Names): SiteRequest {
  const self = names.accounts[op.by] ?? '';
  const id = (name: string): string => names.ids.get(name) ?? name;
  const payee = 'payee' in op && op.payee !== undefined ? { payee: names.accounts[op.payee] } : {};
  const key = 'key' in op && op.key !== undefined ? { idempotencyKey: op.key } : {};
  const act = (task: string, verb: string, body: object): SiteRequest =>
    post(`/api/v1/tasks/${id(task)}/${verb}`, { ...body, ...key });
  switch (op.do) {
    case 'publish':
      return post('/api/v1/tasks', { requester: self, ...terms(op.terms), ...key });
    case 'next':
      return post('/api/v1/tasks/claim', { ...skills(op), ...minReward(op), ...payee });
    case 'claim':
      return act(op.task, 'claim', { agentId: self, ...skills(op), ...payee });
    case 'start':
      return act(op.task, 'start', { agentId: self });
    case 'submit':
    case 'fail': {
      const claimToken = names.tokens.get(op.attempt) ?? 'a'.repeat(43);
      const body = op.do === 'submit' ? { claimToken, result: result(op) } : { claimToken };
      return act(names.taskOf(op.attempt), op.do, body);
    }
    case 'solution':
      return act(op.task, 'solution', { agentId: self, result: result(op), ...payee });
    case 'accept':
    case 'reject': {
      const named = op.attempt === undefined ? {} : { solutionId: id(op.attempt) };
      const reason = op.do === 'reject' ? { reason: 'no' } : {};
      return act(op.task, op.do, { requester: self, ...named, ...reason });
    }
    case 'award': {
      const winners = op.attempts.map((name) => ({ solutionId: id(name) }));
      return act(op.task, 'accept', { requester: self, winners });
    }
    case 'cancel':
      return act(op.task, 'cancel', { requester: self });
    case 'pitch': {
      const price = op.price === undefined ? {} : { price: String(op.price) };
      return act(op.task, 'pitch', { agentId: self, plan: 'I do it.', ...price });
    }
    case 'choose':
      return act(names.taskOf(op.pitch), 'choose', { requester: self, pitchId: id(op.pitch) });
    case 'dispute':
      return act(op.task, 'dispute', { raisedBy: self, reason: 'It is not so.' });
    case 'arbitrate': {
      const share = op.shareBps === undefined ? {} : { workerShareBps: op.shareBps };
      return act(op.task, 'arbitrate', { by: self, verdict: op.verdict, ...share });
    }
    case 'seat': {
      const stake = op.stake === undefined ? {} : { stake: String(op.stake) };
      const endpoint = names.endpointOf(op.by);
      const skill = op.isForAll === true ? {} : { skill: SEAT_SKILL };
      const fee = op.minFeeBps === undefined ? {} : { minFeeBps: op.minFeeBps };
      const seat = { account: self, endpoint, ...skill, ...fee, ...stake };
      return post('/api/v1/validators', { ...seat, ...key });
    }
    case 'resign':
      return post('/api/v1/validators/resign', { account: self, ...key });
    case 'chain': {
      const steps = op.steps.map(step);
      const workers = { distinctWorkers: op.isDistinct, sameWorker: op.isSame };
      const body = { requester: self, title: 'In order', steps, ...workers };
      return post('/api/v1/chains', { ...body, ...key });
    }
    case 'abandon':
      return post(`/api/v1/chains/${id(op.chain)}/abandon`, { requester: self, ...key });
    case 'borrow': {
      const wanted = op.wanted === undefined ? {} : { wantedAtomic: String(op.wanted) };
      return post('/api/v1/services/credit', {
        borrower: self,
        taskId: id(op.task),
        ...wanted,
        ...key,
      });
    }
    case 'pay': {
      const body = { to: names.accounts[op.to], amount: String(op.amount), ...key };
      return post(`/api/v1/wallet/${self}/pay`, body);
    }
    case 'faucet':
      return post(`/api/v1/wallet/${self}/credit`, { amount: String(op.amount), ...key });
  }
}

function post(path: string, body: object): SiteRequest {
  return { method: 'POST', path, body };
}

function result({ good }: { readonly good: boolean }): string {
  return good ? 'done' : 'not yet';
}

function skills(op: { readonly skills?: readonly string[] }): object {
  return op.skills === undefined ? {} : { skills: op.skills };
}

function minReward(op: { readonly minReward?: bigint }): object {
  return op.minReward === undefined ? {} : { minReward: String(op.minReward) };
}

function terms(given: Terms): object {
  return {
    ...common(given),
    tags: given.tags,
    ...(given.mode !== undefined && { mode: given.mode }),
    ...(given.shares !== undefined && { shares: { places: given.shares } }),
    ...(given.maxAttempts !== undefined && { maxAttempts: given.maxAttempts }),
    ...(given.deadline !== undefined && { deadline: new Date(given.deadline).toISOString() }),
  };
}

function step(given: StepTerms): object {
  return common(given);
}

function common(given: Omit<StepTerms, 'reward'> & Pick<Terms, 'reward'>): object {
  return {
    title: 'Do it',
    requiredSkills: given.skills,
    ...(given.reward !== undefined && { rewardAmount: String(given.reward) }),
    ...(given.verification !== undefined && { verification: given.verification }),
    ...(given.rule && { acceptance: { kind: 'contains', values: ['done'] } }),
    ...(given.autoAccept !== undefined && { autoAcceptSeconds: given.autoAccept }),
    ...(given.window !== undefined && { disputeWindowSeconds: given.window }),
  };
}
