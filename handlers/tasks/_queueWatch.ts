import { queuedTasks } from '../../db/tasks/tasks.ts';
import { houseAccount } from '../../domain/account.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { Task } from '../../domain/task/model.ts';
import type { Hub } from '../../server/hub.ts';
import { QUEUE_TOPIC } from './_commit.ts';

/**
 * Keeps a crowd of waiting workers from trampling one new task: a ring wakes them all, they look two
 * at a time, and who comes late reads what the one before has read. Without it two hundred waiters
 * ask the database some thousand questions for every task that is published.
 */
export interface QueueWatch {
  /** Runs a look when its turn comes. */
  inTurn<T>(look: () => Promise<T>): Promise<T>;
  /**
   * The best paid tasks of a network as of the newest ring, or of the newest claim made through
   * here; undefined when there are more than one page of them.
   */
  top(network: NetworkId): Promise<readonly Task[] | undefined>;
  /** A task left the queue. */
  claimed(): void;
}

const LOOKS_AT_ONCE = 2;
const PAGE = 50;
/** Publishes nothing, so no task is left out for its sake. */
const NOBODY = houseAccount('external:faucet');

const watches = new WeakMap<Hub, QueueWatch>();

export function queueWatch(hub: Hub): QueueWatch {
  const known = watches.get(hub) ?? openWatch(hub);
  watches.set(hub, known);
  return known;
}

interface Seen {
  readonly at: string;
  readonly tasks: Promise<readonly Task[] | undefined>;
}

function openWatch(hub: Hub): QueueWatch {
  const line: (() => void)[] = [];
  const seen = new Map<NetworkId, Seen>();
  let looking = 0;
  let claims = 0;
  return {
    async inTurn(look) {
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
      const at = `${hub.bell.rings(QUEUE_TOPIC)} ${claims}`;
      const known = seen.get(network);
      if (known?.at === at) return known.tasks;
      const tasks = topOf(hub, network);
      seen.set(network, { at, tasks });
      return tasks;
    },
    claimed() {
      claims += 1;
    },
  };
}

async function topOf(hub: Hub, network: NetworkId): Promise<readonly Task[] | undefined> {
  const place = { network, minReward: '0', notBy: NOBODY, limit: PAGE, offset: 0 };
  const stored = await hub.store.read((db) => queuedTasks(db, place));
  return stored.length < PAGE ? stored.map(({ task }) => task) : undefined;
}
