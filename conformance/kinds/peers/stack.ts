import { fileURLToPath } from 'node:url';
import { start, type BenchHub } from '../bench/taskClient.ts';

/** Starts what a team would put together for the same work, on an empty PostgreSQL database. */
export function startStack(database: string): Promise<BenchHub> {
  const peers = fileURLToPath(new URL('.', import.meta.url));
  return start('conformance/kinds/peers/servers/stack.ts', [database, peers]);
}
