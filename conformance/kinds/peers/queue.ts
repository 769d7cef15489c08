// The claim queue under a storm of workers, against a simpler stack, pg-boss and graphile-worker.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../harness/postgres.ts';
import { inLanes } from '../bench/lanes.ts';
import { closeCallers, fund, newCaller, startHub, TERMS } from '../bench/taskClient.ts';
import type { BenchHub, Caller } from '../bench/taskClient.ts';
import { startStack } from './stack.ts';
import { openBoss, openGraphile, type Queue } from './taskQueue.ts';

const WORKERS = Number(process.env['BENCH_WORKERS'] ?? 200);
const TASKS = Number(process.env['BENCH_TASKS'] ?? 1_000);
const PACED_TASKS = Number(process.env['BENCH_PACED_TASKS'] ?? 100);
const PUBLISHERS = 8;
const POLL_SECONDS = 30;
const SETTLE_MS = 3_000;
const STORM_MS_MAX = 180_000;

/** All at once, where the rate of claims decides; and slowly, where waking up decides. */
const PACES = [
  { title: 'a burst', tasks: TASKS, everyMs: 0 },
  { title: 'one each 100 ms', tasks: PACED_TASKS, everyMs: 100 },
] as const;
type Pace = (typeof PACES)[number];

/** More than the hub's own starter tasks pay, which workers here pass by. */
const WANTED = { minReward: '100000' };
const line = (text: string): void => void process.stdout.write(`${text}\n`);

/** The holds, and the time of each publish request, by task. */
interface Storm {
  readonly holds: ReadonlyMap<string, readonly number[]>;
  readonly published: ReadonlyMap<string, number>;
  /** From there to the answer. */
  readonly answeredMs: readonly number[];
  readonly seconds: number;
  readonly sendingMs: number;
  /** The processor time of the hub, where it is another process. */
  readonly servingMs?: number;
}

const folder = mkdtempSync(join(tmpdir(), 'hub-bench-'));
const { freshDatabase, stop } = await startPostgres(true);
try {
  for (const pace of PACES) {
    line(`claims on PostgreSQL, ${WORKERS} workers wait, ${pace.tasks} tasks, ${pace.title}`);
    const hub = async (): Promise<BenchHub> => startHub(await freshDatabase(), folder);
    const stack = async (): Promise<BenchHub> => startStack(await freshDatabase());
    print('hub, claim, deliver and paid', await hubStorm(await hub(), pace, 'deliver'));
    print('stack, the same', await hubStorm(await stack(), pace, 'deliver'));
    print('hub, claim with a long poll', await hubStorm(await hub(), pace, 'hold'));
    print('pg-boss, work', await peerStorm(openBoss(await freshDatabase(), WORKERS), pace));
    print('graphile-worker', await peerStorm(openGraphile(await freshDatabase(), WORKERS), pace));
  }
} finally {
  closeCallers();
  await stop();
  rmSync(folder, { recursive: true, force: true });
}
// The workers of the peers go on polling a while after they were stopped.
process.exit(0);

function print(title: string, { holds, published, seconds, ...storm }: Storm): void {
  const waitsMs = [...holds].map(([id, [first = 0]]) => first - (published.get(id) ?? first));
  const twice = [...holds.values()].filter((times) => times.length > 1).length;
  const each = (ms: number): string => `${(ms / holds.size).toFixed(1)} ms`;
  const serving = storm.servingMs === undefined ? '' : `, the hub ${each(storm.servingMs)}`;
  line(
    `  ${title}: publish to hold p50 ${at(waitsMs, 0.5)} ms, p99 ${at(waitsMs, 0.99)} ms, ` +
      `to its answer p50 ${at(storm.answeredMs, 0.5)} ms, ${Math.round(holds.size / seconds)}/s, ` +
      `${holds.size} held, ${twice} twice; processor a task: clients ${each(storm.sendingMs)}` +
      serving,
  );
}

