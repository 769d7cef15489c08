import type { Account } from '../account.ts';
import { defined } from '../defined.ts';
import { earliest } from '../instant.ts';
import type { Instant } from '../instant.ts';
import { firstWinners } from './award.ts';
import { panelUntil } from './decide.ts';
import { nextDue } from './due.ts';
import {
  acceptedAttempt,
  claimed,
  isPitch,
  isThread,
  isTrial,
  takesPitches,
  undecided,
} from './model.ts';
import { earmarked } from './plan.ts';
import { silenceEnds } from './shares.ts';
import type { Attempt, TaskAggregate, Task } from './model.ts';

/**
 * The legal actions now: who may do each, by which call, until when. Invariant: it lists what the
 * guards of the other files let through, so an agent that follows it is refused only for its own
 * standing, attempts or money. A known reader with a waiting solution is offered no second one.
 */
export interface LegalAction {
  readonly action: string;
  /** An account, or a role in words. */
  readonly who: Account | 'any worker' | 'anyone' | 'the arbiter';
  /** Path under the task's own address; empty for the task itself. */
  readonly verb: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether the call reads; others are sent with POST. */
  readonly isRead?: true;
  readonly until?: Instant;
  /** An effect that its name does not show. */
  readonly note?: string;
}

export const YOURS = '<your account>';
const RESULT = '<your result>';
export const TOKEN = '<your claim token>';
export const VERDICT = '<upheld, rejected or split>';
export const CHOSEN_LATER = '<the id of a pitch>';

export function legalActions(
  aggregate: TaskAggregate,
  now: Instant,
  reader?: Account,
): readonly LegalAction[] {
  const all = [...work(aggregate, now), ...decisions(aggregate, now), comment()];
  if (reader === undefined) return all;
  const isChosen = aggregate.task.chosen?.worker === reader;
  const waits = undecided(aggregate).some(({ worker: by }) => by === reader);
  const done = [...(isChosen ? ['tasks.pitch'] : []), ...(waits ? ['tasks.solution'] : [])];
  return all.filter(({ action }) => !done.includes(action));
}

function work(aggregate: TaskAggregate, now: Instant): readonly LegalAction[] {
  const { task } = aggregate;
  if (isThread(task)) return [];
  const until = task.deadline;
  if (task.state === 'held') return holderActions(aggregate);
  if (task.state !== 'open' || now >= until || isTrial(task)) return [];
  const start = worker('tasks.start', 'start', {}, until);
  if (task.mode === 'open') {
    return [worker('tasks.solution', 'solution', { agentId: YOURS, result: RESULT }, until), start];
  }
  if (task.reserved !== undefined) return [wonClaim(task, task.reserved.for)];
  if (task.invited !== undefined) {
    const last = earliest(task.invited.until, until);
    return task.invited.accounts.map((who) => chosenClaim(who, last));
  }
  if (task.chain?.worker !== undefined) return [chosenClaim(task.chain.worker, until)];
  if (isPitch(task)) {
    const offer = worker('tasks.pitch', 'pitch', { agentId: YOURS, plan: '<your plan>' }, until);
    return [...(task.chosen ? [wonClaim(task, task.chosen.worker)] : []), offer, start];
  }
  return [worker('tasks.claim', 'claim', { agentId: YOURS }, until), start];
}

function worker(
  action: string,
  verb: string,
  body: Readonly<Record<string, unknown>>,
  until: Instant,
): LegalAction {
  return { action, who: 'any worker', verb, body, until };
}

function chosenClaim(who: Account, until: Instant): LegalAction {
  return { action: 'tasks.claim', who, verb: 'claim', body: { agentId: who }, until };
}

/** The claim of the worker whose pitch was chosen, with what letting its time pass costs. */
export function wonClaim({ reserved, deadline }: Task, who: Account): LegalAction {
  const call = chosenClaim(who, reserved?.until ?? deadline);
  if (reserved === undefined || reserved.until >= deadline) return call;
  return {
    ...call,
    note: 'Without a claim by then the task opens again, and your karma falls by 2.',
  };
}

/** Taking a plan; without an id the requester reads the pitches first. */
export function choice(task: Task, pitchId = CHOSEN_LATER): LegalAction {
  const { requester, deadline } = task;
  const body = { requester, pitchId };
  return { action: 'tasks.choose', who: requester, verb: 'choose', body, until: deadline };
}

function holderActions(aggregate: TaskAggregate): readonly LegalAction[] {
  const attempt = claimed(aggregate);
  if (attempt === undefined) return [];
  const by = {
    who: attempt.worker,
    ...defined({ until: attempt.leaseEndsAt }),
  };
  return [
    { action: 'tasks.submit', verb: 'submit', body: { claimToken: TOKEN, result: RESULT }, ...by },
    { action: 'tasks.fail', verb: 'fail', body: { claimToken: TOKEN }, ...by },
    { action: 'tasks.claim', verb: 'claim', body: { agentId: attempt.worker }, ...by },
  ];
}

