import { wordCount } from '../../../domain/models/echo.ts';
import type { Counter } from '../../../domain/models/offer.ts';
import { openThread, type Thread } from '../threads/thread.ts';
import { KnownPieces, piecesOf, type Encoding } from './pieces.ts';

/** Counts tokens in a worker, unless all pieces of the texts are known. It starts when needed. */
export interface TokenCounter {
  count(counter: Counter, texts: readonly string[]): Promise<number>;
  /** The same for each of the texts. */
  each(counter: Counter, texts: readonly string[]): Promise<readonly number[]>;
  close(): Promise<void>;
}

/** Too many texts wait to be counted; nothing was done (503 `busy`). */
export class CounterBusy extends Error {
  override readonly name = 'CounterBusy';
}

const WAITING_MAX = 512;

export interface CountTask {
  readonly encoding: Encoding;
  readonly texts: readonly string[];
}

/** The tokens of each text. */
export type Counted = readonly number[];

export function openTokenCounter(): TokenCounter {
  let thread: Thread<CountTask, Counted> | undefined;
  const known = { o200k_base: new KnownPieces(), cl100k_base: new KnownPieces() };
  const ask = async (task: CountTask): Promise<Counted> => {
    if (thread?.alive !== true) thread = openThread(import.meta.url, 'counting');
    if (thread.waiting >= WAITING_MAX) throw new CounterBusy();
    return thread.ask(task);
  };
  return {
    async count(counter, texts) {
      if (counter === 'hub-words') return sum(texts.map(wordCount));
      if (texts.every((text) => text === '')) return 0;
      const pieces = piecesOf(counter, texts);
      if (pieces === undefined) return sum(await ask({ encoding: counter, texts }));
      const counts = pieces.map((piece) => known[counter].of(piece));
      const strange = pieces.filter((_, nth) => counts[nth] === undefined);
      if (strange.length === 0) return sum(counts);
      const counted = await ask({ encoding: counter, texts: strange });
      strange.forEach((piece, nth) => known[counter].learn(piece, counted[nth] ?? 0));
      return sum(counts) + sum(counted);
    },
    async each(counter, texts) {
      if (counter === 'hub-words') return texts.map(wordCount);
      return texts.length === 0 ? [] : ask({ encoding: counter, texts });
    },
    async close() {
      await thread?.close();
    },
  };
}

function sum(counts: readonly (number | undefined)[]): number {
  return counts.reduce<number>((all, each) => all + (each ?? 0), 0);
}
