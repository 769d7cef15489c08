import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row, Writer } from '../connection.ts';

/** The table of comments: a withdrawn one keeps its place, id and author and loses its text. */
export interface Comment {
  readonly id: string;
  readonly taskId: string;
  readonly author: Account;
  /** Null once withdrawn. */
  readonly body: string | null;
  readonly parentId?: string;
  /** 1 at the top. */
  readonly depth: number;
  readonly createdAt: Instant;
  readonly withdrawnAt?: Instant;
}

const INSERT = statement(`
  INSERT INTO comments (id, task_id, author, body, parent_id, depth, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)`);

export async function insertComment(tx: Writer, comment: Comment): Promise<void> {
  const { id, taskId, author, body, parentId, depth, createdAt } = comment;
  await linkOf(tx).rows(INSERT, [id, taskId, author, body, parentId ?? null, depth, createdAt]);
}

const BY_ID = statement('SELECT * FROM comments WHERE task_id = ? AND id = ?');

export async function commentOf(
  db: Reader,
  taskId: string,
  id: string,
): Promise<Comment | undefined> {
  const row = column.one(await linkOf(db).rows(BY_ID, [taskId, id]));
  return row && comment(row);
}

const PAGE = statement('SELECT * FROM comments WHERE task_id = ? AND id > ? ORDER BY id LIMIT ?');

/** Ids sort by time of making, so the id is the cursor. */
export async function commentsOfTask(
  db: Reader,
  taskId: string,
  after: string,
  limit: number,
): Promise<readonly Comment[]> {
  return (await linkOf(db).rows(PAGE, [taskId, after, limit])).map(comment);
}

const WITHDRAW = statement(
  'UPDATE comments SET body = NULL, withdrawn_at = ? WHERE id = ? AND withdrawn_at IS NULL',
);

export async function withdrawComment(tx: Writer, id: string, at: Instant): Promise<void> {
  await linkOf(tx).rows(WITHDRAW, [at, id]);
}

function comment(row: Row): Comment {
  const parentId = column.textOrNull(row, 'parent_id');
  const withdrawnAt = column.timeOrNull(row, 'withdrawn_at');
  return {
    id: column.text(row, 'id'),
    taskId: column.text(row, 'task_id'),
    author: column.account(row, 'author'),
    body: column.textOrNull(row, 'body'),
    ...(parentId !== null && { parentId }),
    depth: column.whole(row, 'depth'),
    createdAt: column.time(row, 'created_at'),
    ...(withdrawnAt !== null && { withdrawnAt }),
  };
}
