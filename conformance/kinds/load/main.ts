import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { program } from '../../harness/program.ts';
import { startPostgres } from '../../harness/postgres.ts';
import { ACTIVITIES } from './activities/index.ts';
import { leave, openTable } from './activities/poker.ts';
import { openMarket } from './activities/market.ts';
import { newLoadAgent, type LoadAgent } from './agents.ts';
import { startCallee } from './callee.ts';
import { makeFaults } from './faults.ts';
import { openLoadedHub, type LoadedHub } from './hubs.ts';
import { readOptions, USAGE, type Options } from './options.ts';
import { reportOf, tableOf } from './report.ts';
import { startSampler } from './samples.ts';
import { verify } from './verify.ts';
import { startVisitors } from './visitors.ts';
import { openWatch } from './watch.ts';
import type { World } from './world.ts';

/**
 * `npm run soak:load`: agents keep two hubs on one PostgreSQL (or one on SQLite) busy under kills,
 * restarts, clock steps and hostile visitors. Then memory, loop, books and all answers are checked.
 */
const FUNDS = 50_000_000n;
const TABLES = 8;
const MARKETS = 4;
const LANES = 8;
const FAILURES_MAX = 50;

const options = readOptions(process.argv.slice(2));
if (options === undefined) {
  process.stderr.write(USAGE);
  process.exit(2);
}
process.exitCode = (await run(options)) ? 0 : 1;

async function run(given: Options): Promise<boolean> {
  const durationMs = given.minutes * 60_000;
  const warmUpMs = durationMs / 6;
  const folder = await mkdtemp(join(tmpdir(), 'hub-load-'));
  // Durable, with its own cleaning, as an operator has it.
  const postgres = given.database === 'postgres' ? await startPostgres(true) : undefined;
  const databaseUrl = (await postgres?.freshDatabase()) ?? `sqlite:${join(folder, 'hub.sqlite')}`;
  const callee = await startCallee(databaseUrl);
  const cli = await program('server/cli.ts');
  const hubs: LoadedHub[] = [];
  try {
    for (let number = 1; number <= (postgres === undefined ? 1 : 2); number += 1) {
      const hub = await openLoadedHub({ number, databaseUrl, folder, pair: callee.pair });
      await hub.start();
      hubs.push(hub);
    }
    const watch = openWatch();
    const agents = await Promise.all(
      Array.from({ length: given.agents }, (_, n) => newLoadAgent(n, hubs, watch)),
    );
    const world = await openWorld(agents, callee.agentId);
    const beganAt = performance.now();
    const sampler = startSampler(hubs, watch);
    const visitors = startVisitors(hubs, watch);
    const failures: string[] = [];
    const activities = new Map<string, number>();
    const living = agents.map((own) =>
      live(own, world, {
        untilMs: beganAt + durationMs,
        paceMs: given.paceMs,
        failures,
        activities,
      }),
    );
    await makeFaults({ hubs, postgres, watch, warmUpMs, durationMs });
    await Promise.all(living);
    await visitors.stop();
    await sampler.stop();
    const seconds = (performance.now() - beganAt) / 1000;
    await standUp(agents);
    const verified = await verify(agents, LANES);
    for (const hub of hubs) await hub.end();
    const audit = await auditOf(cli, databaseUrl, folder);
    const report = reportOf({
      options: given,
      watch,
      samples: sampler.samples,
      warmUntil: beganAt + warmUpMs,
      seconds,
      activities,
      visits: visitors.counts,
      failures,
      verified,
      audit,
    });
    process.stdout.write(given.json ? `${JSON.stringify(report, null, 2)}\n` : tableOf(report));
    for (const fault of [
      ...watch.unexplained.slice(0, FAILURES_MAX),
      ...failures.slice(0, FAILURES_MAX),
      ...verified.faults.slice(0, FAILURES_MAX),
    ])
      process.stderr.write(`${fault}\n`);
    for (const agent of agents) agent.close();
    return report.isGood;
  } finally {
    for (const hub of hubs) await hub.kill();
    await callee.close();
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function openWorld(agents: readonly LoadAgent[], agentId: string): Promise<World> {
  await Promise.all(agents.map(fund));
  const tables = await Promise.all(agents.slice(0, TABLES).map(openTable));
  const world: World = { agents, agentId, markets: [], tables };
  await Promise.all(agents.slice(0, MARKETS).map((own) => openMarket(own, world)));
  return world;
}

async function fund(own: LoadAgent): Promise<void> {
  const body = { amount: `${FUNDS}`, idempotencyKey: own.newKey() };
  const params = { path: { owner: own.account } };
  await own.ask((hub) => hub.POST('/api/v1/wallet/{owner}/credit', { params, body }));
  own.kept.credited += FUNDS;
}

interface Life {
  readonly untilMs: number;
  readonly paceMs: number;
  readonly failures: string[];
  readonly activities: Map<string, number>;
}

/** One activity after another until the time is over, with a rest before each. */
async function live(own: LoadAgent, world: World, life: Life): Promise<void> {
  const { untilMs, paceMs, failures, activities } = life;
  while (performance.now() < untilMs) {
    await sleep(paceMs * (0.5 + Math.random()));
    const [name, , activity] = drawn();
    try {
      await activity(own, world);
    } catch (error) {
      const why = error instanceof Error ? `${error.name} ${error.message}` : String(error);
      failures.push(`agent ${own.number}, ${name}: ${why}`);
    }
    activities.set(name, (activities.get(name) ?? 0) + 1);
  }
}

function drawn(): (typeof ACTIVITIES)[number] {
  let left = Math.random() * ACTIVITIES.reduce((sum, [, share]) => sum + share, 0);
  const found = ACTIVITIES.find(([, share]) => (left -= share) < 0) ?? ACTIVITIES[0];
  if (found === undefined) throw new Error('there is nothing to do');
  return found;
}

async function standUp(agents: readonly LoadAgent[]): Promise<void> {
  for (const own of agents) {
    if (own.kept.tableId !== undefined) await leave(own, own.kept.tableId).catch(() => undefined);
  }
}

/** `hubctl audit` as the operator runs it. */
async function auditOf(
  cli: string,
  databaseUrl: string,
  folder: string,
): Promise<{ readonly isBalanced: boolean; readonly says: string }> {
  const env = { ...process.env, HUB_DATABASE_URL: databaseUrl, HUB_DATA_DIR: folder };
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, 'audit'], { env }, (error, stdout) => {
      const says = stdout.trim().split('\n').slice(1).join('; ');
      resolve({ isBalanced: error === null, says });
    });
  });
}
