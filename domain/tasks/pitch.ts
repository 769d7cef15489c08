import type { Account } from '../account.ts';
import { defined } from '../defined.ts';
import { earliest, iso, plus } from '../instant.ts';
import type { Instant } from '../instant.ts';
import { tierOf } from '../karma.ts';
import { atomic } from '../money.ts';
import type { Atomic } from '../money.ts';
import { refused } from './change.ts';
import type { Change, Refused } from './change.ts';
import { notRequester } from './decide.ts';
import { CHOSEN_TIMEOUT, REWARD_MIN } from './limits.ts';
import { isPitch, isThread, takesPitches } from './model.ts';
import type { Pitch, Task } from './model.ts';
import { choice, wonClaim } from './next.ts';
import type { LegalAction } from './next.ts';
import { digestOf } from './publish.ts';
import { attemptsUsed, cooling, selfDealing } from './worker.ts';
import type { TaskHistory, Worker } from './worker.ts';

/**
 * Plans before work (T18). Invariant: an account has one pitch per task, a changed plan is another
 * pitch, and choosing a lower price sets the reward, the revision and the escrow in one step.
 */
export interface PitchRequest {
  readonly id: string;
  readonly worker: Worker;
  readonly plan: string;
  /** Absent asks for the whole reward. */
  readonly price?: Atomic;
  /** The pitch that this worker has on the task. */
  readonly standing?: Pitch;
}

export interface Offered extends Change {
  readonly offered: Pitch;
}

/** Offers a plan in place of the worker's earlier one; the same plan again changes nothing. */
export function offerPitch(task: Task, request: PitchRequest, now: Instant): Offered | Refused {
  const refusal = pitchRefusal(task, request, now);
  if (refusal !== undefined) return refusal;
  const { id, worker, plan, standing } = request;
  const price = request.price ?? task.reward?.amount;
  const unchanged = standing?.plan === plan && standing.price === price && !standing.lapsed;
  if (unchanged) return { task, attempts: [], events: [], offered: standing };
  const offered: Pitch = {
    id,
    taskId: task.id,
    worker: worker.account,
    plan,
    ...defined({ price }),
    createdAt: now,
    lapsed: false,
  };
  return {
    task: { ...task, pitches: task.pitches + (standing === undefined ? 1 : 0) },
    attempts: [],
    events: [{ at: now, event: 'pitch.offered', state: task.state, actor: worker.account }],
    pitch: { offered },
    offered,
  };
}

/** Why the plan is not taken, in order of precedence. */
function pitchRefusal(task: Task, request: PitchRequest, now: Instant): Refused | undefined {
  const { worker, price } = request;
  return (
    notForPitches(task) ??
    notTaking(task, worker.account) ??
    selfDealing(worker) ??
    restricted(worker) ??
    attemptsUsed(task, worker.history) ??
    cooling(worker.history, now) ??
    priceRefusal(task, price)
  );
}

function notForPitches(task: Task): Refused | undefined {
  if (isPitch(task) && !isThread(task)) return undefined;
  return refused('wrong-mode', 'Plans are offered only on work that is tagged `pitch`.');
}

function notTaking(task: Task, by: Account): Refused | undefined {
  if (task.state !== 'open') {
    return refused('wrong-state', `This task is ${task.state}; it takes no plans now.`);
  }
  if (task.chosen?.worker === by) {
    return refused('wrong-state', 'Your plan is the chosen one: claim the task.');
  }
  if (task.reserved === undefined) return undefined;
  const { until } = task.reserved;
  return refused('wrong-state', `Kept for the chosen pitch until ${iso(until)}.`, { until });
}

/** Standing below zero pitches for nothing (choices karma.entries). */
function restricted({ karma }: Worker): Refused | undefined {
  if (tierOf(karma) !== 'restricted') return undefined;
  return refused('claim-limit', `Your karma is ${karma}; below 0 an account offers no plans.`, {
    hint: '`POST /api/v1/tasks/claim` gives you work that is paid without a plan; offer plans again when your karma is 0, which `GET /api/v1/me` shows.',
  });
}

function priceRefusal({ reward }: Task, price: Atomic | undefined): Refused | undefined {
  if (price === undefined) return undefined;
  const field = 'body.price';
  if (reward === undefined) {
    return refused('price-above-reward', 'This task is unpaid, so a plan for it names no price.', {
      field,
    });
  }
  if (price > reward.amount) {
    const why = `The price ${price} is above the reward of ${reward.amount}.`;
    return refused('price-above-reward', why, { field });
  }
  if (price >= REWARD_MIN) return undefined;
  return refused('reward-too-small', `The least price is ${REWARD_MIN} atomic units.`, { field });
}

/** Whether a plan of this worker would be taken. */
export function mayPitch(task: Task, worker: Worker, now: Instant): boolean {
  return pitchRefusal(task, { id: '', worker, plan: '' }, now) === undefined;
}

/** The pitch that a requester names, with what its worker did on this task before. */
export interface NamedPitch {
  readonly pitch: Pitch;
  readonly history: TaskHistory;
  /** Other pitches of the task, whose workers are notified when it is chosen. */
  readonly rivals?: readonly Pitch[];
}

/**
 * Takes one plan: the task is kept for its worker for an hour, never past the deadline. Who was
 * chosen before and did not deliver loses the right to claim.
 */
