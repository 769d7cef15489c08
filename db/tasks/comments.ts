import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { account, integer, moment, text } from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import { one } from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';
import { orNull, table } from '../stored/table.ts';

/** A withdrawn comment keeps its place, id and author and loses its text. */
export const COMMENTS = table(
  'comments',
  {
    id: text().key(),
    taskId: text(),
    author: account(),
    /** Null once withdrawn. */
    body: orNull(text()),
    parentId: text().optional(),
    /** 1 at the top. */
    depth: integer(),
    createdAt: moment(),
    withdrawnAt: moment().optional(),
    /** Of a private task: whom else than the requester it is for; absent for all who claimed. */
    party: account().optional(),
  },
  { owner: 'author', stays: 'Answers hang on its place; its text is erased.' },
);
export type Comment = RowIn<typeof COMMENTS>;

const INSERT = statement(COMMENTS.insertion);

export async function insertComment(tx: Writer, comment: Comment): Promise<void> {
  await linkOf(tx).rows(INSERT, COMMENTS.cells(comment));
}

const BY_ID = statement('SELECT * FROM comments WHERE task_id = ? AND id = ?');

export async function commentOf(
  db: Reader,
  taskId: string,
  id: string,
): Promise<Comment | undefined> {
  const row = one(await linkOf(db).rows(BY_ID, [taskId, id]));
  return row && COMMENTS.fromRow(row);
}

const PAGE = statement(`
  SELECT * FROM comments WHERE task_id = ? AND id > ?
     AND (? = 1 OR party = ? OR (party IS NULL AND ? = 1)) ORDER BY id LIMIT ?`);

export interface CommentPage {
  readonly after: string;
  readonly limit: number;
  /** Who reads, and what of the task it may read. */
  readonly for: {
    readonly by: Account | undefined;
    readonly seesAll: boolean;
    readonly seesBrief: boolean;
  };
}

/** Ids sort by time of making, so the id is the cursor. */
export async function commentsOfTask(
  db: Reader,
  taskId: string,
  { after, limit, for: { by, seesAll, seesBrief } }: CommentPage,
): Promise<readonly Comment[]> {
  const sees = [seesAll ? 1 : 0, by ?? '', seesBrief ? 1 : 0];
  const rows = await linkOf(db).rows(PAGE, [taskId, after, ...sees, limit]);
  return rows.map(COMMENTS.fromRow);
}

const WITHDRAW = statement(
  'UPDATE comments SET body = NULL, withdrawn_at = ? WHERE id = ? AND withdrawn_at IS NULL',
);

export async function withdrawComment(tx: Writer, id: string, at: Instant): Promise<void> {
  await linkOf(tx).rows(WITHDRAW, [at, id]);
}
