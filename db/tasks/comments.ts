import type { Account } from '../../domain/account.ts';
import { account, integer, moment, text } from '../batch/columns.ts';
import { table, type RowIn } from '../batch/table.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader } from '../connection.ts';
import { TASKS } from './taskRow.ts';

/** A withdrawn comment keeps its place, id and author and loses its text. */
export const COMMENTS = table(
  'comments',
  {
    id: text().key(),
    taskId: text().fixed(),
    author: account().fixed(),
    /** Absent once withdrawn. */
    body: text().optional(),
    parentId: text().fixed().optional(),
    /** 1 at the top. */
    depth: integer().fixed(),
    createdAt: moment().fixed(),
    withdrawnAt: moment().guard().optional(),
    /** In a private task the account besides the requester that may read it; absent for all claimers. */
    party: account().fixed().optional(),
  },
  {
    personal: { owner: 'author', stays: 'Answers hang on its place; its text is erased.' },
    under: [TASKS],
  },
);
export type Comment = RowIn<typeof COMMENTS>;

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
