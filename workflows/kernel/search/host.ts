import { openThread } from '../threads/thread.ts';
import type { SearchAnswer, SearchTask } from './protocol.ts';
import { openRunner } from './run.ts';

export interface IndexHost {
  /** The last change that it knows. */
  known: number;
  documents: number;
  /** Batches of searches that it answers. */
  uses: number;
  readonly isThread: boolean;
  readonly alive: () => boolean;
  ask(task: SearchTask): SearchAnswer | Promise<SearchAnswer>;
  close(): Promise<void>;
}

export function inProcess(): IndexHost {
  const ask = openRunner();
  const close = (): Promise<void> => Promise.resolve();
  return { known: 0, documents: 0, uses: 0, isThread: false, alive: () => true, ask, close };
}

export function inThread(): IndexHost {
  const thread = openThread<SearchTask, string>(import.meta.url, 'search');
  return {
    known: 0,
    documents: 0,
    uses: 0,
    isThread: true,
    alive: () => thread.alive,
    ask: async (task) => JSON.parse(await thread.ask(task)) as SearchAnswer,
    close: () => thread.close(),
  };
}
