import { randomUUID } from 'node:crypto';
import type { Store } from '../../db/store.ts';
import type { Limits, Taken } from './limits.ts';

/**
 * Limits across processes (choices pipeline.limits): four times a second a process notifies the
 * others of what it took from buckets in use, and they take it off their own. Nothing is written,
 * and a process that stops owes nothing.
 */
const EXCHANGE_MS = 250;
const TOPIC = 'limits ';
/** A message of the store has 7,500 bytes, of which topic and process take some. */
const TEXT_BYTES_MAX = 7_000;

type ExchangedLimits = Pick<Limits, 'charge' | 'untold'>;

/** Begins the exchange and returns a function that ends it. A single process exchanges nothing. */
export function exchangeLimits(limits: ExchangedLimits, store: Store): () => void {
  if (store.dialect !== 'postgres') return () => undefined;
  const own = randomUUID();
  const stopListening = store.onPublish((topic) => {
    if (!topic.startsWith(TOPIC) || topic.startsWith(own, TOPIC.length)) return;
    limits.charge(JSON.parse(topic.slice(TOPIC.length + own.length)) as readonly Taken[]);
  });
  const report = (): void => {
    for (const text of packed(limits.untold())) store.notify(`${TOPIC}${own}${text}`);
  };
  const timer = setInterval(report, EXCHANGE_MS).unref();
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
    const bytes = Buffer.byteLength(item);
    if (length + bytes > TEXT_BYTES_MAX) close();
    items.push(item);
    length += bytes + 1;
  }
  close();
  return texts;
}
