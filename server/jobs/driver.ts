import { setMaxListeners } from 'node:events';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { logFailure } from '../../workflows/kernel/logFailure.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Job } from '../../workflows/kernel/job.ts';

export interface JobReport {
  readonly name: string;
  readonly lastRunAt?: Instant;
  readonly lastError?: string;
}

export interface Driver {
  start(): void;
  /** Jobs that call no addresses of others. */
  readonly ownWork: readonly string[];
  /** Runs one job now, after any run of it that is under way. */
  runOnce(name: string): Promise<void | number>;
  report(): readonly JobReport[];
  /** Stops the timers and waits for the runs under way. */
  stop(): Promise<void>;
}

export function createDriver(hub: Hub, jobs: readonly Job[]): Driver {
  const reports = new Map<string, JobReport>(jobs.map((job) => [job.name, { name: job.name }]));
  const underway = new Map<string, Promise<void | number>>();
  const stopping = new AbortController();
  // Every job waits on the one signal; Node would take more than ten of them for a leak.
  setMaxListeners(jobs.length, stopping.signal);

  const runOnce = (job: Job): Promise<void | number> => {
    const run = (underway.get(job.name) ?? Promise.resolve()).then(() => runAndReport(job));
    underway.set(job.name, run);
    return run;
  };
  const runAndReport = async (job: Job): Promise<void | number> => {
    const lastRunAt = hub.clock.now();
    try {
      const againMs = await job.run(hub);
      reports.set(job.name, { name: job.name, lastRunAt });
      return againMs;
    } catch (error) {
      logFailure(hub.log, error, 'job failed; its timer runs it again', { job: job.name });
      reports.set(job.name, { name: job.name, lastRunAt, lastError: String(error) });
      return undefined;
    }
  };
  const loop = async (job: Job): Promise<void> => {
    while (!stopping.signal.aborted) {
      const seen = hub.notifier.published(job.topic ?? '');
      const againMs = (await runOnce(job)) ?? Infinity;
      const waitMs = Math.min(againMs, job.everySeconds * 1000);
      await hub.notifier.wait(job.topic ?? '', seen, waitMs, stopping.signal);
    }
  };
  const loops: Promise<void>[] = [];
  return {
    ownWork: jobs.flatMap(({ name, reachesOut }) => (reachesOut ? [] : [name])),
    start() {
      for (const job of jobs) loops.push(loop(job));
    },
    async runOnce(name) {
      const job = jobs.find((each) => each.name === name);
      if (job === undefined) throw new Error(`no job is named ${name}`);
      return runOnce(job);
    },
    report: () => [...reports.values()],
    async stop() {
      stopping.abort();
      await Promise.all(loops);
      await Promise.all(underway.values());
    },
  };
}
