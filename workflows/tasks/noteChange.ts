import { noteEvent } from '../../db/wallet/accountEvents.ts';
import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { iso } from '../../domain/instant.ts';
import type { EventName } from '../../domain/tasks/change.ts';
import { acceptedAttempt, type Attempt } from '../../domain/tasks/model.ts';
import type { TaskCommit } from './aggregate.ts';

/** Events that notify an arbiter: the draw, and the end of its case. */
const FOR_ARBITER: readonly EventName[] = [
  'dispute.drawn',
  'dispute.late',
  'dispute.ruled',
  'dispute.void',
  'dispute.settled',
];

/**
 * Notifies the requester of every change, a worker of those of its attempt, the chosen one of its
 * reservation, the others that they were passed, and the arbiter of its case (choices
 * wallet.following).
 */
export function noteChange(
  tx: Pick<Writer, 'noted'>,
  { change, before, aggregate }: TaskCommit,
): void {
  const { task, dispute, events } = change;
  const touched = new Map<string, Attempt>();
  for (const attempt of [...aggregate.live, ...change.attempts]) touched.set(attempt.id, attempt);
  const settled = acceptedAttempt(aggregate) ?? (before && acceptedAttempt(before.aggregate));
  const reported = new Set<string>();
  for (const { event, at, state, actor, attemptId } of events) {
    const attempt = attemptId === undefined ? settled : touched.get(attemptId);
    const arbiters = FOR_ARBITER.includes(event) ? [dispute?.arbiter, judgeIn(before)] : [];
    const { reserved } = event === 'pitch.chosen' ? task : {};
    const accounts = [task.requester, attempt?.worker, actor, ...arbiters, reserved?.for];
    if (attempt !== undefined) reported.add(attempt.id);
    const about = {
      ...defined({ attemptId }),
      ...(reserved !== undefined && { ref: iso(reserved.until) }),
    };
    noteEvent(tx, accounts, { at, kind: event, subjectId: task.id, state, ...about, ...by(actor) });
  }
  if (before === undefined && task.invited !== undefined) {
    const { accounts, until } = task.invited;
    const offered = { kind: 'task.offered', subjectId: task.id, state: task.state } as const;
    noteEvent(tx, accounts, { at: task.createdAt, ...offered, ref: iso(until) });
  }
  const drawn = events.some(({ event }) => event === 'dispute.drawn');
  if (drawn && dispute?.arbiter !== undefined && dispute.until !== undefined) {
    const turn = { kind: 'dispute.your-turn', subjectId: task.id, state: task.state } as const;
    const at = dispute.draws.at(-1)?.drawnAt ?? dispute.at;
    noteEvent(tx, [dispute.arbiter], { at, ...turn, ref: iso(dispute.until) });
  }
  const last = events.at(-1);
  if (last === undefined) return;
  const { at, state: now } = last;
  if (change.pitch !== undefined && 'passed' in change.pitch) {
    const passed = { at, kind: 'pitch.passed', subjectId: task.id, state: now } as const;
    noteEvent(tx, change.pitch.passed, passed);
  }
  for (const { id, worker, state } of change.attempts) {
    if (reported.has(id) || state !== 'superseded') continue;
    const kind = 'attempt.superseded';
    noteEvent(tx, [worker], { at, kind, subjectId: task.id, attemptId: id, state: now });
  }
}

function judgeIn(before: TaskCommit['before']): Account | undefined {
  return before?.aggregate.dispute?.arbiter;
}

function by(actor: Account | undefined): { readonly actor?: Account } {
  return actor === undefined ? {} : { actor };
}
