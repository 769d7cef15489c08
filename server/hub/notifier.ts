import type { Store } from '../../db/store.ts';

/**
 * Wakes long polls and jobs when a commit touched their topic. `tx.ring(topic)` rings it after the
 * commit, in this process and, on PostgreSQL, in every process that shares the database.
 *
 * A poll reads `rings(topic)` first, then the database, then waits with that number: a ring that
 * came in between ends the wait at once, so no commit is ever slept through.
 */
export interface Notifier {
  /** How often `topic` rang so far in this process. */
  published(topic: string): number;
  /**
   * True when `topic` rang after the `since`-th time; false after `ms` or when `gone` is raised.
   */
  wait(topic: string, since: number, ms: number, gone?: AbortSignal): Promise<boolean>;
  /** How many wait for `topic` in this process now. */
  waiting(topic: string): number;
  /** Answers every open wait early; used at shutdown. */
  releaseAll(): void;
}

export function openNotifier(store: Pick<Store, 'onPublish'>): Notifier {
  const counts = new Map<string, number>();
  const asleep = new Map<string, Set<(rang: boolean) => void>>();
  const wake = (topic: string, rang: boolean): void => {
    const sleepers = asleep.get(topic);
    asleep.delete(topic);
    for (const answer of sleepers ?? []) answer(rang);
  };
  const rings = (topic: string): number => counts.get(topic) ?? 0;
  store.onPublish((topic) => {
    counts.set(topic, rings(topic) + 1);
    wake(topic, true);
  });
  return {
    published: rings,
    wait(topic, since, ms, gone) {
      if (rings(topic) > since) return Promise.resolve(true);
      if (gone?.aborted === true) return Promise.resolve(false);
      return new Promise((resolve) => {
        const answer = (rang: boolean): void => {
          clearTimeout(timer);
          gone?.removeEventListener('abort', leave);
          asleep.get(topic)?.delete(answer);
          resolve(rang);
        };
        const leave = (): void => answer(false);
        const timer = setTimeout(leave, ms);
        gone?.addEventListener('abort', leave, { once: true });
        const sleepers = asleep.get(topic) ?? new Set();
        asleep.set(topic, sleepers.add(answer));
      });
    },
    waiting: (topic) => asleep.get(topic)?.size ?? 0,
    releaseAll() {
      for (const topic of [...asleep.keys()]) wake(topic, false);
    },
  };
}
