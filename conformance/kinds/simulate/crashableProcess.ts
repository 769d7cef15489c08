import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { DirectAnswer } from '../../harness/direct.ts';
import { program } from '../../harness/program.ts';
import type { Engine, EngineOptions, EngineRequest, Peek } from './engine.ts';

/** Orders of the parent to a child; a report carries the number of its order. */
export type Order = { readonly id: number } & (
  | { readonly do: 'open'; readonly options: EngineOptions }
  | { readonly do: 'advance'; readonly seconds: number }
  | { readonly do: 'call'; readonly account?: string; readonly request: EngineRequest }
  | { readonly do: 'runJob'; readonly name: string }
  | { readonly do: 'isOut'; readonly attemptId: string; readonly account: string }
  | { readonly do: 'peek' | 'audit' | 'close' }
);
type Ordered = Order extends infer Each ? (Each extends Order ? Omit<Each, 'id'> : never) : never;

export interface Report {
  readonly id: number;
  readonly value?: unknown;
  readonly failed?: string;
}

/** A hub that can be killed: SIGKILL, so nothing in flight is finished and nothing is flushed. */
export interface CrashableProcess extends Engine {
  kill(): Promise<void>;
}

/** The error of a call that was under way when the process died: it is never answered. */
export class Gone extends Error {}

/** Processes that are loaded and have no hub; those that closed theirs come back. */
const idle: Worker[] = [];

interface Worker {
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
  ask(order: Ordered): Promise<unknown>;
}

export async function openCrashableProcess(options: EngineOptions): Promise<CrashableProcess> {
  const worker = idle.shift() ?? (await startWorker());
  // The next is loaded while this one works.
  if (idle.length === 0) idle.push(await startWorker());
  const { child, ask } = worker;
  await worker.ready;
  const url = String(await ask({ do: 'open', options }));
  return {
    url,
    async advance(seconds) {
      await ask({ do: 'advance', seconds });
    },
    async call(account, request) {
      const named = account === undefined ? {} : { account };
      return (await ask({ do: 'call', request, ...named })) as DirectAnswer;
    },
    async runJob(name) {
      await ask({ do: 'runJob', name });
    },
    isOut: async (attemptId, account) => (await ask({ do: 'isOut', attemptId, account })) === true,
    peek: async () => (await ask({ do: 'peek' })) as Peek,
    async audit() {
      await ask({ do: 'audit' });
    },
    async close() {
      await ask({ do: 'close' });
      idle.push(worker);
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

export function closeIdle(): void {
  for (const { child } of idle.splice(0)) child.kill('SIGKILL');
}

async function startWorker(): Promise<Worker> {
  const child = fork(await program('conformance/kinds/simulate/child.ts'), [], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const open = new Map<number, (message: Report) => void>();
  let orders = 0;
  let ended = false;
  const ready = new Promise<void>((resolve, reject) => {
    open.set(0, () => resolve());
    child.once('exit', () => reject(new Gone()));
  });
  ready.catch(() => undefined);
  child.on('message', (message: Report) => {
    open.get(message.id)?.(message);
    open.delete(message.id);
  });
  child.once('exit', () => {
    ended = true;
    for (const [id, end] of [...open]) end({ id, failed: GONE });
    open.clear();
  });
  return {
    child,
    ready,
    ask(order) {
      if (ended) return Promise.reject(new Gone());
      orders += 1;
      const id = orders;
      return new Promise((resolve, reject) => {
        open.set(id, ({ value, failed }) => {
          if (failed === undefined) resolve(value);
          else reject(failed === GONE ? new Gone() : new Error(failed));
        });
        // An order that cannot be sent any more is answered by the exit.
        child.send({ ...order, id }, () => undefined);
      });
    },
  };
}

const GONE = 'the process is gone';
