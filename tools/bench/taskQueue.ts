import { createRequire } from 'node:module';

/**
 * pg-boss, the queue on PostgreSQL that the claim queue is measured against, as its page shows it.
 */
export interface Boss {
  start(): Promise<unknown>;
  stop(options: { readonly graceful: boolean }): Promise<void>;
  createQueue(name: string): Promise<void>;
  send(name: string, data: object): Promise<string | null>;
  work(
    name: string,
    options: { readonly pollingIntervalSeconds: number; readonly batchSize: number },
    handler: (jobs: readonly BossJob[]) => Promise<void>,
  ): Promise<string>;
  on(event: 'error', listener: (error: Error) => void): void;
}
export interface BossJob {
  readonly id: string;
}

/** It is installed with the other peers, on demand. */
export function openBoss(database: string): Boss {
  const load = createRequire(new URL('./peers/package.json', import.meta.url));
  const Made = load('pg-boss') as new (options: { connectionString: string; max: number }) => Boss;
  return new Made({ connectionString: database, max: 16 });
}
