import type { Instant } from '../../domain/instant.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row, Writer } from '../connection.ts';

/** Tasks that the operator wrote for the board, for a hub to publish (choices bonuses.board). */
export interface BoardOrder {
  readonly id: string;
  /** JSON of a publish request, without its requester. */
  readonly body: string;
  readonly addedAt: Instant;
  readonly outcome:
    | { readonly state: 'waiting' }
    | { readonly state: 'published'; readonly taskId: string }
    | { readonly state: 'refused'; readonly why: string };
}

const INSERT = statement(`
  INSERT INTO board_orders (id, body, added_at, state) VALUES (?, ?, ?, 'waiting')`);

export async function insertOrder(
  tx: Writer,
  { id, body, addedAt }: Omit<BoardOrder, 'outcome'>,
): Promise<void> {
  await linkOf(tx).rows(INSERT, [id, body, addedAt]);
}

const WAITING = statement(`
  SELECT * FROM board_orders WHERE state = 'waiting' ORDER BY id LIMIT ?`);

export async function waitingOrders(db: Reader, limit: number): Promise<readonly BoardOrder[]> {
  return (await linkOf(db).rows(WAITING, [limit])).map(orderOf);
}

const NEWEST = statement('SELECT * FROM board_orders ORDER BY id DESC LIMIT ?');

export async function newestOrders(db: Reader, limit: number): Promise<readonly BoardOrder[]> {
  return (await linkOf(db).rows(NEWEST, [limit])).map(orderOf);
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

function orderOf(row: Row): BoardOrder {
  return {
    id: column.text(row, 'id'),
    body: column.text(row, 'body'),
    addedAt: column.time(row, 'added_at'),
    outcome: outcomeOf(row),
  };
}

function outcomeOf(row: Row): BoardOrder['outcome'] {
  switch (row['state']) {
    case 'published':
      return { state: 'published', taskId: column.text(row, 'task_id') };
    case 'refused':
      return { state: 'refused', why: column.text(row, 'why') };
    default:
      return { state: 'waiting' };
  }
}
