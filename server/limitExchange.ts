import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Store } from '../db/store.ts';
import type { Limits, Taken } from './limits.ts';

/**
 * Limits across processes (choices pipeline.limits): four times a second a process notifies the
 * others of what it took from buckets in use, and they take it off their own. Nothing is written,
 * and a process that stops owes nothing.
 */
const EXCHANGE_MS = 250;
const TOPIC = 'limits ';
/** A notification of PostgreSQL has at most 8,000 bytes. */
const TEXT_MAX = 7_000;

/** Begins the exchange and returns a function that ends it. A single process exchanges nothing. */
export function exchangeLimits(limits: Limits, store: Store, log: Logger): () => void {
  if (store.dialect !== 'postgres') return () => undefined;
  const own = randomUUID();
  const stopListening = store.onPublish((topic) => {
    if (!topic.startsWith(TOPIC) || topic.startsWith(own, TOPIC.length)) return;
    limits.charge(JSON.parse(topic.slice(TOPIC.length + own.length)) as readonly Taken[]);
  });
  let telling = false;
  const tell = async (): Promise<void> => {
    const taken = telling ? [] : limits.untold();
    if (taken.length === 0) return;
    telling = true;
    try {
      await store.write((tx) => {
        for (const text of packed(taken)) tx.publish(`${TOPIC}${own}${text}`);
        return Promise.resolve();
      });
    } catch (error) {
      // The others let through what this process may as well until the database is there again.
      log.warn({ err: error }, 'limits are not exchanged');
    } finally {
      telling = false;
    }
  };
  const timer = setInterval(() => void tell(), EXCHANGE_MS).unref();
  return () => {
    clearInterval(timer);
    stopListening();
  };
}

/** As JSON texts that each fit into a notification. */
function packed(taken: readonly Taken[]): readonly string[] {
  const texts: string[] = [];
  let items: string[] = [];
  let length = 0;
  const close = (): void => {
    if (items.length > 0) texts.push(`[${items.join(',')}]`);
    [items, length] = [[], 0];
  };
  for (const each of taken) {
    const item = JSON.stringify(each);
    if (length + item.length > TEXT_MAX) close();
    items.push(item);
    length += item.length + 1;
  }
  close();
  return texts;
}
