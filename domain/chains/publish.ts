import type { Account } from '../account.ts';
import { defined } from '../defined.ts';
import { plus, seconds } from '../instant.ts';
import type { Instant } from '../instant.ts';
import { AMOUNT_MAX, atomic, ZERO } from '../money.ts';
import type { NetworkId } from '../network.ts';
import type { Change, Refused } from '../tasks/change.ts';
import { refused } from '../tasks/change.ts';
import { DEADLINE_DEFAULT } from '../tasks/limits.ts';
import { termsOf, opened, termsRefusal } from '../tasks/publish.ts';
import type { Draft } from '../tasks/publish.ts';
import type { Chain, StepDeal } from './model.ts';

/**
 * Turns a request into a chain, and each step into a task when its turn comes. Invariant:
 * publication resolves every default of a step, so its terms do not depend on when it opens.
 */
export type StepDraft = Pick<
  Draft,
  | 'title'
  | 'description'
  | 'acceptance'
  | 'verification'
  | 'requiredSkills'
  | 'autoAcceptSeconds'
  | 'disputeWindowSeconds'
> &
  Required<Pick<Draft, 'rewardAmount'>> & { readonly deadlineSeconds?: number };

export interface ChainDraft {
  readonly requester: Account;
  readonly title: string;
  readonly network: NetworkId;
  readonly distinctWorkers: boolean;
  readonly sameWorker: boolean;
  readonly steps: readonly StepDraft[];
}

export interface Published {
  readonly chain: Chain;
  readonly steps: readonly StepDeal[];
}

/** One transfer escrows the whole chain, so it is bounded as one amount. */
export interface TooMuch {
  readonly total: bigint;
}

export function publishChain(
  draft: ChainDraft,
  id: string,
  now: Instant,
): Published | Refused | TooMuch {
  const { requester, title, network, distinctWorkers, sameWorker } = draft;
  if (distinctWorkers && sameWorker) return ONE_OR_MANY;
  const steps: StepDeal[] = [];
  for (const [place, { deadlineSeconds, ...step }] of draft.steps.entries()) {
    const time = deadlineSeconds === undefined ? DEADLINE_DEFAULT : seconds(deadlineSeconds);
    const deadline = plus(now, time);
    const whole: Draft = { ...step, requester, network, mode: 'exclusive', deadline };
    const deal = termsOf(whole, now);
    const refusal = termsRefusal(whole, deal, now);
    if (refusal !== undefined) return inStep(refusal, place);
    steps.push({ ...deal, reward: step.rewardAmount, deadlineSeconds: time });
  }
  const total = steps.reduce((sum, { reward }) => sum + reward, 0n);
  if (total > AMOUNT_MAX) return { total };
  const first = steps[0]?.reward ?? ZERO;
  const chain: Chain = {
    id,
    requester,
    title,
    network,
    distinctWorkers,
    sameWorker,
    state: 'running',
    steps: steps.length,
    step: 1,
    total: atomic(total),
    spent: ZERO,
    refunded: ZERO,
    waiting: atomic(total - first),
    createdAt: now,
  };
  return { chain, steps };
}

const ONE_OR_MANY = refused(
  'not-together',
  'sameWorker asks for one worker on all steps, and distinctWorkers for another on each.',
  { field: 'body.sameWorker', hint: 'Send one of the two as true, and publish the chain again.' },
);

/** The refusal of one step, its place named as the request wrote it. */
function inStep(refusal: Refused, place: number): Refused {
  const { why, field } = refusal;
  const at = `body.steps[${place}]`;
  return {
    ...refusal,
    why: `Step ${place + 1}: ${why}`,
    field: field === undefined ? at : field.replace(/^body/, at),
  };
}

/**
 * Returns the exclusive task of a step whose turn has come, with the result before it as
 * `input.previous`. No money moves, since the escrow of the chain already holds the reward.
 */
export function openStep(
  chain: Chain,
  deal: StepDeal,
  step: {
    readonly taskId: string;
    /** The accepted result of the step before; absent on the first. */
    readonly previous?: { readonly value: unknown };
    readonly worker?: Account;
  },
  now: Instant,
): Change {
  const { requester, network } = chain;
  const { reward: rewardAmount, windows, deadlineSeconds, ...terms } = deal;
  const { taskId, previous, worker } = step;
  const draft: Draft = {
    ...terms,
    ...windows,
    requester,
    network,
    rewardAmount,
    mode: 'exclusive',
    deadline: plus(now, deadlineSeconds),
    ...(previous !== undefined && { input: { previous: previous.value } }),
  };
  const change = opened(termsOf(draft, now), taskId, now);
  const place = { id: chain.id, step: chain.step, ...defined({ worker }) };
  return { ...change, task: { ...change.task, chain: place } };
}
