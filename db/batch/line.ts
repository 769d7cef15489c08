import type { Transaction, Ended } from './transaction.ts';
import { BATCH_MAX } from './batch.ts';

/** Units that may wait; more are refused, so a stuck database cannot fill the memory. */
const WAITING_UNITS_MAX = 10_000;

/** Milliseconds that a batch waits for more units, when the batches before it had more. */
const GATHER_MS_MAX = 2;

/** Transactions that wait, and the lanes that take them: up to so many batches run at once. */
export interface BatchLine {
  add<T>(unit: Transaction<T>): Promise<T>;
  /** Accepts no more units; resolves when the waiting ones have ended. */
  close(): Promise<void>;
}

interface Waiting {
  readonly unit: Transaction<unknown>;
  end(ended: Ended): void;
}
type Units = readonly Transaction<unknown>[];

/**
 * `run` takes its batch when it is ready: units that arrive before that join, and the next lane
 * starts after it. A lane starts at the end of the event-loop turn, so that requests of one turn
 * share a batch, and waits briefly for as many units as the last two batches had: answered callers
 * return one after another. A single caller is not delayed.
 */
export function openBatchLine(
  lanesMax: number,
  run: (take: () => Units) => Promise<readonly Ended[]>,
): BatchLine {
  const waiting: Waiting[] = [];
  const lanes = new Set<Promise<void>>();
  /** A lane has not taken its batch yet. */
  let isOpen = false;
  let isClosed = false;
  let sizes: readonly [number, number] = [1, 1];
  let gathering: { readonly count: number; readonly end: () => void } | undefined;
  const gather = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    const count = Math.ceil((sizes[0] + sizes[1]) / 2);
    if (waiting.length >= count) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS_MAX);
      const end = (): void => {
        clearTimeout(timer);
        resolve();
      };
      gathering = { count, end };
    });
    gathering = undefined;
  };
  const lane = async (): Promise<void> => {
    await gather();
    let batch: readonly Waiting[] | undefined;
    const take = (): readonly Waiting[] => {
      if (batch !== undefined) return batch;
      batch = waiting.splice(0, BATCH_MAX);
      sizes = [sizes[1], batch.length];
      isOpen = false;
      start();
      return batch;
    };
    try {
      const ended = await run(() => take().map(({ unit }) => unit));
      take().forEach((each, nth) => each.end(ended[nth] ?? lost(new Error('no answer'))));
    } catch (error) {
      for (const each of take()) each.end(lost(error));
    }
  };
  const start = (): void => {
    if (waiting.length === 0 || isOpen || lanes.size >= lanesMax) return;
    isOpen = true;
    const running = lane().finally(() => {
      lanes.delete(running);
      start();
    });
    lanes.add(running);
  };
  return {
    add: <T>(unit: Transaction<T>) =>
      new Promise<T>((resolve, reject) => {
        if (isClosed) return reject(new Error('the store is closed'));
        if (waiting.length >= WAITING_UNITS_MAX)
          return reject(new Error('the store is overloaded'));
        const end = (ended: Ended): void =>
          // The answer is what this unit's own `decide` gave.
          ended.ok ? resolve(ended.answer as T) : reject(ended.error as Error);
        waiting.push({ unit, end });
        if (gathering !== undefined && waiting.length >= gathering.count) gathering.end();
        start();
      }),
    async close() {
      isClosed = true;
      while (lanes.size > 0) await Promise.all(lanes);
    },
  };
}

function lost(error: unknown): Ended {
  return { ok: false, error };
}
