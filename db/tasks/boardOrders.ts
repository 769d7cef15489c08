import { moment, oneOf, text } from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';
import { shaped, table } from '../batch/table.ts';

type Outcome =
  | { readonly state: 'waiting' }
  | { readonly state: 'published'; readonly taskId: string }
  | { readonly state: 'refused'; readonly why: string };

/** Tasks that the operator wrote for the board, for a hub to publish (choices bonuses.board). */
export const BOARD_ORDERS = shaped(
  table(
    'board_orders',
    {
      id: text().key(),
      /** JSON of a publish request, without its requester. */
      body: text(),
      addedAt: moment(),
      state: oneOf(['waiting', 'published', 'refused']),
      taskId: text().optional(),
      why: text().optional(),
    },
    { use: 'single', personal: { apart: 'about no account' } },
  ),
  {
    of({ state, taskId = '', why = '', ...row }) {
      if (state === 'published') return { ...row, outcome: { state, taskId } as Outcome };
      return { ...row, outcome: (state === 'refused' ? { state, why } : { state }) as Outcome };
    },
    flat: ({ outcome, ...row }) => ({ ...row, ...outcome }),
  },
);
export type BoardOrder = RowIn<typeof BOARD_ORDERS>;

const INSERT = statement(BOARD_ORDERS.insertion);

export async function insertOrder(tx: Writer, order: Omit<BoardOrder, 'outcome'>): Promise<void> {
  const cells = BOARD_ORDERS.cells({ ...order, outcome: { state: 'waiting' } });
  await linkOf(tx).rows(INSERT, cells);
}

const WAITING = statement(`
  SELECT * FROM board_orders WHERE state = 'waiting' ORDER BY id LIMIT ?`);

export async function waitingOrders(db: Reader, limit: number): Promise<readonly BoardOrder[]> {
  return (await linkOf(db).rows(WAITING, [limit])).map(BOARD_ORDERS.fromRow);
}

const NEWEST = statement('SELECT * FROM board_orders ORDER BY id DESC LIMIT ?');

export async function newestOrders(db: Reader, limit: number): Promise<readonly BoardOrder[]> {
  return (await linkOf(db).rows(NEWEST, [limit])).map(BOARD_ORDERS.fromRow);
}

const TAKE = statement(
  `SELECT 1 AS yes FROM board_orders WHERE id = ? AND state = 'waiting'`,
  `SELECT 1 AS yes FROM board_orders WHERE id = ? AND state = 'waiting' FOR UPDATE`,
);

/** False when another process has dealt with it. */
export async function lockOrder(tx: Writer, id: string): Promise<boolean> {
  return (await linkOf(tx).rows(TAKE, [id])).length > 0;
}

const DECIDE = statement(`
  UPDATE board_orders SET state = ?, task_id = ?, why = ? WHERE id = ? AND state = 'waiting'`);

export async function decideOrder(
  tx: Writer,
  id: string,
  outcome: Exclude<BoardOrder['outcome'], { readonly state: 'waiting' }>,
): Promise<void> {
  const taskId = outcome.state === 'published' ? outcome.taskId : null;
  const why = outcome.state === 'refused' ? outcome.why : null;
  await linkOf(tx).rows(DECIDE, [outcome.state, taskId, why, id]);
}
