import type { Instant } from '../../domain/instant.ts';
import type { TaskAggregate } from '../../domain/tasks/model.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader } from '../connection.ts';
import { liveAttemptsOf } from '../tasks/attempts.ts';
import { storedTask } from '../tasks/taskRow.ts';

/** The tasks that steps became. */
const OF_CHAIN = statement('SELECT * FROM tasks WHERE chain_id = ? ORDER BY chain_step');
const CURRENT = statement(
  `SELECT t.* FROM chains c JOIN tasks t ON t.chain_id = c.id AND t.chain_step = c.step
    WHERE c.id IN (SELECT value FROM json_each(?))`,
  `SELECT t.* FROM chains c JOIN tasks t ON t.chain_id = c.id AND t.chain_step = c.step
    WHERE c.id = ANY(?)`,
);

/** In the order of the steps, as far as they were opened. */
export async function tasksOfChain(db: Reader, chainId: string): Promise<readonly TaskAggregate[]> {
  return inPlay(db, (await linkOf(db).rows(OF_CHAIN, [chainId])).map(storedTask));
}

/** The newest opened step of each chain, by chain. */
export async function currentTasks(
  db: Reader,
  chainIds: readonly string[],
): Promise<ReadonlyMap<string, TaskAggregate>> {
  const stored = (await linkOf(db).rows(CURRENT, [chainIds])).map(storedTask);
  const aggregates = await inPlay(db, stored);
  return new Map(aggregates.map((aggregate) => [aggregate.task.chain?.id ?? '', aggregate]));
}

async function inPlay(
  db: Reader,
  stored: readonly ReturnType<typeof storedTask>[],
): Promise<readonly TaskAggregate[]> {
  const live = await liveAttemptsOf(
    db,
    stored.map(({ task }) => task.id),
  );
  return stored.map(({ task }) => ({ task, live: live.get(task.id) ?? [] }));
}

const DUE = statement('SELECT id FROM tasks WHERE chain_id = ? AND due_at <= ? ORDER BY due_at');

/** Tasks of the chain about which the clock has decided by now. */
export async function dueInChain(
  db: Reader,
  chainId: string,
  now: Instant,
): Promise<readonly string[]> {
  const rows = await linkOf(db).rows(DUE, [chainId, now]);
  return rows.map((row) => column.text(row, 'id'));
}