function decisions(aggregate: TaskAggregate, now: Instant): readonly LegalAction[] {
  const { task } = aggregate;
  switch (task.state) {
    case 'open':
    case 'delivered':
      return [...verdicts(aggregate, now), ...choices(task), ...withdrawal(aggregate)];
    case 'accepted':
      return task.reward === undefined ? [] : windowActions(aggregate);
    case 'disputed':
      return rulings(aggregate);
    case 'held':
    case 'paid':
    case 'refunded':
    case 'withdrawn':
    case 'expired':
      return [];
  }
}

/** The arbiter rules, or none while none is drawn; a list without a dispute names the role. */
export function rulings({ dispute }: Pick<TaskAggregate, 'dispute'>): readonly LegalAction[] {
  const body = { by: dispute?.arbiter ?? YOURS, verdict: VERDICT };
  const action = { action: 'tasks.arbitrate', verb: 'arbitrate', body };
  if (dispute === undefined) return [{ ...action, who: 'the arbiter' }];
  const { state, arbiter: who, until } = dispute;
  if (state !== 'drawn' || who === undefined) return [];
  return [{ ...action, who, ...defined({ until }) }];
}

/** Each waiting result may be accepted, and refused once no panel is due. */
function verdicts(aggregate: TaskAggregate, now: Instant): readonly LegalAction[] {
  const { task } = aggregate;
  const who = task.requester;
  const ends = nextDue(aggregate)?.at;
  const until = ends !== undefined && ends > now ? { until: ends } : {};
  const waiting = undecided(aggregate).slice(0, VERDICTS_MAX);
  const accept = (attempt: Attempt): LegalAction => ({
    action: 'tasks.accept',
    who,
    verb: 'accept',
    body: { requester: who, solutionId: attempt.id },
    ...until,
  });
  const reject = (attempt: Attempt): LegalAction => ({
    action: 'tasks.reject',
    who,
    verb: 'reject',
    body: { requester: who, solutionId: attempt.id, reason: '<why>' },
    ...until,
  });
  if (task.shares !== undefined) {
    return [...winners(aggregate, now), ...waiting.map((attempt) => reject(attempt))];
  }
  return waiting.flatMap((attempt) =>
    panelUntil(task, attempt) > now ? [accept(attempt)] : [accept(attempt), reject(attempt)],
  );
}

/** The winners in order of arrival, as an example of a call that works; the order is a choice. */
function winners(aggregate: TaskAggregate, now: Instant): readonly LegalAction[] {
  const { task } = aggregate;
  const first = firstWinners(aggregate, now);
  if (first.length === 0) return [];
  const named = first.map(({ solution, bps }) => ({
    solutionId: solution.id,
    ...defined({ bps }),
  }));
  const who = task.requester;
  const body = { requester: who, winners: named };
  const note = 'The results are named in order of arrival; put the best one first.';
  return [{ action: 'tasks.accept', who, verb: 'accept', body, note, until: silenceEnds(task) }];
}

/** The list is for orientation; the solutions route pages through the rest. */
const VERDICTS_MAX = 5;

function choices(task: Task): readonly LegalAction[] {
  const open = task.pitches - (task.chosen === undefined ? 0 : 1);
  return takesPitches(task) && open > 0 ? [choice(task)] : [];
}

function withdrawal(aggregate: TaskAggregate): readonly LegalAction[] {
  const { task } = aggregate;
  const free = task.state === 'open' && task.reserved === undefined && task.chain === undefined;
  if (!free || undecided(aggregate).length > 0) return [];
  const cancel = { action: 'tasks.cancel', verb: 'cancel', body: { requester: task.requester } };
  const kept = earmarked(task);
  const note =
    kept === undefined
      ? {}
      : { note: `The panel that decided earned ${kept.judges}; ${kept.ifRefunded} go back.` };
  return [{ ...cancel, who: task.requester, until: task.deadline, ...note }];
}

function windowActions(aggregate: TaskAggregate): readonly LegalAction[] {
  const { task } = aggregate;
  const until = task.accepted?.payoutAt;
  const ends = until === undefined ? {} : { until };
  const parties = [task.requester, acceptedAttempt(aggregate)?.worker].filter(isPresent);
  return [
    {
      action: 'tasks.accept',
      who: task.requester,
      verb: 'accept',
      body: { requester: task.requester },
      ...ends,
    },
    ...parties.map((who) => ({
      action: 'tasks.dispute',
      who,
      verb: 'dispute',
      body: { raisedBy: who, reason: '<why>' },
      ...ends,
    })),
  ];
}

function isPresent(account: Account | undefined): account is Account {
  return account !== undefined;
}

function comment(): LegalAction {
  const body = { author: YOURS, body: '<your comment>' };
  return { action: 'tasks.comment', who: 'anyone', verb: 'comments', body };
}
