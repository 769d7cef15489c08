import { queuedHeads, type QueuedHead } from '../../db/tasks/queue.ts';
import { dueTasksOf } from '../../db/tasks/tasks.ts';
import type { Reader } from '../../db/store.ts';
import type { NetworkId } from '../../domain/network.ts';
import { apart } from '../kernel/apart.ts';
import type { Hub } from '../kernel/hub.ts';
import { perHub } from '../kernel/perHub.ts';
import { TASK_QUEUE_TOPIC } from '../topics.ts';
import { claimLineOf, claimLines, type ClaimLine } from './claimLines.ts';
import { settleDueTasks } from './due.ts';
import { ignoredLately } from './ignored.ts';
import type { Offer, Place, Wish } from './line.ts';

/**
 * Reads the claim queue for all polls of the process that wait, where two hundred polls that each
 * read it would ask the database some thousand questions for every task that is published.
 */
export interface ClaimQueue {
  enter(network: NetworkId, wish: Wish): Place;
  leave(place: Place): void;
  /** Whether what is known of the queue is new enough for a poll that comes now. */
  isKnown(network: NetworkId): boolean;
  /** Answers when the queue was read at a moment after this call; those who ask at once share it. */
  read(network: NetworkId): Promise<void>;
  /** Reads it soon for those who wait, when something may have changed. */
  readSoon(network: NetworkId): void;
  /** Runs a poll's own search in its turn. */
  inOrder<T>(search: () => Promise<T>): Promise<T>;
}

/** The best paid tasks that are kept in memory. */
const KNOWN_MAX = 100;
/**
 * The maximum delay of a ring about tasks that other processes opened. A poll with an offer first
 * reads the queue when the last read is older than this.
 */
const KNOWN_MS = 250;
/** Between two readings that rings cause. */
const PAUSE_MS = 25;
/** A notification of another process may be lost, so the queue is also read while polls wait. */
const LOOK_MS = 1_000;
const LOOKS_AT_ONCE = 4;

export const claimQueue = perHub(openClaimQueue);

function openClaimQueue(hub: Hub): ClaimQueue {
  const readers = new Map<NetworkId, QueueReader>();
  const readerOf = (network: NetworkId): QueueReader => {
    const reader = readers.get(network) ?? openReader(hub, network);
    readers.set(network, reader);
    return reader;
  };
  const rang = (topic: string, isOwn: boolean): void => {
    if (topic !== TASK_QUEUE_TOPIC) return;
    for (const [network, known] of claimLines(hub)) {
      // Commits of this process update the line where they are committed.
      const isNotified = isOwn && known.readAt !== undefined;
      if (!isNotified) readerOf(network).soon();
    }
  };
  const look = (): void => {
    for (const reader of readers.values()) reader.soon();
  };
  let places = 0;
  let looking: NodeJS.Timeout | undefined;
  let unlisten: (() => void) | undefined;
  return {
    enter(network, wish) {
      places += 1;
      unlisten ??= hub.store.onPublish(rang);
      looking ??= setInterval(look, LOOK_MS).unref();
      const known = claimLineOf(hub, network);
      known.readSoon ??= readerOf(network).soon;
      return known.line.enter(wish);
    },
    leave(place) {
      place.leave();
      places -= 1;
      if (places > 0) return;
      unlisten?.();
      unlisten = undefined;
      clearInterval(looking);
      looking = undefined;
    },
    isKnown(network) {
      const { readAt } = claimLineOf(hub, network);
      return readAt !== undefined && hub.clock.now() - readAt <= KNOWN_MS;
    },
    read: (network) => readerOf(network).read(),
    readSoon: (network) => readerOf(network).soon(),
    inOrder: turnstile(LOOKS_AT_ONCE),
  };
}

interface QueueReader {
  read(): Promise<void>;
  soon(): void;
}

function openReader(hub: Hub, network: NetworkId): QueueReader {
  const known = claimLineOf(hub, network);
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let began = -PAUSE_MS;
  const begin = (): Promise<void> => {
    began = performance.now();
    running = readQueue(hub, network, known).finally(() => (running = undefined));
    return running;
  };
  const read = (): Promise<void> => {
    if (running === undefined) return begin();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
  return {
    read,
    soon() {
      if (timer !== undefined) return;
      const pause = Math.max(0, PAUSE_MS - (performance.now() - began));
      timer = setTimeout(() => {
        timer = undefined;
        if (known.line.size() === 0) return;
        void apart(hub, { failure: 'the claim queue was not read', network }, read);
      }, pause);
      timer.unref();
    },
  };
}

async function readQueue(hub: Hub, network: NetworkId, known: ClaimLine): Promise<void> {
  known.reading.begin();
  try {
    const offers = (await hub.store.read((db) => offersNow(hub, db, network))) ?? (await settled());
    known.readAt = hub.clock.now();
    known.reading.end(offers, offers.length < KNOWN_MAX);
  } catch (error) {
    known.reading.fail();
    throw error;
  }
  async function settled(): Promise<readonly Offer[]> {
    await settleDueTasks(hub, ['lease']);
    return hub.store.read((db) => queuedOffers(hub, db, network));
  }
}

/** Undefined when leases lapsed, whose tasks come back first. */
async function offersNow(
  hub: Hub,
  db: Reader,
  network: NetworkId,
): Promise<readonly Offer[] | undefined> {
  const [due, offers] = await Promise.all([
    dueTasksOf(db, ['lease'], hub.clock.now(), 1),
    queuedOffers(hub, db, network),
  ]);
  return due.length > 0 ? undefined : offers;
}

async function queuedOffers(hub: Hub, db: Reader, network: NetworkId): Promise<readonly Offer[]> {
  const heads = await queuedHeads(db, network, KNOWN_MAX);
  const isTrusting = (head: QueuedHead): boolean =>
    head.verification !== 'automatic' && !head.autoAccepts;
  const ignored = await ignoredLately(db, heads.filter(isTrusting), hub.clock.now());
  return heads.map((head) => ({
    ...head,
    isLast: isTrusting(head) && (ignored.get(head.requester) ?? 0) > 0,
  }));
}

/** Runs so many at once, the others in their order. */
function turnstile(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const line: (() => void)[] = [];
  let working = 0;
  return async (work) => {
    if (working >= atOnce) await new Promise<void>((resolve) => line.push(resolve));
    else working += 1;
    try {
      return await work();
    } finally {
      // The turn is handed on, or given back when no poll waits for it.
      const next = line.shift();
      if (next === undefined) working -= 1;
      else next();
    }
  };
}
