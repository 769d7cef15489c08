import type { Store } from '../../db/store.ts';
import { putNewest } from './putNewest.ts';

/**
 * Wakes long polls and jobs after a commit: `tx.publish(topic)` rings in this process and, on
 * PostgreSQL, in all that share the database. A poll reads `published(topic)`, then the database,
 * then waits with that number, so a ring in between ends the wait at once.
 */
export interface Notifier {
  /** A number that grows with each ring of `topic` in this process, for `wait`. */
  published(topic: string): number;
  /**
   * True when `topic` rang after it was at `since`; false after `ms` or when `gone` is raised. It
   * may be true of a topic that was not asked about for long: the caller reads again.
   */
  wait(topic: string, since: number, ms: number, gone?: AbortSignal): Promise<boolean>;
  /** How many wait for `topic` in this process now. */
  waiting(topic: string): number;
  /** Answers every open wait early; used at shutdown. */
  releaseAll(): void;
}

/** Some topics are the name of one table or agent, and some carry a message, each another. */
const TOPICS_MAX = 10_000;

export function openNotifier(store: Pick<Store, 'onPublish'>, topicsMax = TOPICS_MAX): Notifier {
  /** Rings of all topics. */
  let rung = 0;
  /** The newest ring of each topic that was asked about; the one asked longest ago goes first. */
  const newest = new Map<string, number>();
  const asleep = new Map<string, Set<(rang: boolean) => void>>();
  const wake = (topic: string, rang: boolean): void => {
    const sleepers = asleep.get(topic);
    asleep.delete(topic);
    for (const answer of sleepers ?? []) answer(rang);
  };
  const published = (topic: string): number => {
    // A topic that rang while it was not counted is held to have rung just now.
    const known = newest.get(topic) ?? rung;
    putNewest(newest, [topic, known], topicsMax);
    return known;
  };
  store.onPublish((topic) => {
    rung += 1;
    if (newest.has(topic)) newest.set(topic, rung);
    wake(topic, true);
  });
  return {
    published,
    wait(topic, since, ms, gone) {
      if (published(topic) > since) return Promise.resolve(true);
      if (gone?.aborted === true) return Promise.resolve(false);
      return new Promise((resolve) => {
        const answer = (rang: boolean): void => {
          clearTimeout(timer);
          gone?.removeEventListener('abort', leave);
          const others = asleep.get(topic);
          others?.delete(answer);
          if (others?.size === 0) asleep.delete(topic);
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
