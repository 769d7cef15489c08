import type { Account } from '../../domain/account.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader } from '../connection.ts';

/** Who was accepted on the steps of a chain that has a rule about its workers. */
const ACCEPTED = `SELECT s.chain_id, c.same_worker, a.worker FROM chain_steps s
  JOIN chains c ON c.id = s.chain_id
  JOIN tasks t ON t.id = s.task_id
  JOIN attempts a ON a.id = t.accepted_attempt`;

const WITH_RULE = statement(
  `${ACCEPTED} WHERE (c.distinct_workers = 1 OR c.same_worker = 1)
     AND c.id IN (SELECT value FROM json_each(?))`,
  `${ACCEPTED} WHERE (c.distinct_workers = 1 OR c.same_worker = 1) AND c.id = ANY(?)`,
);

export interface ChainWorkers {
  readonly sameWorker: boolean;
  readonly workers: readonly Account[];
}

/** For each of these chains that wants distinct workers, or the same one, those that it had. */
export async function chainWorkersOf(
  db: Reader,
  chainIds: readonly string[],
): Promise<ReadonlyMap<string, ChainWorkers>> {
  const byChain = new Map<string, ChainWorkers>();
  for (const row of await linkOf(db).rows(WITH_RULE, [chainIds])) {
    const chainId = column.text(row, 'chain_id');
    const workers = byChain.get(chainId)?.workers ?? [];
    byChain.set(chainId, {
      sameWorker: column.whole(row, 'same_worker') === 1,
      workers: [...workers, column.account(row, 'worker')],
    });
  }
  return byChain;
}
