import { MessagePort, workerData } from 'node:worker_threads';
import type { ThreadReply, ThreadRequest } from './protocol.ts';

/** The worker's side of a `Thread`: answers its tasks in the order in which they end. */
export function serve<Task, Answer>(answer: (task: Task) => Answer | Promise<Answer>): void {
  const port = portIn(workerData);
  port.on('message', (request: ThreadRequest) => {
    void replyTo(request, answer).then((reply) => port.postMessage(reply));
  });
}

async function replyTo<Task, Answer>(
  { id, task }: ThreadRequest,
  answer: (task: Task) => Answer | Promise<Answer>,
): Promise<ThreadReply> {
  try {
    return { is: 'done', id, answer: await answer(task as Task) };
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : 'thrown';
    return { is: 'fault', id, why };
  }
}

function portIn(data: unknown): MessagePort {
  const isStart = typeof data === 'object' && data !== null && 'port' in data;
  if (isStart && data.port instanceof MessagePort) return data.port;
  throw new TypeError('this file is the entry of a worker thread');
}
