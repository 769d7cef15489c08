import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { PanelSize } from '../../domain/validators/panel.ts';
import * as batch from '../batch/columns.ts';
import { list } from '../batch/list.ts';
import { table, type RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader } from '../connection.ts';
import { parentIn } from '../batch/need.ts';
import { TASKS } from '../tasks/taskRow.ts';
import { ATTEMPTS } from '../tasks/taskTables.ts';
import { pool } from './poolColumn.ts';

export const VERDICTS = ['accepted', 'rejected'] as const;

/** Draws with their pools, so that each can be made again; writers of a row lock its task first. */
export const ROUNDS = table(
  'panel_rounds',
  {
    id: batch.text().key(),
    taskId: batch.text().fixed(),
    attemptId: batch.text().fixed(),
    round: batch.integer().fixed(),
    size: batch.integer<PanelSize>().fixed(),
    state: batch.oneOf(['open', 'decided', 'undecided', 'cancelled']),
    verdict: batch.oneOf(VERDICTS).optional(),
    /** The pulse whose random the seed is of. */
    pulseSeq: batch.integer().fixed(),
    /** In hex. */
    seed: batch.text().fixed(),
    pool: pool().fixed(),
    drawnAt: batch.moment().fixed(),
    endsAt: batch.moment().fixed(),
    closedAt: batch.moment().optional(),
  },
  {
    personal: { apart: 'draws of seats, about tasks' },
    lock: 'none',
    under: [ATTEMPTS],
    parent: parentIn(TASKS, ({ taskId }: { taskId: string }) => taskId),
  },
);
export type Round = RowIn<typeof ROUNDS>;

/** The round of a result that is open, and the one that accepted it. */
export const ROUNDS_IN_FORCE = list('rounds_in_force', ROUNDS, {
  by: { taskId: batch.text(), attemptId: batch.text() },
  where: (key) =>
    `t.attempt_id = ${key.attemptId} AND (t.state = 'open' OR t.verdict = 'accepted')`,
  order: 't.round',
  parent: parentIn(TASKS, ({ taskId }: { readonly taskId: string }) => taskId),
});

/** Rounds of a task that its page shows. */
const SHOWN_MAX = 20;

/** Oldest first; the newest when there are more. */
export const SHOWN_ROUNDS = list('shown_rounds', ROUNDS, {
  by: { taskId: batch.text() },
  where: ({ taskId }) => `t.id IN (SELECT id FROM panel_rounds
    WHERE task_id = ${taskId} ORDER BY id DESC LIMIT ${SHOWN_MAX})`,
  order: 't.id',
  parent: parentIn(TASKS, (taskId: string) => taskId),
});

const OPEN = statement(`SELECT * FROM panel_rounds WHERE id = ? AND state = 'open'`);

export async function openRound(db: Reader, id: string): Promise<Round | undefined> {
  const row = column.one(await linkOf(db).rows(OPEN, [id]));
  return row && ROUNDS.fromRow(row);
}

const OVER = statement(`
  SELECT id, task_id FROM panel_rounds WHERE state = 'open' AND ends_at <= ?
   ORDER BY ends_at, id LIMIT ?`);

/** Open rounds whose time is over; of those that end together, the first drawn decides first. */
export async function roundsOver(
  db: Reader,
  now: Instant,
  limit: number,
): Promise<readonly { readonly id: string; readonly taskId: string }[]> {
  const rows = await linkOf(db).rows(OVER, [now, limit]);
  return rows.map((row) => ({ id: column.text(row, 'id'), taskId: column.text(row, 'task_id') }));
}

const DRAWN_ON = statement(`
  SELECT CAST(count(*) AS INTEGER) AS n FROM panel_seats s JOIN panel_rounds r ON r.id = s.round_id
   WHERE s.account = ? AND r.state = 'open' AND s.state IN ('due', 'called', 'voted')`);

export async function openRoundsWith(db: Reader, account: Account): Promise<number> {
  const row = column.one(await linkOf(db).rows(DRAWN_ON, [account]));
  return Number(row?.['n'] ?? 0);
}
