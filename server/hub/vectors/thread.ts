import { MessageChannel, Worker } from 'node:worker_threads';
import type { VectorHit, VectorReply, VectorRequest, VectorStart, VectorTask } from './protocol.ts';

/** The thread that holds the blocks; when it ends, every task that waits for it is rejected. */
export interface VectorThread {
  readonly alive: boolean;
  ask(task: VectorTask): Promise<Answered>;
  close(): Promise<void>;
}

export interface Answered {
  readonly hits: readonly VectorHit[];
  readonly bytes: number;
}

interface Waiting {
  readonly resolve: (answer: Answered) => void;
  readonly reject: (error: Error) => void;
}

export function openVectorThread(): VectorThread {
  const { port1, port2 } = new MessageChannel();
  const start: VectorStart = { port: port2 };
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
    if (!alive) return;
    alive = false;
    port1.close();
    for (const each of waiting.values()) each.reject(error);
    waiting.clear();
  };
  worker.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', (code) => end(new Error(`the vector worker exited with ${code}`)));
  port1.on('message', (reply: VectorReply) => {
    if (reply.is === 'ready') return;
    const asked = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (waiting.size === 0) port1.unref();
    if (reply.is === 'done') asked?.resolve({ hits: reply.hits, bytes: reply.bytes });
    else asked?.reject(new Error(reply.why));
  });
  // Only a search under way keeps the process from ending.
  worker.unref();
  port1.unref();
  return {
    get alive() {
      return alive;
    },
    ask(task) {
      if (!alive) return Promise.reject(new Error('the vector worker had ended'));
      lastId += 1;
      const request: VectorRequest = { id: lastId, task };
      return new Promise((resolve, reject) => {
        waiting.set(request.id, { resolve, reject });
        port1.ref();
        port1.postMessage(request);
      });
    },
    async close() {
      end(new Error('the vector search was closed'));
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
