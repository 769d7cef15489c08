import type { Account } from '../../domain/account.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader } from '../connection.ts';

/** Who was accepted on the steps of a chain. */
const ACCEPTED = `SELECT s.chain_id, a.worker, t.state FROM chain_steps s
  JOIN chains c ON c.id = s.chain_id
  JOIN tasks t ON t.id = s.task_id
  JOIN attempts a ON a.id = t.accepted_attempt`;

const OF_DISTINCT = statement(
  `${ACCEPTED} WHERE c.distinct_workers = 1 AND c.id IN (SELECT value FROM json_each(?))`,
  `${ACCEPTED} WHERE c.distinct_workers = 1 AND c.id = ANY(?)`,
);

/** For each of these chains that wants distinct workers, those that it had. */
export async function distinctWorkersOf(
  db: Reader,
  chainIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Account[]>> {
  const byChain = new Map<string, Account[]>();
  for (const row of await linkOf(db).rows(OF_DISTINCT, [chainIds])) {
    const chainId = column.text(row, 'chain_id');
    byChain.set(chainId, [...(byChain.get(chainId) ?? []), column.account(row, 'worker')]);
  }
  return byChain;
}
