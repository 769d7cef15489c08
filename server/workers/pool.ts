import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { greeting } from '../boot/greeting.ts';
import type { Settings } from '../../workflows/kernel/settings.ts';
import { openLog } from '../boot/log.ts';
import type { ScriptedAgents } from '../boot/scriptedAgents.ts';
import type { Signals } from '../boot/signals.ts';
import { heapMbOf } from './count.ts';
import { openGathering } from './gathering.ts';
import type { ToParent, ToWorker } from './messages.ts';
import { openPorts, placesOf } from './ports.ts';
import { openTaker, type WorkerTaker } from './taker.ts';

/**
 * The parent of several workers (choices operator.workers). It accepts for them, replaces one that
 * ends or does not answer, and on SIGHUP all of them, one after the other. It serves nothing itself.
 */
interface PoolParts {
  readonly settings: Settings;
  readonly count: number;
  readonly signals: Signals;
  readonly agents: ScriptedAgents | undefined;
}

interface Running {
  readonly worker: Worker;
  readonly taker: WorkerTaker;
  /** When it serves, or the code of an end before that. */
  readonly state: Promise<'ready' | number>;
  isReady: boolean;
  /** Seconds of this process since its last message. */
  silent: number;
}

/** Seconds without a message after which a worker counts as hanging. */
const SILENT_SECONDS_MAX = 10;
const TICK_MS = 1_000;
/** One that ends sooner after its start would begin again and again. */
const SOON_MS = 10_000;
const WAIT_MS = 1_000;
const WAIT_MS_MAX = 30_000;

/** Resolves when all workers serve. Exits when the first one cannot start. */
export async function runPool({ settings, count, signals, agents }: PoolParts): Promise<void> {
  const { log } = openLog(settings);
  cluster.setupPrimary({
    execArgv: [`--max-old-space-size=${heapMbOf(count)}`, ...process.execArgv],
  });
  const gathering = openGathering();
  const ports = await openPorts(placesOf(settings));
  const { address: listens } = ports;
  const known = agents && { pairs: agents.pairs, accounts: [...agents.accounts] };
  /** By the number of the place. */
  const current = new Map<number, Running>();
  const leaving = new WeakSet<WorkerTaker>();
  let isEnding = false;

  const leave = (taker: WorkerTaker): void => {
    ports.remove(taker);
    leaving.add(taker);
    if (isEnding && [...current.values()].every((each) => leaving.has(each.taker))) ports.close();
  };

  const hear = (number: number, running: Running, message: ToParent): void => {
    running.silent = 0;
    const { worker, taker } = running;
    if (message.kind === 'hello') {
      const place = { number, count };
      send(worker, { kind: 'begin', place, listens, ...(known && { agents: known }) });
    }
    if (message.kind === 'took') taker.took(message.id);
    if (message.kind === 'alive') taker.counts(message.connections);
    if (message.kind === 'leaving') leave(taker);
    if (message.kind === 'reported') gathering.add(message.ask, message.families);
    if (message.kind !== 'gather') return;
    const asked = [...current.values()].filter(({ isReady }) => isReady);
    gathering.begin(
      asked.length,
      (ask) => asked.forEach((each) => send(each.worker, { kind: 'report', ask })),
      (reports) => send(worker, { kind: 'gathered', ask: message.ask, reports }),
    );
  };

  const launch = (number: number, failures = 0): Running => {
    const worker = cluster.fork();
    const startedAt = performance.now();
    const began = new Promise<'ready' | number>((resolve) => {
      worker.on('message', (message: ToParent) => {
        if (message.kind === 'ready') {
          running.isReady = true;
          ports.add(running.taker);
          resolve('ready');
        }
        hear(number, running, message);
      });
      worker.once('exit', (code: number, signal: string | null) => {
        resolve(code);
        leave(running.taker);
        running.taker.gone();
        if (isEnding || current.get(number) !== running) return;
        const endedSoon = performance.now() - startedAt < SOON_MS;
        log.error({ worker: number, code, signal }, 'a worker ended');
        void replace(number, endedSoon ? failures + 1 : 0);
      });
    });
    const taker = openTaker(worker);
    const running: Running = { worker, taker, state: began, isReady: false, silent: 0 };
    return running;
  };

  const replace = async (number: number, failures: number): Promise<void> => {
    if (failures > 0) await sleep(Math.min(WAIT_MS_MAX, WAIT_MS * 2 ** (failures - 1)));
    if (!isEnding) current.set(number, launch(number, failures));
  };

  const roll = async (): Promise<void> => {
    log.info({ workers: count }, 'the workers are replaced one after the other');
    for (const [number, before] of current) {
      if (isEnding) return;
      const next = launch(number);
      const state = await next.state;
      if (state !== 'ready') {
        log.error({ worker: number, code: state }, 'a new worker does not start');
        return;
      }
      current.set(number, next);
      if (before.worker.isDead()) continue;
      ports.remove(before.taker);
      send(before.worker, { kind: 'retire' });
      await once(before.worker, 'exit');
    }
    log.info({ workers: count }, 'the workers were replaced');
  };

  signals.onStop(async (signal) => {
    isEnding = true;
    const alive = Object.values(cluster.workers ?? {}).filter((each) => each !== undefined);
    const ended = Promise.all(alive.map(async (each) => each.isDead() || once(each, 'exit')));
    for (const each of alive) send(each, { kind: 'stop', signal });
    await agents?.close();
    await ended;
  });
  await startAll(count, (number) => {
    const running = launch(number);
    return running.state.then((state) => {
      current.set(number, running);
      return state;
    });
  });
  setInterval(() => {
    for (const [number, running] of current) {
      running.silent += 1;
      if (!running.isReady || running.silent <= SILENT_SECONDS_MAX) continue;
      log.error({ worker: number, seconds: running.silent }, 'a worker does not answer');
      running.worker.process.kill('SIGKILL');
    }
  }, TICK_MS).unref();
  let rolling = Promise.resolve();
  process.on('SIGHUP', () => void (rolling = rolling.then(roll)));
  const { baseUrl } = settings;
  const { isTTY } = process.stdout;
  if (isTTY) process.stdout.write(greeting(settings, `PostgreSQL, ${count} workers`));
  else log.info({ baseUrl, listens, workers: count }, 'all workers serve');
  const scheme = settings.tls === undefined ? 'http' : 'https';
  agents?.begin({ baseUrl, listens: `${scheme}://${listens}` }, (error) =>
    log.warn({ err: error }, 'sandbox agents'),
  );
}

/** The first worker alone, since it makes the tables; then the others. */
async function startAll(
  count: number,
  start: (number: number) => Promise<'ready' | number>,
): Promise<void> {
  const first = await start(1);
  const others = first === 'ready' ? Array.from({ length: count - 1 }, (_, nth) => nth + 2) : [];
  for (const state of [first, ...(await Promise.all(others.map(start)))]) {
    // Each worker has printed why.
    if (state !== 'ready') process.exit(state || 1);
  }
}

function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message);
}
