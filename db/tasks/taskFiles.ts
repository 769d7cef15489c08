import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Attempt } from '../../domain/tasks/model.ts';
import { account, integer, moment, text } from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';
import { ATTEMPT_ROWS } from './attempts.ts';

/** Holds the content of a file that a task or a result for it names (choices tasks.files). */
export const TASK_FILES = table(
  'task_files',
  {
    taskId: text().key(),
    owner: account().key(),
    sha256: text().key(),
    /** Name of its content in the file store. */
    object: text(),
    bytes: integer(),
    pinnedAt: moment(),
  },
  { use: 'single', personal: { owner: 'owner' } },
);
export type Pin = RowIn<typeof TASK_FILES>;

const PIN = statement(`${TASK_FILES.insertion}
  ON CONFLICT (task_id, owner, sha256) DO UPDATE SET object = excluded.object,
    pinned_at = excluded.pinned_at`);

/** Pins a content for a task; its owner is locked. */
export async function pin(tx: Writer, row: Pin): Promise<void> {
  await linkOf(tx).rows(PIN, TASK_FILES.cells(row));
}

const OF_TASK = statement(`
  SELECT * FROM task_files WHERE task_id = ? AND sha256 = ? ORDER BY pinned_at, owner LIMIT 1`);

export async function pinOf(db: Reader, taskId: string, sha256: string): Promise<Pin | undefined> {
  const row = column.one(await linkOf(db).rows(OF_TASK, [taskId, sha256]));
  return row && TASK_FILES.fromRow(row);
}

/** A task that may still be disputed or paid; a pin comes just before the task or result itself. */
const HOLDING = statement(`
  SELECT p.task_id FROM task_files p LEFT JOIN tasks t ON t.id = p.task_id
   WHERE p.owner = ? AND p.object = ? AND NOT EXISTS (
     SELECT 1 FROM files f WHERE f.owner = p.owner AND f.object = p.object AND f.key <> ?)
     AND ((t.id IS NULL AND p.pinned_at > ?)
       OR t.state IN ('open', 'held', 'delivered', 'disputed')
       OR (t.state = 'accepted' AND t.reward IS NOT NULL)) LIMIT 1`);

/** The task that holds the only copy of a content that its owner has. */
export async function taskHolding(
  db: Reader,
  file: { readonly owner: Account; readonly key: string; readonly object: string },
  since: Instant,
): Promise<string | undefined> {
  const { owner, key, object } = file;
  const row = column.one(await linkOf(db).rows(HOLDING, [owner, object, key, since]));
  return row && column.text(row, 'task_id');
}

const UNPIN = statement(`
  DELETE FROM task_files WHERE owner = ? AND object = ? AND NOT EXISTS (
    SELECT 1 FROM files f WHERE f.owner = task_files.owner AND f.object = task_files.object)`);

/** Removes the pins of a content of which its owner has no file any more. */
export async function unpin(tx: Writer, owner: Account, object: string): Promise<void> {
  await linkOf(tx).rows(UNPIN, [owner, object]);
}

const NAMED_MAX = 400;
const NAMING = statement(`
  SELECT ${ATTEMPT_ROWS.columns.join(', ')} FROM attempts
   WHERE task_id = ? AND files LIKE ? ORDER BY id LIMIT ${NAMED_MAX}`);

/** Attempts whose result names a file with this digest. */
export async function attemptsNaming(
  db: Reader,
  taskId: string,
  sha256: string,
): Promise<readonly Attempt[]> {
  const rows = await linkOf(db).rows(NAMING, [taskId, `%"sha256":"${sha256}"%`]);
  return rows.map(ATTEMPT_ROWS.fromRow);
}
