import { queuedHeads, type QueuedHead } from '../../db/tasks/queue.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { perHub } from '../../server/hub/perHub.ts';
import { TASK_QUEUE_TOPIC } from '../topics.ts';

/**
 * Keeps a crowd of waiting workers from trampling one new task: a ring wakes them all, they look a
 * few at a time, and who comes late reads what the one before has read. Without it two hundred
 * waiters ask the database some thousand questions for every task that is published.
 */
export interface ClaimQueue {
  /** Runs a look when its turn comes. */
  inOrder<T>(look: () => Promise<T>): Promise<T>;
  /**
   * The best paid tasks of a network as of the newest ring, or of the newest claim made through
   * here; undefined when there are more than one page of them.
   */
  top(network: NetworkId): Promise<readonly QueuedHead[] | undefined>;
  /**
   * Runs an attempt to claim each task in turn until one gives something, those first that nobody
   * else here is about to claim: two who want the same one would wait for each other in vain.
   */
  claimFirst<T>(
    ids: readonly string[],
    attempt: (id: string) => Promise<T | undefined>,
  ): Promise<T | undefined>;
}

const LOOKS_AT_ONCE = 4;
const PAGE = 50;

export const claimQueue = perHub(openWatch);

interface Seen {
  readonly at: string;
  readonly tasks: Promise<readonly QueuedHead[] | undefined>;
}

function openWatch(hub: Hub): ClaimQueue {
  const line: (() => void)[] = [];
  const seen = new Map<NetworkId, Seen>();
  const wanted = new Set<string>();
  let looking = 0;
  let claims = 0;
  return {
    async inOrder(look) {
      if (looking >= LOOKS_AT_ONCE) await new Promise<void>((resolve) => line.push(resolve));
      else looking += 1;
      try {
        return await look();
      } finally {
        // The turn is handed on, or given back when nobody waits for it.
        const next = line.shift();
        if (next === undefined) looking -= 1;
        else next();
      }
    },
    top(network) {
      const at = `${hub.notifier.published(TASK_QUEUE_TOPIC)} ${claims}`;
      const known = seen.get(network);
      if (known?.at === at) return known.tasks;
      const tasks = topOf(hub, network);
      seen.set(network, { at, tasks });
      return tasks;
    },
    async claimFirst(ids, attempt) {
      const isWanted = (id: string): number => (wanted.has(id) ? 1 : 0);
      for (const id of [...ids].sort((a, b) => isWanted(a) - isWanted(b))) {
        wanted.add(id);
        try {
          const claimed = await attempt(id);
          if (claimed === undefined) continue;
          claims += 1;
          return claimed;
        } finally {
          wanted.delete(id);
        }
      }
      return undefined;
    },
  };
}

async function topOf(hub: Hub, network: NetworkId): Promise<readonly QueuedHead[] | undefined> {
  const heads = await hub.store.read((db) => queuedHeads(db, network, PAGE));
  return heads.length < PAGE ? heads : undefined;
}
