import type { Account } from '../../domain/account.ts';
import { parseAccount } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import type { TransferId } from '../../domain/ledger/transfer.ts';
import { transferId } from '../../domain/ledger/transfer.ts';
import { TASK_STATES } from '../../domain/tasks/model.ts';
import type { TaskState } from '../../domain/tasks/model.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader } from '../connection.ts';

/** The table of task events: a history that is only ever added to, gapless per task. */
export interface RecordedEvent {
  readonly seq: number;
  readonly at: Instant;
  readonly event: string;
  readonly state: TaskState;
  readonly actor?: Account;
  readonly attemptId?: string;
  readonly transferId?: TransferId;
  readonly note?: string;
}

const NEWEST = statement('SELECT * FROM task_events WHERE task_id = ? ORDER BY seq DESC LIMIT ?');

/** Oldest first; the newest when there are more. */
export async function eventsOfTask(
  db: Reader,
  taskId: string,
  limit: number,
): Promise<readonly RecordedEvent[]> {
  const rows = await linkOf(db).rows(NEWEST, [taskId, limit]);
  return rows
    .map((row): RecordedEvent => {
      const state = TASK_STATES.find((each) => each === row['state']);
      if (state === undefined) throw new Error('an event of an unknown state');
      const actor = parseAccount(column.textOrNull(row, 'actor') ?? '');
      const attemptId = column.textOrNull(row, 'attempt_id');
      const transfer = column.textOrNull(row, 'transfer_id');
      const note = column.textOrNull(row, 'note');
      return {
        seq: column.whole(row, 'seq'),
        at: column.time(row, 'at'),
        event: column.text(row, 'event'),
        state,
        ...defined({ actor }),
        ...(attemptId !== null && { attemptId }),
        ...(transfer !== null && { transferId: transferId(transfer) }),
        ...(note !== null && { note }),
      };
    })
    .reverse();
}
