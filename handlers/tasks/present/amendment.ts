import type { Account } from '../../../domain/account.ts';
import type { Amendment } from '../../../domain/tasks/agreement.ts';
import { amendmentState, answers } from '../../../domain/tasks/amendment.ts';
import type { TaskAggregate } from '../../../domain/tasks/model.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import { ofReader, presentActions } from '../../../workflows/tasks/nextActions.ts';

/** A change of the terms, with the calls that answer it while it is open. */
export function presentAmendment(
  amendment: Amendment,
  aggregate: TaskAggregate,
  reader?: Account,
): Schemas['Amendment'] {
  const { id, by, revision, attemptId, change, split } = amendment;
  const { createdAt, endedAt, endedBy, digest, taskId } = amendment;
  return {
    id,
    by,
    state: amendmentState(amendment, aggregate),
    revision,
    attemptId,
    change,
    split,
    createdAt,
    endedAt,
    endedBy,
    digest,
    next: presentActions(taskId, ofReader(answers(amendment, aggregate), reader)),
  };
}
