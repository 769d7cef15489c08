import type { Hub } from '../hub.ts';
import type { Instant } from '../../domain/instant.ts';

/**
 * A job looks at the database, does one bounded batch and is safe to repeat. It is woken by its
 * timer and by its topic; the timer is the retry.
 */
export interface Job {
  readonly name: string;
  readonly everySeconds: number;
  /** A bell topic that makes the job run before its timer does. */
  readonly topic?: string;
  readonly run: (hub: Hub) => Promise<void>;
}

export interface JobReport {
  readonly name: string;
  readonly lastRunAt?: Instant;
  readonly lastError?: string;
}

export interface Driver {
  start(): void;
  /** Runs one job now, after any run of it that is under way. */
  runOnce(name: string): Promise<void>;
  report(): readonly JobReport[];
  /** Stops the timers and waits for the runs under way. */
  stop(): Promise<void>;
}

export function createDriver(hub: Hub, jobs: readonly Job[]): Driver {
  const reports = new Map<string, JobReport>(jobs.map((job) => [job.name, { name: job.name }]));
  const underway = new Map<string, Promise<void>>();
  const stopping = new AbortController();

  const runOnce = (job: Job): Promise<void> => {
    const run = (underway.get(job.name) ?? Promise.resolve()).then(() => runAndReport(job));
    underway.set(job.name, run);
    return run;
  };
  const runAndReport = async (job: Job): Promise<void> => {
    const lastRunAt = hub.clock.now();
    try {
      await job.run(hub);
      reports.set(job.name, { name: job.name, lastRunAt });
    } catch (error) {
      hub.log.error({ err: error, job: job.name }, 'job failed; its timer runs it again');
      reports.set(job.name, { name: job.name, lastRunAt, lastError: String(error) });
    }
  };
  const loop = async (job: Job): Promise<void> => {
    while (!stopping.signal.aborted) {
      const seen = hub.bell.rings(job.topic ?? '');
      await runOnce(job);
      await hub.bell.wait(job.topic ?? '', seen, job.everySeconds * 1000, stopping.signal);
    }
  };
  const loops: Promise<void>[] = [];
  return {
    start() {
      for (const job of jobs) loops.push(loop(job));
    },
    async runOnce(name) {
      const job = jobs.find((each) => each.name === name);
      if (job === undefined) throw new Error(`no job is named ${name}`);
      await runOnce(job);
    },
    report: () => [...reports.values()],
    async stop() {
      stopping.abort();
      await Promise.all(loops);
      await Promise.all(underway.values());
    },
  };
}
