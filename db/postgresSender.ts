import { setTimeout as sleep } from 'node:timers/promises';
import { statement, type Link } from './connection.ts';

/** Where PostgreSQL carries topics to the other processes. */
export const CHANNEL = 'hub_ring';

/** Milliseconds in which topics gather for one notification. */
const GATHER_MS = 3;

/** Topics that wait while the database does not answer; a reader finds the rest by itself. */
const WAITING_MAX = 10_000;

const NOTIFY = statement(
  '',
  `SELECT pg_notify('${CHANNEL}', topic) FROM unnest(?::text[]) AS topic`,
);

export function sendTopics(link: Link, topics: readonly string[]): Promise<unknown> {
  return link.rows(NOTIFY, [topics]);
}

export interface Sender {
  add(topic: string): void;
  /** Sends what waits, and takes no more. */
  close(): Promise<void>;
}

/**
 * Notifies the other processes of committed topics, outside of the commits: PostgreSQL takes one
 * lock of the whole server for a commit that notifies, so such commits never share a sync. Topics
 * are hints (choices store.postgres): one that is lost delays a reader to its next read.
 */
export function openSender(
  send: (topics: readonly string[]) => Promise<unknown>,
  report: (error: unknown) => void,
): Sender {
  const waiting = new Set<string>();
  let sending: Promise<void> | undefined;
  let isClosed = false;
  const run = async (): Promise<void> => {
    while (waiting.size > 0) {
      if (!isClosed) await sleep(GATHER_MS);
      const topics = [...waiting];
      waiting.clear();
      await send(topics).catch(report);
    }
  };
  return {
    add(topic) {
      if (isClosed || waiting.size >= WAITING_MAX) return;
      waiting.add(topic);
      sending ??= run().finally(() => (sending = undefined));
    },
    async close() {
      isClosed = true;
      await sending;
    },
  };
}