function at(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
}

/**
 * Publishes from a few lanes while all workers wait. Each delivers at once and waits again, or only
 * holds what it got, as the peers do, and waits again until it holds what it may.
 */
async function hubStorm(
  { port, child }: BenchHub,
  pace: Pace,
  then: 'deliver' | 'hold',
): Promise<Storm> {
  try {
    const requesters = Array.from({ length: PUBLISHERS }, () => newCaller(port));
    for (const requester of requesters) await fund(port, requester, 1);
    const holds = new Map<string, number[]>();
    let held = 0;
    const work = async (worker: Caller): Promise<void> => {
      while (held < pace.tasks) {
        const claim = await worker.post(`/api/v1/tasks/claim?wait=${POLL_SECONDS}`, WANTED);
        const task = claim['work'] as { readonly id: string } | null;
        if (task === null) continue;
        held += 1;
        noteHold(holds, task.id);
        if (then === 'hold') continue;
        const body = { claimToken: claim['claimToken'], result: 'done' };
        await worker.post(`/api/v1/tasks/${task.id}/submit`, body);
      }
    };
    // A new account may hold three tasks.
    const count = then === 'hold' ? Math.max(WORKERS, Math.ceil(pace.tasks / 3)) : WORKERS;
    const working = Array.from({ length: count }, () =>
      work(newCaller(port)).catch(() => undefined),
    );
    // Long enough for every worker to be waiting.
    await pause(SETTLE_MS);
    const before = await processorOf(child);
    const storm = await stormed(pace, holds, async (lane) => {
      const requester = requesters[lane];
      if (requester === undefined) throw new Error(`no requester ${lane}`);
      const asked = { ...TERMS, requester: requester.account };
      return String((await requester.post('/api/v1/tasks', asked))['id']);
    });
    const servingMs = (await processorOf(child)) - before;
    child.kill();
    await Promise.all(working);
    return { ...storm, servingMs };
  } finally {
    child.kill();
  }
}

async function peerStorm(queue: Queue, pace: Pace): Promise<Storm> {
  const holds = new Map<string, number[]>();
  await queue.start((id) => noteHold(holds, id));
  await pause(SETTLE_MS);
  const storm = await stormed(pace, holds, () => queue.send(TERMS));
  await queue.stop();
  return storm;
}

function noteHold(holds: Map<string, number[]>, id: string): void {
  holds.set(id, [...(holds.get(id) ?? []), performance.now()]);
}

async function stormed(
  pace: Pace,
  holds: ReadonlyMap<string, readonly number[]>,
  publish: (lane: number) => Promise<string>,
): Promise<Storm> {
  const [began, used] = [performance.now(), process.cpuUsage()];
  const answeredMs: number[] = [];
  const published = new Map<string, number>();
  const one = async (lane: number): Promise<void> => {
    const asked = performance.now();
    published.set(await publish(lane), asked);
    answeredMs.push(performance.now() - asked);
  };
  if (pace.everyMs === 0) await inLanes(PUBLISHERS, pace.tasks, (_, lane) => one(lane));
  else
    for (let n = 0; n < pace.tasks; n += 1)
      await Promise.all([one(n % PUBLISHERS), pause(pace.everyMs)]);
  const until = performance.now() + STORM_MS_MAX;
  while (holds.size < pace.tasks && performance.now() < until) await pause(5);
  const seconds = (performance.now() - began) / 1000;
  return { holds, published, answeredMs, seconds, sendingMs: msOf(process.cpuUsage(used)) };
}

/** Processor time that a hub took so far, in milliseconds. */
async function processorOf(child: ChildProcess): Promise<number> {
  const reported = once(child, 'message') as Promise<[{ readonly cpu: NodeJS.CpuUsage }]>;
  child.send('how much');
  const [{ cpu }] = await reported;
  return msOf(cpu);
}

function msOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
