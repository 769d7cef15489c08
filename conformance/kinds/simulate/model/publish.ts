import { agentOf, hold, spendableOf } from './books.ts';
import { panelFor } from './seats.ts';
import { partsOf, sumOf, WHOLE } from './shares.ts';
import { DAY, type Expected, type Model, type Task, type Terms } from './types.ts';

/** Publication (choices tasks.publication, T1); refusals in the order of x-errors. */
export const REWARD_MIN = 1_000n;
const DEADLINE_MIN = 5 * 60_000;

export function publish(model: Model, by: number, terms: Terms, name: string): Expected {
  const refused = refusal(model, by, terms);
  if (refused !== undefined) return { refused };
  const task = made(model, by, terms, name);
  model.tasks.set(name, task);
  if (task.reward > 0n) hold(agentOf(model, by), `task ${name}`, task.reward);
  const isWarned =
    task.verification === 'validator' && panelFor(model, task, [task.requester]) === undefined;
  return { ok: { state: 'open', isWarned }, made: name };
}

function refusal(model: Model, by: number, terms: Terms): string | undefined {
  const { reward, deadline } = terms;
  const isThread = terms.tags.includes('thread');
  if (deadline !== undefined) {
    const at = floorSecond(deadline);
    if (at < model.now + DEADLINE_MIN || at > model.now + 90 * DAY) return 'deadline';
  }
  if (reward !== undefined && reward < REWARD_MIN) return 'reward-too-small';
  if (isThread && reward !== undefined) return 'thread-only';
  if (terms.tags.includes('pitch') && terms.mode === 'open') return 'wrong-mode';
  if (terms.shares !== undefined && areWrong(terms.shares, reward ?? 0n)) return 'bad-shares';
  if (terms.verification === 'automatic' && !terms.rule) return 'acceptance-required';
  if (reward !== undefined && spendableOf(agentOf(model, by)) < reward) return 'insufficient-funds';
  return undefined;
}

function areWrong(places: readonly number[], reward: bigint): boolean {
  return sumOf(places) !== WHOLE || partsOf(reward, places).some((part) => part < REWARD_MIN);
}

function made(model: Model, requester: number, terms: Terms, name: string): Task {
  const reward = terms.reward ?? 0n;
  return opened(model, { requester, name, hold: reward > 0n ? 'task' : 'none' }, terms);
}

export function opened(
  model: Model,
  about: Pick<Task, 'requester' | 'name' | 'hold'> & Partial<Pick<Task, 'chain'>>,
  terms: Terms,
): Task {
  const reward = terms.reward ?? 0n;
  return {
    chain: undefined,
    ...about,
    order: model.tasks.size,
    mode: terms.mode ?? (terms.shares === undefined ? 'exclusive' : 'open'),
    verification: verificationOf(terms),
    rule: terms.rule,
    shares: terms.shares,
    autoAccept: terms.autoAccept,
    windowSeconds: terms.window ?? (terms.shares === undefined ? 86_400 : 0),
    isThread: terms.tags.includes('thread'),
    isPitch: terms.tags.includes('pitch'),
    skills: terms.skills,
    maxAttempts: terms.maxAttempts ?? 3,
    deadline: floorSecond(terms.deadline ?? model.now + 7 * DAY),
    posted: reward,
    reward,
    revision: 1,
    state: 'open',
    attempts: [],
    pitches: [],
    chosen: undefined,
    reservation: undefined,
    payoutAt: 0,
    dispute: undefined,
    rounds: [],
    judges: [],
    returned: 0n,
    kept: 0n,
  };
}

export function verificationOf({
  verification,
  rule,
  shares,
}: Pick<Terms, 'verification' | 'rule' | 'shares'>) {
  return verification ?? (rule && shares === undefined ? 'automatic' : 'requester');
}

function floorSecond(at: number): number {
  return Math.floor(at / 1000) * 1000;
}
