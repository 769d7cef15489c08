// The claim queue under a storm of workers, against pg-boss; and whole lifecycles a second.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type RunningPostgres } from '../../conformance/harness/postgres.ts';
import { closeCallers, fund, newCaller, startHub, type Caller } from './taskClient.ts';
import { openBoss } from './taskQueue.ts';

const WORKERS = Number(process.env['BENCH_WORKERS'] ?? 200);
const TASKS = Number(process.env['BENCH_TASKS'] ?? 1_000);
const LIFECYCLES = Number(process.env['BENCH_LIFECYCLES'] ?? 1_500);
const PUBLISHERS = 8;
const LANES = 16;
const POLL_SECONDS = 30;
const STORM_MS_MAX = 180_000;
/** The least that pg-boss takes. */
const BOSS_POLL_SECONDS = 0.5;

/** All at once, where the rate of claims decides; and slowly, where waking up decides. */
const PACES = [
  { title: 'a burst', tasks: TASKS, everyMs: 0 },
  { title: 'one each 100 ms', tasks: 100, everyMs: 100 },
] as const;
type Pace = (typeof PACES)[number];

/** More than the hub's own starter tasks pay, which workers here pass by. */
const WANTED = { minReward: '100000' };
const TERMS = {
  title: 'Say done',
  rewardAmount: '100000',
  acceptance: { kind: 'contains', values: ['done'] },
  disputeWindowSeconds: 0,
};
const line = (text: string): void => void process.stdout.write(`${text}\n`);

interface Storm {
  readonly waitsMs: readonly number[];
  readonly seconds: number;
  readonly twice: number;
}

const folder = mkdtempSync(join(tmpdir(), 'hub-bench-'));
const postgres = await startPostgres(true);
try {
  await storms(postgres);
  await lifecycles('SQLite', `sqlite:${join(folder, 'hub.sqlite')}`);
  await lifecycles('PostgreSQL', await postgres.freshDatabase());
} finally {
  closeCallers();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
// The workers of pg-boss go on polling a while after they were stopped.
process.exit(0);

async function storms({ freshDatabase }: RunningPostgres): Promise<void> {
  for (const pace of PACES) {
    line(`claims on PostgreSQL, ${WORKERS} workers wait, ${pace.tasks} tasks, ${pace.title}`);
    told('hub, claim with a long poll', await hubStorm(await freshDatabase(), pace));
    told('pg-boss, work', await bossStorm(await freshDatabase(), pace));
  }
}

function told(title: string, { waitsMs, seconds, twice }: Storm): void {
  const sorted = [...waitsMs].sort((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  line(
    `  ${title}: publish to hold p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ` +
      `${Math.round(waitsMs.length / seconds)}/s, ${waitsMs.length} held, ${twice} twice`,
  );
}

/** Publishes from a few lanes while all workers wait; each delivers at once and waits again. */
async function hubStorm(database: string, pace: Pace): Promise<Storm> {
  const { port, child } = await startHub(database, folder);
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
        holds.set(task.id, [...(holds.get(task.id) ?? []), performance.now()]);
        const body = { claimToken: claim['claimToken'], result: 'done' };
        await worker.post(`/api/v1/tasks/${task.id}/submit`, body);
      }
    };
    const working = Array.from({ length: WORKERS }, () => work(newCaller(port)));
    await settled();
    const began = performance.now();
    const published = new Map<string, number>();
    await paced(pace, async (_, lane) => {
      const requester = requesters[lane];
      if (requester === undefined) return;
      const asked = performance.now();
      const task = await requester.post('/api/v1/tasks', {
        ...TERMS,
        requester: requester.account,
      });
      published.set(String(task['id']), asked);
    });
    await reached(() => holds.size >= pace.tasks);
    const seconds = (performance.now() - began) / 1000;
    child.kill();
    await Promise.allSettled(working);
    const all = [...holds];
    const waitsMs = all.map(([id, [first = 0]]) => first - (published.get(id) ?? first));
    return { waitsMs, seconds, twice: all.filter(([, times]) => times.length > 1).length };
  } finally {
    child.kill();
  }
}

async function bossStorm(database: string, pace: Pace): Promise<Storm> {
  const boss = openBoss(database);
  boss.on('error', (error) => line(`  pg-boss: ${error.message}`));
  await boss.start();
  await boss.createQueue('tasks');
  const holds = new Map<string, number[]>();
  const options = { pollingIntervalSeconds: BOSS_POLL_SECONDS, batchSize: 1 };
  for (let worker = 0; worker < WORKERS; worker += 1) {
    await boss.work('tasks', options, async (jobs) => {
      for (const { id } of jobs) holds.set(id, [...(holds.get(id) ?? []), performance.now()]);
    });
  }
  await settled();
  const began = performance.now();
  const published = new Map<string, number>();
  await paced(pace, async () => {
    const asked = performance.now();
    published.set(String(await boss.send('tasks', TERMS)), asked);
  });
  await reached(() => holds.size >= pace.tasks);
  const seconds = (performance.now() - began) / 1000;
  await boss.stop({ graceful: false });
  const all = [...holds];
  const waitsMs = all.map(([id, [first = 0]]) => first - (published.get(id) ?? first));
  return { waitsMs, seconds, twice: all.filter(([, times]) => times.length > 1).length };
}

/** Publish, claim, deliver, paid: four answers that each wait for their commit. */
async function lifecycles(name: string, database: string): Promise<void> {
  const { port, child } = await startHub(database, folder);
  try {
    const pairs = Array.from({ length: LANES }, () => [newCaller(port), newCaller(port)] as const);
    for (const [requester] of pairs) await fund(port, requester, 1);
    const live = async (_: number, lane: number): Promise<void> => {
      const [requester, worker] = pairs[lane] ?? [];
      if (requester === undefined || worker === undefined) return;
      const task = await requester.post('/api/v1/tasks', {
        ...TERMS,
        requester: requester.account,
      });
      const path = `/api/v1/tasks/${String(task['id'])}`;
      const { claimToken } = await worker.post(`${path}/claim`, { agentId: worker.account });
      const paid = await worker.post(`${path}/submit`, { claimToken, result: 'done' });
      if (paid['state'] !== 'paid') throw new Error(`not paid: ${JSON.stringify(paid)}`);
    };
    await inLanes(LANES, LANES * 10, live);
    const began = performance.now();
    await inLanes(LANES, LIFECYCLES, live);
    const seconds = (performance.now() - began) / 1000;
    const rate = Math.round(LIFECYCLES / seconds);
    line(`publish, claim, deliver and pay on ${name}, ${LANES} at once: ${rate} lives/s`);
  } finally {
    child.kill();
  }
}

async function paced(
  { tasks, everyMs }: Pace,
  publish: (n: number, lane: number) => Promise<void>,
): Promise<void> {
  if (everyMs === 0) return inLanes(PUBLISHERS, tasks, publish);
  for (let n = 0; n < tasks; n += 1) {
    const pause = new Promise((resolve) => setTimeout(resolve, everyMs));
    await Promise.all([publish(n, n % PUBLISHERS), pause]);
  }
}

async function inLanes(
  lanes: number,
  count: number,
  run: (n: number, lane: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async (number: number): Promise<void> => {
    for (let n = next++; n < count; n = next++) await run(n, number);
  };
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
}

/** Long enough for every worker to be waiting. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 3_000));
}

async function reached(isThere: () => boolean): Promise<void> {
  const until = performance.now() + STORM_MS_MAX;
  while (!isThere() && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 5));
}
