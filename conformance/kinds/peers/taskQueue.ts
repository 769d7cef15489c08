import { createRequire } from 'node:module';
import pg from 'pg';

/** A queue on PostgreSQL that the claim queue is measured against; it is installed on demand. */
export interface Queue {
  start(handle: (id: string) => void): Promise<void>;
  send(data: object): Promise<string>;
  stop(): Promise<void>;
}

const CONNECTIONS = 16;
/** The least that pg-boss takes. */
const BOSS_POLL_SECONDS = 0.5;

interface Boss {
  start(): Promise<unknown>;
  stop(options: { readonly graceful: boolean }): Promise<void>;
  createQueue(name: string): Promise<void>;
  send(name: string, data: object): Promise<string | null>;
  work(
    name: string,
    options: { readonly pollingIntervalSeconds: number; readonly batchSize: number },
    handler: (jobs: readonly { readonly id: string }[]) => Promise<void>,
  ): Promise<string>;
  on(event: 'error', listener: (error: Error) => void): void;
}

/** As its page shows it. */
export function openBoss(database: string, workers: number): Queue {
  const load = createRequire(new URL('./package.json', import.meta.url));
  const Made = load('pg-boss') as new (options: { connectionString: string; max: number }) => Boss;
  const boss = new Made({ connectionString: database, max: CONNECTIONS });
  boss.on('error', (error) => process.stderr.write(`pg-boss: ${error.message}\n`));
  return {
    async start(handle) {
      await boss.start();
      await boss.createQueue('tasks');
      const options = { pollingIntervalSeconds: BOSS_POLL_SECONDS, batchSize: 1 };
      for (let worker = 0; worker < workers; worker += 1) {
        await boss.work('tasks', options, async (jobs) => {
          for (const { id } of jobs) handle(id);
        });
      }
    },
    send: async (data) => String(await boss.send('tasks', data)),
    stop: () => boss.stop({ graceful: false }),
  };
}

interface Graphile {
  run(options: {
    readonly pgPool: pg.Pool;
    readonly concurrency: number;
    readonly noHandleSignals: boolean;
    readonly logger: unknown;
    readonly taskList: Readonly<
      Record<string, (payload: unknown, helpers: { readonly job: { readonly id: string } }) => void>
    >;
  }): Promise<{
    addJob(name: string, payload: object): Promise<{ readonly id: string }>;
    stop(): Promise<void>;
  }>;
  readonly Logger: new (factory: () => () => void) => unknown;
}

/** Wakes its workers by NOTIFY, to which this process listens. */
export function openGraphile(database: string, workers: number): Queue {
  const load = createRequire(new URL('./queue/package.json', import.meta.url));
  const { run, Logger } = load('graphile-worker') as Graphile;
  const pgPool = new pg.Pool({ connectionString: database, max: CONNECTIONS });
  // The server is stopped while its connections still close.
  pgPool.on('error', () => undefined);
  pgPool.on('connect', (client) => client.on('error', () => undefined));
  let runner: Awaited<ReturnType<Graphile['run']>> | undefined;
  return {
    async start(handle) {
      runner = await run({
        pgPool,
        concurrency: workers,
        noHandleSignals: true,
        logger: new Logger(() => () => undefined),
        taskList: { tasks: (_, { job }) => handle(job.id) },
      });
    },
    async send(data) {
      if (runner === undefined) throw new Error('the queue was not started');
      return (await runner.addJob('tasks', data)).id;
    },
    async stop() {
      await runner?.stop();
      await pgPool.end();
    },
  };
}
