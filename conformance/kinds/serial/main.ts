import { strict as assert } from 'node:assert';
import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openStore } from '../../../db/store.ts';
import { program } from '../../harness/program.ts';
import { startPostgres } from '../../harness/postgres.ts';
import { assertBooksBalance } from '../../ledger/auditor.ts';
import { fund, person } from '../../ledger/book.ts';
import type { Begun, Ended, Report, Round } from './history.ts';

/**
 * `npm run serial [-- --minutes N]`: three processes pay between six accounts and look at them, now
 * and then one is killed, and Porcupine finds for each round an order of all calls, one after the
 * other, that explains each answer and fits the times (`checker/main.go`).
 */
const PROCESSES = 3;
const CLIENTS = 3;
const CALLS = 40;
const ACCOUNTS = 6;
const FUNDS = 100n;
const KILLED_PERCENT = 40;
const KILL_MS_MAX = 300;
const ROUND_MS_MAX = 60_000;
const here = fileURLToPath(new URL('.', import.meta.url));
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '1' } } });

interface Call extends Begun {
  readonly ended?: Ended;
}

const file = await program('conformance/kinds/serial/child.ts');
const folder = await mkdtemp(join(tmpdir(), 'hub-serial-'));
const postgres = await startPostgres(true);
try {
  for (const [name, url] of [
    ['SQLite', `sqlite:${join(folder, 'hub.sqlite')}`],
    ['PostgreSQL', await postgres.freshDatabase()],
  ] as const) {
    await check(name, url);
  }
} finally {
  await postgres.stop();
  if (process.exitCode === undefined) await rm(folder, { recursive: true, force: true });
}

async function check(name: string, url: string): Promise<void> {
  const store = await openStore(url);
  const processes = await Promise.all(Array.from({ length: PROCESSES }, () => start(url)));
  const until = performance.now() + (Number(values.minutes) * 60_000) / 2;
  let [rounds, calls, unknown, kills] = [0, 0, 0, 0];
  const histories: string[] = [];
  while (performance.now() < until) {
    const accounts = Array.from({ length: ACCOUNTS }, person);
    for (const each of accounts) await fund(store, each, FUNDS);
    const history: Call[] = [];
    const parts = processes.map((child, nth) =>
      play(
        child,
        { accounts, firstClient: nth * CLIENTS, clients: CLIENTS, calls: CALLS },
        history,
      ),
    );
    const victim = randomInt(100) < KILLED_PERCENT ? randomInt(PROCESSES) : undefined;
    if (victim !== undefined) {
      await sleep(randomInt(1, KILL_MS_MAX));
      processes[victim]?.kill('SIGKILL');
      kills += 1;
    }
    await Promise.all(parts);
    if (victim !== undefined) processes[victim] = await start(url);
    rounds += 1;
    calls += history.length;
    unknown += history.filter(({ ended }) => ended?.answer === undefined).length;
    histories.push(JSON.stringify(history.map(lineOf)));
  }
  for (const child of processes) child.disconnect();
  await assertBooksBalance(store);
  const path = join(folder, `${name}.ndjson`);
  await writeFile(path, histories.join('\n'));
  const env = { ...process.env, GOFLAGS: '-mod=readonly' };
  const words = ['run', '.', path, String(ACCOUNTS), String(FUNDS)];
  const { status } = spawnSync('go', words, { cwd: join(here, 'checker'), env, stdio: 'inherit' });
  assert.equal(status, 0, `${name}: a history that no order explains`);
  if (store.dialect === 'postgres') await assertNoDeadlock(store);
  await store.close();
  console.log(`${name}: ${rounds} rounds, ${calls} calls, ${unknown} unanswered, ${kills} kills`);
}

function lineOf({ client, at, pay, ended }: Call): object {
  return { client, call: at, pay, return: ended?.at, answer: ended?.answer };
}

async function start(url: string): Promise<ChildProcess> {
  const child = fork(file, [url], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await new Promise<void>((resolve) => child.once('message', () => resolve()));
  return child;
}

/** Plays one round in a process; a call of a process that was killed has no end. */
async function play(child: ChildProcess, round: Round, history: Call[]): Promise<void> {
  const open = new Map<number, Begun>();
  const note = (each: Report): void => {
    if ('begun' in each) open.set(each.begun.client, each.begun);
    else if ('ended' in each) {
      const begun = open.get(each.ended.client);
      assert.ok(begun !== undefined, 'a call ends after it began');
      history.push({ ...begun, ended: each.ended });
      open.delete(each.ended.client);
    }
  };
  child.on('message', note);
  const late = setTimeout(() => child.kill('SIGKILL'), ROUND_MS_MAX);
  child.send(round);
  await new Promise<void>((resolve) => {
    child.on('message', (each: Report) => ('done' in each ? resolve() : undefined));
    child.once('exit', resolve);
  });
  clearTimeout(late);
  child.removeAllListeners();
  history.push(...open.values());
}

async function assertNoDeadlock(store: Awaited<ReturnType<typeof openStore>>): Promise<void> {
  // A server counts the deadlocks of a connection when that ends or has rested.
  await sleep(1_500);
  const [row] = await store.read(({ knex }) =>
    knex('pg_stat_database')
      .whereRaw('datname = current_database()')
      .select<{ deadlocks: number }[]>('deadlocks'),
  );
  assert.equal(Number(row?.deadlocks), 0, 'deadlocks');
}