export function choosePitch(
  task: Task,
  by: Account,
  named: NamedPitch | undefined,
  now: Instant,
): Change | Refused {
  const refusal = notRequester(task, by) ?? notForPitches(task) ?? notChoosing(task);
  if (refusal !== undefined) return refusal;
  if (named === undefined) {
    const why =
      'This task has no pitch with this id; a worker who pitches again replaces the earlier one.';
    return refused('not-found', why, { field: 'body.pitchId' });
  }
  const { pitch, rivals = [] } = named;
  const decided = notChoosable(task, named, now);
  if (decided !== undefined) return refused('decided', decided, { field: 'body.pitchId' });
  const agreed = agreedTerms(task, pitch);
  const lowered = (task.reward?.amount ?? 0n) - (agreed.reward?.amount ?? 0n);
  return {
    task: {
      ...agreed,
      chosen: { pitchId: pitch.id, worker: pitch.worker },
      reserved: { for: pitch.worker, until: earliest(plus(now, CHOSEN_TIMEOUT), task.deadline) },
    },
    attempts: [],
    events: [
      {
        at: now,
        event: 'pitch.chosen',
        state: task.state,
        actor: by,
        note: `pitch ${pitch.id} of ${pitch.worker}`,
      },
    ],
    pitch: { passed: passedBy(task, pitch, rivals) },
    ...(lowered > 0n && { money: { step: 'lower', by: atomic(lowered) } }),
  };
}

/** Those that could have been chosen; a lapsed plan, or one that asks too much, lost before. */
function passedBy(task: Task, chosen: Pitch, rivals: readonly Pitch[]): readonly Account[] {
  return rivals
    .filter((rival) => rival.id !== chosen.id && pitchState(rival, task) !== 'lapsed')
    .filter((rival) => !asksMore(rival, task))
    .map(({ worker }) => worker);
}

function notChoosing(task: Task): Refused | undefined {
  const { id, state, reserved } = task;
  const hint = `\`GET /api/v1/tasks/${id}\` shows until when; choose again if it comes free, or accept or reject the result that is delivered.`;
  if (reserved !== undefined) {
    const why = `The task is kept for the chosen pitch until ${iso(reserved.until)}.`;
    return refused('already-claimed', why, { until: reserved.until, hint });
  }
  if (state === 'held' || state === 'delivered') {
    return refused('already-claimed', 'The chosen worker holds this task.', { hint });
  }
  if (state === 'open') return undefined;
  return refused('wrong-state', `This task is ${state}; no plan can be chosen any more.`);
}

/** Why a pitch cannot be chosen: none is bound below its price or without the right to claim. */
function notChoosable(task: Task, named: NamedPitch, now: Instant): string | undefined {
  const { pitch, history } = named;
  if (task.chosen?.pitchId === pitch.id) {
    return 'This pitch is chosen already; its worker may claim the task until you choose another.';
  }
  if (pitch.lapsed) return 'This pitch was chosen and not claimed; its worker may pitch again.';
  if (asksMore(pitch, task)) {
    const agreed = `the reward of ${task.reward?.amount} that was agreed since`;
    return `This pitch asks ${pitch.price}, more than ${agreed}.`;
  }
  if (attemptsUsed(task, history) !== undefined) return 'Its worker has no attempts left here.';
  const wait = cooling(history, now)?.until;
  return wait === undefined ? undefined : `Its worker may not claim before ${iso(wait)}.`;
}

/** The same deal at the whole reward, else its next revision (choices tasks.terms). */
function agreedTerms(task: Task, { price }: Pitch): Task {
  const { reward } = task;
  if (reward === undefined || price === undefined || price === reward.amount) return task;
  const revision = task.terms.revision + 1;
  const agreed: Task = { ...task, reward: { ...reward, amount: price } };
  return { ...agreed, terms: { digest: digestOf(task.id, agreed, revision), revision } };
}

function asksMore({ price }: Pitch, { reward }: Task): boolean {
  return price !== undefined && reward !== undefined && price > reward.amount;
}

export type PitchState = 'offered' | 'chosen' | 'lapsed' | 'passed';

/**
 * Derives the state of a pitch from its task, so that no notice is needed. It is `passed` while
 * another has the task, and for good if it asks more than the reward that was agreed since.
 */
export function pitchState(pitch: Pitch, task: Task): PitchState {
  if (pitch.lapsed) return 'lapsed';
  if (task.chosen?.pitchId === pitch.id) return 'chosen';
  if (asksMore(pitch, task)) return 'passed';
  return task.chosen === undefined || takesPitches(task) ? 'offered' : 'passed';
}

export function pitchActions(pitch: Pitch, task: Task): readonly LegalAction[] {
  const state = pitchState(pitch, task);
  if (state === 'chosen' && task.state === 'open') {
    return [wonClaim(task, pitch.worker)];
  }
  if (!takesPitches(task)) return [];
  const again: LegalAction = {
    action: 'tasks.pitch',
    who: pitch.worker,
    verb: 'pitch',
    body: { agentId: pitch.worker, plan: '<your plan>' },
    until: task.deadline,
  };
  return state === 'offered' ? [choice(task, pitch.id), again] : [again];
}
