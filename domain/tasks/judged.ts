import type { Instant } from '../instant.ts';
import { acceptAttempt, closed, type Change, type PanelVerdict } from './change.ts';
import type { Attempt, TaskAggregate, Task } from './model.ts';

/**
 * Applies the decision of a panel (T9, T10). Invariant: a seat that voted in a decided round is one
 * of the task's judges from then on, once, and is paid however the task ends (choices
 * validators.pay).
 */
export function panelDecides(
  aggregate: TaskAggregate,
  attempt: Attempt,
  panel: PanelVerdict,
  now: Instant,
): Change {
  const task = judgedBy(aggregate.task, panel);
  const note = noteOf(panel);
  if (panel.verdict === 'accepted') {
    const by = { event: 'panel.accepted', note, paysNow: false } as const;
    return { ...acceptAttempt({ ...aggregate, task }, attempt, by, now), panel };
  }
  return {
    task: { ...task, state: 'open' },
    attempts: [closed(attempt, 'rejected', now, note)],
    events: [{ at: now, event: 'panel.rejected', state: 'open', attemptId: attempt.id, note }],
    panel,
  };
}

function judgedBy(task: Task, { votes }: PanelVerdict): Task {
  return {
    ...task,
    judges: [...new Set([...task.judges, ...votes.map(({ account }) => account)])],
  };
}

function noteOf({ verdict, votes, size }: PanelVerdict): string {
  const count = votes.filter((vote) => vote.verdict === verdict).length;
  if (size === 1) return `the judge ${verdict} it`;
  return `${count} of ${size} judges ${verdict} it`;
}
