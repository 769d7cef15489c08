import { setTimeout as sleep } from 'node:timers/promises';
import type { components } from '../../generated/types.ts';
import { ConnectRefused } from './refused.ts';

/** Answers on their way to the hub; a lost one is sent again while its caller may still wait. */
type Reply = components['schemas']['HostedReply'];

export interface Outbox {
  add(reply: Reply): void;
}

/** As long as a caller waits. */
const WANTED_MS = 20_000;
const PAUSE_MS = 250;
const ANSWERS_MAX = 32;
/** Below what the hub reads of one request. */
const BYTES_MAX = 4_000_000;

export function openOutbox(
  send: (answers: readonly Reply[]) => Promise<void>,
  signal: AbortSignal,
): Outbox {
  const waiting: { readonly reply: Reply; readonly until: number }[] = [];
  let isSending = false;
  const flush = async (): Promise<void> => {
    isSending = true;
    while (waiting.length > 0 && !signal.aborted) {
      const count = fitting(waiting.map(({ reply }) => reply));
      const answers = waiting.slice(0, count).map(({ reply }) => reply);
      const isDone = await send(answers).then(
        () => true,
        (error: unknown) => error instanceof ConnectRefused,
      );
      if (isDone) waiting.splice(0, count);
      else await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      while ((waiting[0]?.until ?? Infinity) < performance.now()) waiting.shift();
    }
    isSending = false;
  };
  return {
    add(reply) {
      waiting.push({ reply: small(reply), until: performance.now() + WANTED_MS });
      if (!isSending) void flush();
    },
  };
}

function fitting(replies: readonly Reply[]): number {
  let bytes = 0;
  const over = replies.findIndex((reply) => {
    bytes += sizeOf(reply);
    return bytes > BYTES_MAX;
  });
  return Math.min(ANSWERS_MAX, over === -1 ? replies.length : over);
}

/** Replaces a reply that is too large for one request by a failure, which its caller receives. */
function small(reply: Reply): Reply {
  if (sizeOf(reply) <= BYTES_MAX) return reply;
  return { id: reply.id, failed: 'its answer is larger than one request to the hub' };
}

function sizeOf(reply: Reply): number {
  return Buffer.byteLength(JSON.stringify(reply)) + 1;
}
