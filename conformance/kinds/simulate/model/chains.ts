import { agentOf, hold, release, spendableOf } from './books.ts';
import { opened, REWARD_MIN, verificationOf } from './publish.ts';
import { endUnpaid } from './settle.ts';
import type { Chain, Expected, Model, StepTerms, Task } from './types.ts';

/** Chains (choices chains.steps): one hold, steps that open one after another. */
export function createChain(
  model: Model,
  by: number,
  { steps, isDistinct, isSame }: Pick<Chain, 'steps' | 'isDistinct' | 'isSame'>,
  name: string,
): Expected {
  if (isDistinct && isSame) return { refused: 'not-together' };
  if (steps.some(({ reward }) => reward < REWARD_MIN)) return { refused: 'reward-too-small' };
  if (steps.some((step) => verificationOf(step) === 'automatic' && !step.rule)) {
    return { refused: 'acceptance-required' };
  }
  const total = totalOf(steps);
  if (spendableOf(agentOf(model, by)) < total) return { refused: 'insufficient-funds' };
  const chain: Chain = {
    name,
    requester: by,
    isDistinct,
    isSame,
    steps,
    state: 'running',
    opened: [],
    accepted: 0,
  };
  model.chains.set(name, chain);
  hold(agentOf(model, by), `chain ${name}`, total);
  openStep(model, chain);
  return { ok: { state: 'running' }, made: name };
}

export function abandonChain(model: Model, chain: Chain, by: number): Expected {
  if (chain.requester !== by) return { refused: 'not-a-party' };
  if (chain.state !== 'running') return { refused: 'wrong-state' };
  abandon(model, chain);
  return { ok: { state: 'abandoned' } };
}

function abandon(model: Model, chain: Chain): void {
  chain.state = 'abandoned';
  const waiting = totalOf(chain.steps.slice(chain.opened.length));
  if (waiting > 0n) release(agentOf(model, chain.requester), `chain ${chain.name}`, waiting);
  followChain(model, chain);
}

function totalOf(steps: readonly Pick<StepTerms, 'reward'>[]): bigint {
  return steps.reduce((sum, { reward }) => sum + reward, 0n);
}

function openStep(model: Model, chain: Chain): void {
  const n = chain.opened.length;
  const terms = chain.steps[n];
  if (terms === undefined) return;
  const name = `${chain.name}s${n + 1}`;
  const place = { name: chain.name, n: n + 1 };
  const about = { requester: chain.requester, name, hold: 'chain' as const, chain: place };
  const task = opened(model, about, { ...terms, tags: [] });
  chain.opened.push(task);
  model.tasks.set(name, task);
}

export function followChain(model: Model, chain: Chain): void {
  const step = chain.opened.at(-1);
  if (step === undefined) return;
  const isOver = ['paid', 'refunded', 'withdrawn', 'expired'].includes(step.state);
  if (wasAccepted(step) && chain.accepted < chain.opened.length) {
    chain.accepted = chain.opened.length;
    if (!chain.isSame && hasNext(chain)) return openStep(model, chain);
  }
  // A milestone opens when the one before is paid.
  if (chain.isSame && hasNext(chain) && step.state === 'paid') return openStep(model, chain);
  if (chain.isSame && hasNext(chain) && step.state === 'refunded') return abandon(model, chain);
  const isLast = chain.opened.length === chain.steps.length;
  if (chain.state === 'running' && step.state === 'expired') abandon(model, chain);
  else if (chain.state === 'running' && isLast && isOver) chain.state = 'completed';
  // A step that comes back to a chain that has ended ends as well.
  else if (chain.state === 'abandoned' && step.state === 'open') {
    endUnpaid(model, step, 'withdrawn');
  }
}

function hasNext(chain: Chain): boolean {
  return chain.state === 'running' && chain.opened.length < chain.steps.length;
}

function wasAccepted({ state }: Task): boolean {
  return ['accepted', 'disputed', 'paid', 'refunded'].includes(state);
}

/** Whether the worker was accepted on another step of a chain that takes each worker once. */
export function didAnotherStep(model: Model, task: Task, worker: number): boolean {
  const chain = task.chain && model.chains.get(task.chain.name);
  return chain?.isDistinct === true && workersElsewhere(chain, task).includes(worker);
}

/** Whether the milestone belongs to another worker, the one of the milestones before. */
export function isOthersMilestone(model: Model, task: Task, worker: number): boolean {
  const chain = task.chain && model.chains.get(task.chain.name);
  return chain?.isSame === true && workersElsewhere(chain, task).some((other) => other !== worker);
}

/** The workers who were accepted on other steps. */
function workersElsewhere(chain: Chain, task: Task): readonly number[] {
  return chain.opened
    .filter((step) => step !== task)
    .flatMap(({ attempts }) => attempts.filter(({ state }) => state === 'accepted'))
    .map(({ worker }) => worker);
}

/** From acceptance on, less what a ruling gave back; judges are paid for an unpaid step too. */
function spentOn(step: Task): bigint {
  return wasAccepted(step) ? step.reward - step.returned : step.kept;
}

export function moneyOf(model: Model, chain: Chain) {
  const total = totalOf(chain.steps);
  const spent = chain.opened.reduce((sum, step) => sum + spentOn(step), 0n);
  const stillHeld = agentOf(model, chain.requester).holds.get(`chain ${chain.name}`) ?? 0n;
  return { total, spent, stillHeld, refunded: total - spent - stillHeld };
}
