import { MessageChannel, Worker } from 'node:worker_threads';
import { loaderArguments, workerBeside } from './entry.ts';
import type { ThreadReply, ThreadRequest, ThreadStart } from './protocol.ts';

/**
 * A worker thread that answers tasks (`serve.ts`); when it ends, every task that waits for it is
 * rejected, and it is never used again. Only a task under way keeps the process from ending.
 */
export interface Thread<Task, Answer> {
  readonly alive: boolean;
  /** Tasks that were asked and are not answered. */
  readonly waiting: number;
  ask(task: Task): Promise<Answer>;
  close(): Promise<void>;
}

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** Runs the `worker` that stands beside a module; `name` is what errors call it. */
export function openThread<Task, Answer>(moduleUrl: string, name: string): Thread<Task, Answer> {
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(workerBeside(moduleUrl), {
    workerData: { port: port2 } satisfies ThreadStart,
    transferList: [port2],
    env: {},
    execArgv: loaderArguments(),
  });
  const waiting = new Map<number, Waiting<Answer>>();
  let lastId = 0;
  let alive = true;
  const end = (error: Error): void => {
    if (!alive) return;
    alive = false;
    port1.close();
    for (const each of waiting.values()) each.reject(error);
    waiting.clear();
  };
  worker.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', (code) => end(new Error(`the ${name} worker exited with ${code}`)));
  port1.on('message', (reply: ThreadReply) => {
    const asked = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (waiting.size === 0) port1.unref();
    if (reply.is === 'done') asked?.resolve(reply.answer as Answer);
    else asked?.reject(new Error(reply.why));
  });
  worker.unref();
  port1.unref();
  return {
    get alive() {
      return alive;
    },
    get waiting() {
      return waiting.size;
    },
    ask(task) {
      if (!alive) return Promise.reject(new Error(`the ${name} worker had ended`));
      lastId += 1;
      const request: ThreadRequest = { id: lastId, task };
      return new Promise((resolve, reject) => {
        waiting.set(request.id, { resolve, reject });
        port1.ref();
        port1.postMessage(request);
      });
    },
    async close() {
      end(new Error(`the ${name} worker was closed`));
      await worker.terminate();
    },
  };
}
