import { once, readOnce, type OnceKey, type OnceOutcome } from '../../db/idempotency.ts';
import type { Store } from '../../db/store.ts';
import type { Clock } from '../../workflows/kernel/clock.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import { refuseMismatch } from '../../workflows/kernel/idempotencyMismatch.ts';
import type { AnyReply } from '../http/wire.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
}

/** Runs an operation once for a key, and keeps its answer when it is there (`x-once: answer`). */
export interface AnswerOnce {
  (parts: Parts, key: OnceKey, run: () => Promise<AnyReply>): Promise<AnyReply>;
}

/** The calls under way are those of this process: another one begins the call a second time. */
export function openAnswerOnce(): AnswerOnce {
  const underWay = new Set<string>();
  return async ({ store, clock }, key, run) => {
    const name = JSON.stringify([key.account, key.operation, key.key]);
    if (underWay.has(name)) refuseUnderWay(key.key);
    underWay.add(name);
    try {
      const known = await store.readOne((db) => readOnce(db, key));
      if (known !== undefined) return replyOf(known, key);
      const reply = await run();
      const kept = { status: reply.status, body: reply.body };
      const work = (): Promise<unknown> => Promise.resolve(kept);
      const outcome = await store.write((tx) => once(tx, key, clock.now(), work));
      return 'repeated' in outcome && !outcome.repeated ? reply : replyOf(outcome, key);
    } finally {
      underWay.delete(name);
    }
  };
}

function replyOf(outcome: OnceOutcome<unknown>, { key }: OnceKey): AnyReply {
  if ('mismatch' in outcome) return refuseMismatch(key);
  return outcome.result as AnyReply;
}

function refuseUnderWay(key: string): never {
  const error = `The call under the key ${JSON.stringify(key)} is still under way.`;
  refuse('call-under-way', { error, retryAfterSeconds: 1 }, { 'retry-after': '1' });
}
