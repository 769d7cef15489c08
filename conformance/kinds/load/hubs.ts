import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { freePort } from '../../../clients/examples/freePort.ts';
import { program } from '../../harness/program.ts';

/** A hub as its operator runs it, `server/main.ts`, in a process that may be killed and restarted. */
export interface LoadedHub {
  readonly number: number;
  readonly url: string;
  readonly pid: number | undefined;
  start(): Promise<void>;
  /** SIGKILL: no handler runs, nothing is flushed. */
  kill(): Promise<void>;
  /** SIGTERM: it ends by itself. */
  end(): Promise<void>;
  step(ms: number): void;
  /** By how much each tick of its loop was late by its own doing since this was asked before. */
  loopDelays(): Promise<readonly number[]>;
  /** Returns its Prometheus metrics; undefined while it does not answer. */
  metrics(): Promise<string | undefined>;
}

export interface HubPlace {
  readonly number: number;
  readonly databaseUrl: string;
  readonly folder: string;
  /** The `host:port` of agents on this machine that it may call. */
  readonly pair: string;
}

const START_MS_MAX = 60_000;
const POLL_MS = 20;
const METRICS_MS_MAX = 5_000;

export async function openLoadedHub(place: HubPlace): Promise<LoadedHub> {
  const { number, databaseUrl, folder, pair } = place;
  const [port, metricsPort] = [await freePort(), await freePort()];
  const main = await program('server/main.ts');
  const loaded: string[] = [];
  for (const path of [
    'conformance/kinds/load/steppedClock.ts',
    'conformance/kinds/load/loopTurns.ts',
  ]) {
    loaded.push('--import', pathToFileURL(await program(path)).href);
  }
  const url = `http://127.0.0.1:${port}`;
  const log = createWriteStream(join(folder, `hub-${number}.log`), { flags: 'a' });
  const env = {
    ...process.env,
    HUB_PORT: String(port),
    HUB_METRICS_PORT: String(metricsPort),
    HUB_DATABASE_URL: databaseUrl,
    HUB_DATA_DIR: folder,
    HUB_ALLOW_PRIVATE_HOSTS: pair,
    HUB_LOG: 'warn',
    HUB_DRAIN_SECONDS: '0',
    FAUCET_ENABLED: 'true',
  };
  let child: ChildProcess | undefined;
  const stop = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  return {
    number,
    url,
    get pid() {
      return child?.pid;
    },
    async start() {
      child = fork(main, [], {
        env,
        execArgv: loaded,
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      });
      child.stdout?.pipe(log, { end: false });
      await ready(url, child);
    },
    kill: () => stop('SIGKILL'),
    end: () => stop('SIGTERM'),
    step: (ms) => void child?.send(ms),
    async loopDelays() {
      if (child?.connected !== true) return [];
      const signal = AbortSignal.timeout(METRICS_MS_MAX);
      const reported = once(child, 'message', { signal });
      child.send('loop', () => undefined);
      return reported.then(
        ([delays]) => delays as readonly number[],
        () => [],
      );
    },
    async metrics() {
      const signal = AbortSignal.timeout(METRICS_MS_MAX);
      return fetch(`http://127.0.0.1:${metricsPort}/metrics`, { signal }).then(
        async (answer) => (answer.ok ? answer.text() : undefined),
        () => undefined,
      );
    },
  };
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  for (let n = 0; n < START_MS_MAX / POLL_MS && child.exitCode === null; n += 1) {
    const isReady = await fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isReady) return;
    await sleep(POLL_MS);
  }
  child.kill('SIGKILL');
  throw new Error(`the hub at ${url} did not start (exit code ${child.exitCode})`);
}
