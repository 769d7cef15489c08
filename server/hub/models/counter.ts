import { wordCount } from '../../../domain/models/echo.ts';
import type { Counter } from '../../../domain/models/offer.ts';
import { openThread, type Thread } from '../threads/thread.ts';

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

export interface CountTask {
  readonly encoding: Exclude<Counter, 'hub-words'>;
  readonly texts: readonly string[];
}

export function openTokenCounter(): TokenCounter {
  let thread: Thread<CountTask, number> | undefined;
  return {
    async count(counter, texts) {
      if (counter === 'hub-words') return texts.reduce((sum, text) => sum + wordCount(text), 0);
      if (texts.every((text) => text === '')) return 0;
      if (thread?.alive !== true) thread = openThread(import.meta.url, 'counting');
      if (thread.waiting >= WAITING_MAX) throw new CounterBusy();
      return thread.ask({ encoding: counter, texts });
    },
    async close() {
      await thread?.close();
    },
  };
}
