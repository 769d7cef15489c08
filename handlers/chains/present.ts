import { stepsOf, type StoredStep } from '../../db/chains/steps.ts';
import { stillHeld, type Chain } from '../../domain/chains/model.ts';
import type { Instant } from '../../domain/instant.ts';
import { bps } from '../../domain/money.ts';
import { HUB_BPS, JUDGES_BPS } from '../../domain/tasks/limits.ts';
import {
  acceptedAttempt,
  claimed,
  undecided,
  type TaskAggregate,
} from '../../domain/tasks/model.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import { ASSET } from '../../domain/network.ts';
import { presentRule } from '../tasks/present/task.ts';
import { presentNext, presentNextFor } from '../../workflows/tasks/nextActions.ts';
import { tasksOfChain } from '../../db/chains/tasks.ts';
import type { Account } from '../../domain/account.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import type { Reader } from '../../db/store.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';

/** The requester that an answer goes to; without it the calls of every role are shown. */
interface ChainReader {
  readonly hub: Hub;
  readonly account: Account;
}

/** `aggregates` are the tasks of the steps that were opened, in their order. */
export function presentChain(
  chain: Chain,
  steps: readonly StoredStep[],
  aggregates: readonly TaskAggregate[],
  now: Instant,
  reader?: ChainReader,
): Omit<Schemas['Chain'], 'repeated'> {
  const judged = steps.some(({ deal }) => deal.verification === 'validator');
  return {
    ...shared(chain, aggregates.at(-1), now, reader),
    distinctWorkers: chain.distinctWorkers,
    ...milestones(chain, aggregates),
    fees: { hubBps: HUB_BPS, judgesBps: judged ? JUDGES_BPS : bps(0) },
    steps: steps.map((step) => presentStep(step, aggregates[step.n - 1], chain.state)),
    endReason: chain.endReason,
    ...UNTRUSTED_TEXTS,
  };
}

/** `current` is the task of the step that was opened last. */
export function presentSummary(
  chain: Chain,
  current: TaskAggregate | undefined,
  now: Instant,
): Schemas['ChainSummary'] {
  const accepted = current?.task.accepted === undefined ? 0 : 1;
  const turn = chain.state === 'running' ? current?.task.id : undefined;
  return {
    ...shared(chain, current, now),
    steps: chain.steps,
    stepsAccepted: chain.step - 1 + accepted,
    currentTaskId: turn,
  };
}

function shared(
  chain: Chain,
  current: TaskAggregate | undefined,
  now: Instant,
  reader?: ChainReader,
) {
  const { id, requester, title, state, network, createdAt, endedAt } = chain;
  return {
    id,
    requester,
    title,
    state,
    total: chain.total,
    spent: chain.spent,
    stillHeld: stillHeld(chain),
    refunded: chain.refunded,
    asset: ASSET,
    network,
    createdAt,
    endedAt,
    next: nextOf(chain, current, now, reader),
  };
}

function nextOf(
  chain: Chain,
  current: TaskAggregate | undefined,
  now: Instant,
  reader: ChainReader | undefined,
): Schemas['ChainNext'] {
  const ofStep = current === undefined ? [] : stepNext(current, now, reader);
  if (chain.state !== 'running') return ofStep;
  const { requester } = chain;
  const path = `/api/v1/chains/${chain.id}/abandon`;
  const call = { method: 'POST' as const, path, body: { requester } };
  return [...ofStep, { action: 'chains.abandon', who: requester, call }];
}

function stepNext(current: TaskAggregate, now: Instant, reader: ChainReader | undefined) {
  if (reader === undefined) return presentNext(current, now);
  return presentNextFor(reader.hub, current, reader.account);
}

function presentStep(
  { n, deal }: StoredStep,
  aggregate: TaskAggregate | undefined,
  chainState: Chain['state'],
): Schemas['ChainStep'] {
  // The reward of a step whose turn never came went back when the chain ended.
  const unopened = chainState === 'running' ? 'waiting' : 'refunded';
  return {
    n,
    title: deal.title,
    description: deal.description,
    state: aggregate?.task.state ?? unopened,
    rewardAmount: deal.reward,
    verification: deal.verification,
    ...(deal.acceptance !== undefined && { acceptance: presentRule(deal.acceptance) }),
    requiredSkills: deal.requiredSkills,
    windows: deal.windows,
    deadlineSeconds: deal.deadlineSeconds,
    ...(aggregate !== undefined && progress(aggregate)),
  };
}

const AT_DEADLINE =
  'A step without an accepted result by its deadline abandons the chain: what no step has earned goes back to the requester, and accepted steps stay paid.';
const OF_MILESTONES =
  ' The next milestone opens when the one before is paid; a ruling that returns the reward of a milestone ends the chain in the same way.';

/** Who works on all steps, when the next one opens, and what the end of the time does. */
function milestones({ sameWorker }: Chain, [first]: readonly TaskAggregate[]) {
  const worker = sameWorker && first !== undefined ? acceptedAttempt(first)?.worker : undefined;
  return {
    sameWorker,
    worker,
    opensNext: sameWorker ? 'paid' : 'accepted',
    atDeadline: {
      undecided: 'returned',
      says: sameWorker ? AT_DEADLINE + OF_MILESTONES : AT_DEADLINE,
    },
  } satisfies Partial<Schemas['Chain']>;
}

const UNDECIDED: readonly string[] = ['open', 'held', 'delivered'];

function progress(aggregate: TaskAggregate): Partial<Schemas['ChainStep']> {
  const { task } = aggregate;
  const worker = (acceptedAttempt(aggregate) ?? claimed(aggregate) ?? undecided(aggregate)[0])
    ?.worker;
  return {
    taskId: task.id,
    worker,
    openedAt: task.createdAt,
    acceptedAt: task.accepted?.at,
    ...(UNDECIDED.includes(task.state) && { deadline: task.deadline }),
  };
}

export async function showChain(
  db: Reader,
  chain: Chain,
  now: Instant,
): Promise<Omit<Schemas['Chain'], 'repeated'>> {
  const steps = await stepsOf(db, chain.id);
  return presentChain(chain, steps, await tasksOfChain(db, chain.id), now);
}
