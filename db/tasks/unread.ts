import type { Account } from '../../domain/account.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';

/** Messages that are counted; more are as many. */
const UNREAD_MAX = 100;

/** A comment, and those before it that its reader has not answered. */
const UNREAD = (comments: string): string => `
  SELECT g.value ->> 1 AS id, (SELECT count(*) FROM (
      SELECT 1 FROM comments c JOIN tasks t ON t.id = c.task_id
       WHERE c.task_id = g.value ->> 0 AND c.id <= g.value ->> 1 AND c.author <> ?
         AND (t.audience IS NULL OR c.party IS NULL OR c.party = ? OR t.requester = ?)
         AND c.id > COALESCE((SELECT max(o.id) FROM comments o
           WHERE o.task_id = g.value ->> 0 AND o.id < g.value ->> 1 AND o.author = ?), '')
       LIMIT ${UNREAD_MAX}) AS unread) AS n
    FROM ${comments}`;
const COUNTS = statement(
  UNREAD('json_each(?) AS g'),
  UNREAD('jsonb_array_elements(?::jsonb) AS g (value)'),
);

/** For each comment, how many of others it is since the account last wrote in its task. */
export async function unreadAt(
  db: Reader,
  account: Account,
  comments: readonly (readonly [taskId: string, id: string])[],
): Promise<ReadonlyMap<string, number>> {
  if (comments.length === 0) return new Map();
  const given = [account, account, account, account, JSON.stringify(comments)];
  const rows = await linkOf(db).rows(COUNTS, given);
  return new Map(rows.map((row) => [column.text(row, 'id'), Number(row['n'])]));
}
