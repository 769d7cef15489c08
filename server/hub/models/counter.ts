import { MessageChannel, Worker } from 'node:worker_threads';
import { wordCount } from '../../../domain/models/echo.ts';
import type { Counter } from '../../../domain/models/offer.ts';
import type { CounterReply, CounterRequest, CounterStart } from './protocol.ts';

/** Counts the tokens of texts; the worker that does it starts when it is first needed. */
export interface TokenCounter {
  count(counter: Counter, texts: readonly string[]): Promise<number>;
  close(): Promise<void>;
}

/** Too many texts wait to be counted; nothing was done (503 `busy`). */
export class CounterBusy extends Error {
  override readonly name = 'CounterBusy';
}

const WAITING_MAX = 512;

interface Waiting {
  readonly resolve: (tokens: number) => void;
  readonly reject: (error: Error) => void;
}

export function openTokenCounter(): TokenCounter {
  let thread: CounterThread | undefined;
  return {
    async count(counter, texts) {
      if (counter === 'hub-words') return texts.reduce((sum, text) => sum + wordCount(text), 0);
      if (texts.every((text) => text === '')) return 0;
      if (thread?.alive !== true) thread = openThread();
      return thread.count({ encoding: counter, texts });
    },
    async close() {
      await thread?.close();
    },
  };
}

interface CounterThread {
  readonly alive: boolean;
  count(request: Omit<CounterRequest, 'id'>): Promise<number>;
  close(): Promise<void>;
}

function openThread(): CounterThread {
  const { port1, port2 } = new MessageChannel();
  const start: CounterStart = { port: port2 };
  const worker = new Worker(workerFile(), {
    workerData: start,
    transferList: [port2],
    env: {},
    execArgv: loaderArguments(),
  });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let alive = true;
  const end = (error: Error): void => {
    alive = false;
    port1.close();
    for (const each of waiting.values()) each.reject(error);
    waiting.clear();
  };
  worker.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', (code) => end(new Error(`the counting worker exited with ${code}`)));
  port1.on('message', ({ id, tokens, why }: CounterReply) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) port1.unref();
    if (tokens === undefined) asked?.reject(new Error(why ?? 'not counted'));
    else asked?.resolve(tokens);
  });
  // Only a count under way keeps the process from ending.
  worker.unref();
  port1.unref();
  return {
    get alive() {
      return alive;
    },
    count(request) {
      if (waiting.size >= WAITING_MAX) return Promise.reject(new CounterBusy());
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        port1.ref();
        port1.postMessage({ id, ...request } satisfies CounterRequest);
      });
    },
    async close() {
      end(new Error('the counting worker was closed'));
      await worker.terminate();
    },
  };
}

/** The worker stands beside this file: `.ts` under a loader, `.js` in the built tree. */
function workerFile(): URL {
  return new URL(fromSource() ? './worker.ts' : './worker.js', import.meta.url);
}

function fromSource(): boolean {
  return import.meta.url.endsWith('.ts');
}

function loaderArguments(): string[] {
  if (!fromSource()) return [];
  return ['--import', new URL('../checks/sourceLoader.mjs', import.meta.url).href];
}
