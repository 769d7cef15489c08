import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { DueKind } from '../../domain/tasks/due.ts';
import { sha256Hex } from '../../domain/digest.ts';
import type { Attempt, BonusPayout } from '../../domain/tasks/model.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';
import { attemptCells, attemptOfCells } from './attempts.ts';
import { payoutCell, storedTask } from './taskRow.ts';
import type { StoredTask } from './taskRow.ts';

export type { StoredTask } from './taskRow.ts';

/** The table of tasks: what was agreed, where it stands, and when the clock next decides. */
const BY_ID = statement('SELECT * FROM tasks WHERE id = ?');
export async function readTask(db: Reader, id: string): Promise<StoredTask | undefined> {
  const row = column.one(await linkOf(db).rows(BY_ID, [id]));
  return row && storedTask(row);
}

const CLAIMED_WITH = (list: string): string => `
  SELECT tasks.*, (SELECT ${list} FROM attempts a
    WHERE a.task_id = tasks.id AND a.token_hash = ?) AS attempt FROM tasks WHERE id = ?`;
const WITH_CLAIM = statement(
  CLAIMED_WITH(`json_array(${attemptCells('a')})`),
  CLAIMED_WITH(`json_build_array(${attemptCells('a')})::text`),
);

/** A task with the claim that a token was given for, dead or alive. */
export async function readClaim(
  db: Reader,
  id: string,
  token: string,
): Promise<{ readonly stored: StoredTask; readonly attempt: Attempt } | undefined> {
  const row = column.one(await linkOf(db).rows(WITH_CLAIM, [sha256Hex(token), id]));
  const cells = row && column.textOrNull(row, 'attempt');
  if (row === undefined || typeof cells !== 'string') return undefined;
  const attempt = attemptOfCells(JSON.parse(cells) as readonly unknown[]);
  return { stored: storedTask(row), attempt };
}

const DUE = statement('SELECT id FROM tasks WHERE due_at <= ? ORDER BY due_at LIMIT ?');

/** Tasks about which the clock has decided by now, longest due first. */
export async function dueTasks(
  db: Reader,
  now: Instant,
  limit: number,
): Promise<readonly string[]> {
  const rows = await linkOf(db).rows(DUE, [now, limit]);
  return rows.map((row) => column.text(row, 'id'));
}

const DUE_OF = statement(
  `
  SELECT id FROM tasks
   WHERE due_at <= ? AND due_kind IN (SELECT value FROM json_each(?))
   ORDER BY due_at LIMIT ?`,
  'SELECT id FROM tasks WHERE due_at <= ? AND due_kind = ANY(?) ORDER BY due_at LIMIT ?',
);

export async function dueTasksOf(
  db: Reader,
  kinds: readonly DueKind[],
  now: Instant,
  limit: number,
): Promise<readonly string[]> {
  const rows = await linkOf(db).rows(DUE_OF, [now, kinds, limit]);
  return rows.map((row) => column.text(row, 'id'));
}

const STOCK = statement(`
  SELECT COUNT(*) AS n FROM tasks WHERE requester = ? AND network = ? AND state = 'open'`);

export async function openTasksOf(
  db: Reader,
  requester: Account,
  network: NetworkId,
): Promise<number> {
  const rows = await linkOf(db).rows(STOCK, [requester, network]);
  return Number(rows[0]?.['n'] ?? 0);
}

const NEWEST_TAGGED = statement(`
  SELECT tasks.* FROM tasks
    JOIN task_labels ON task_labels.task_id = tasks.id
     AND task_labels.kind = 'tag' AND task_labels.label = ?
   WHERE tasks.requester = ? ORDER BY tasks.id DESC LIMIT 1`);

/** The newest task of a requester that carries a tag, whatever became of it. */
export async function newestTagged(
  db: Reader,
  requester: Account,
  tag: string,
): Promise<StoredTask | undefined> {
  const row = column.one(await linkOf(db).rows(NEWEST_TAGGED, [tag, requester]));
  return row && storedTask(row);
}

const PAYOUT = statement('UPDATE tasks SET payout = ? WHERE id = ?');

export async function savePayout(tx: Writer, id: string, payout: BonusPayout): Promise<void> {
  await linkOf(tx).rows(PAYOUT, [payoutCell(payout), id]);
}
