import { randomBytes } from 'node:crypto';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openHub } from '../cluster/hubs.ts';
import { makeFolder, subfolder, until } from '../cluster/daemons.ts';
import { startPostgres } from '../../harness/postgres.ts';
import { line, median } from './harness.mjs';
import { inLanes } from './lanes.ts';
import { closeCallers, fund, newCaller, TERMS, type Caller } from './taskClient.ts';

/**
 * `npm run bench -- workers`: payments, lives of tasks, reads and searches a second of one hub with
 * 1, 2, 4 and 8 workers on one durable PostgreSQL. The load comes from other processes, and each
 * round has a new database and a new hub for each number of workers, in turn.
 */
const WORKERS = (process.env['BENCH_WORKERS'] ?? '1,2,4,8').split(',').map(Number);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
/** Processes that ask; the same for each number of workers. */
const LOADERS = Number(process.env['BENCH_LOADERS'] ?? 2);
const LANES = 16;
/** Tasks that a search chooses from, and the words of their titles and of the questions. */
const SEARCHED = 400;
const WORDS = 40;

type Kind = (typeof KINDS)[number];
const KINDS = ['payments', 'lives of tasks', 'reads', 'searches'] as const;
interface Order {
  readonly port: number;
  readonly kind: Kind;
  readonly ms: number;
}

/** Runs in each process that asks: answers how many pieces of work ended a second. */
async function follow({ port, kind, ms }: Order): Promise<void> {
  const pairs = Array.from({ length: LANES }, () => [newCaller(port), newCaller(port)] as const);
  for (const [payer] of pairs) await fund(port, payer, 1);
  const began = performance.now();
  let done = 0;
  await Promise.all(
    pairs.map(async ([one, other]) => {
      for (; performance.now() < began + ms; done += 1) await work[kind](one, other);
    }),
  );
  const rate = (done * 1_000) / (performance.now() - began);
  closeCallers();
  process.send?.(rate);
}

const idempotencyKey = (): string => randomBytes(12).toString('hex');
const words = (): string =>
  [0, 0].map(() => `subject${Math.floor(Math.random() * WORDS)}`).join(' ');

const work: Readonly<Record<Kind, (one: Caller, other: Caller) => Promise<unknown>>> = {
  payments(one, other) {
    const body = { to: other.account, amount: '1', idempotencyKey: idempotencyKey() };
    return one.post(`/api/v1/wallet/${one.account}/pay`, body);
  },
  async 'lives of tasks'(requester, worker) {
    const task = await publish(requester, 'Say done');
    const path = `/api/v1/tasks/${String(task['id'])}`;
    const { claimToken } = await worker.post(`${path}/claim`, { agentId: worker.account });
    const paid = await worker.post(`${path}/submit`, { claimToken, result: 'done' });
    if (paid['state'] !== 'paid') throw new Error(`not paid: ${JSON.stringify(paid)}`);
  },
  reads: (one) => one.get(`/api/v1/wallet/${one.account}`),
  searches: (one) => one.get(`/api/v1/search?q=${encodeURIComponent(words())}`),
};

function publish(requester: Caller, title: string): ReturnType<Caller['post']> {
  return requester.post('/api/v1/tasks', { ...TERMS, title, requester: requester.account });
}

async function lead(): Promise<void> {
  const [server, folder] = [await startPostgres(true), await makeFolder()];
  const loaders = Array.from({ length: LOADERS }, () =>
    fork(fileURLToPath(import.meta.url), [], { execArgv: process.execArgv }),
  );
  const rates = new Map<string, number[]>();
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const count of WORKERS) {
        const place = await subfolder(folder, `${round}-${count}`);
        const found = await measured(count, await server.freshDatabase(), place, loaders);
        for (const [kind, rate] of found) {
          const name = `${kind} ${count}`;
          rates.set(name, [...(rates.get(name) ?? []), rate]);
        }
      }
    }
  } finally {
    for (const loader of loaders) loader.kill();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  for (const kind of KINDS) {
    const of = (count: number): number => median(rates.get(`${kind} ${count}`) ?? []);
    line(`${kind} a second, by workers`);
    for (const count of WORKERS) {
      const times = (of(count) / of(WORKERS[0] ?? 1)).toFixed(2);
      line(`  through ${count} of them: ${of(count).toFixed(0)}, ${times} times the first`);
    }
  }
  process.exit();
}

/** Starts a hub with so many workers, and loads it with each kind of work after a short one. */
async function measured(
  count: number,
  databaseUrl: string,
  folder: string,
  loaders: readonly ChildProcess[],
): Promise<readonly (readonly [Kind, number])[]> {
  const env = { HUB_WORKERS: String(count), HUB_TEST_WORLDS: '0', HUB_DRAIN_SECONDS: '0' };
  const hub = await openHub({ name: 'hub', folder, databaseUrl, env });
  await hub.start();
  try {
    await until('all workers serve', async () =>
      /all workers serve/.test(readFileSync(hub.log, 'utf8')),
    );
    const requester = newCaller(hub.port);
    await fund(hub.port, requester, 1);
    await inLanes(LANES, SEARCHED, async () => void (await publish(requester, words())));
    closeCallers();
    const load = async (kind: Kind, ms: number): Promise<number> => {
      const order: Order = { port: hub.port, kind, ms };
      const rates = loaders.map(async (loader) => {
        const done = once(loader, 'message');
        loader.send(order);
        return Number((await done)[0]);
      });
      return (await Promise.all(rates)).reduce((sum, each) => sum + each);
    };
    const found: (readonly [Kind, number])[] = [];
    for (const kind of KINDS) {
      await load(kind, 1_000);
      found.push([kind, await load(kind, SECONDS * 1_000)]);
    }
    return found;
  } finally {
    await hub.end();
  }
}

if (process.send === undefined) await lead();
else process.on('message', (order: Order) => void follow(order));
