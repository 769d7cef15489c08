import { callJudges, type Place } from './panelDriver.ts';
import { crashIn, type Crash } from './crashInjection.ts';
import { isBusy, runJob } from './model/jobs.ts';

/**
 * The scheduler's jobs, each on the hub and then on the model. Twice: what one job opens, such as a
 * task whose lease ended, may be due for another; what is not seen then is seen at the next hour.
 */
const JOBS = [
  'pulse',
  'leaseExpiry',
  'autoAccept',
  'panels',
  'panelCalls',
  'payoutRelease',
  'disputeVoid',
  'deadlineExpiry',
  'loanCollection',
  'creditRefill',
  'seatProbes',
];
const JOB_ROUNDS = 2;

export interface JobRuns extends Place {
  /** Learns what was made or drawn by the clock; answers what differs. */
  learn(): Promise<readonly string[]>;
}

/** Everything that is due happens; where the process dies on the way, the next one does it all. */
export async function runJobs(jobRuns: JobRuns, dying?: Crash): Promise<readonly string[]> {
  const { model, learn } = jobRuns;
  for (let round = 0; round < JOB_ROUNDS && (round === 0 || isBusy(model)); round += 1) {
    for (const job of JOBS) {
      const isLast = job === dying?.job;
      const wrong = [...(isLast ? await crashIn(jobRuns, dying) : await run(jobRuns, job))];
      if (wrong.length === 0) wrong.push(...(await learn()));
      if (wrong.length > 0) return wrong.map((line) => `in ${job}: ${line}`);
      if (isLast) return runJobs(jobRuns);
    }
  }
  return [];
}

async function run(jobRuns: JobRuns, job: string): Promise<readonly string[]> {
  const wrong = job === 'panelCalls' ? await callJudges(jobRuns) : [];
  if (job !== 'panelCalls') await jobRuns.site.runJob(job);
  runJob(jobRuns.model, job);
  return wrong;
}
