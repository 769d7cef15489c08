import { setTimeout as sleep } from 'node:timers/promises';
import { player, type Cast, type Place, type Player } from './agents.ts';
import { requesterOf } from './requester.ts';
import { playSeat, takeSeat, type Endpoint } from './validators.ts';
import { workerOf } from './worker.ts';

/**
 * The counterparties of somebody who is alone on a sandbox: a requester, a worker and two judges.
 * Each look reads what stands and acts on it, so a look that failed is made good by the next.
 */
export interface Troupe {
  /** One look of each; answers what went wrong, if anything did. */
  look(): Promise<readonly unknown[]>;
}

export interface Seats {
  readonly judge: Endpoint;
  readonly arbiter: Endpoint;
}

export function openTroupe(cast: Cast, seats: Seats, place: Place): Troupe {
  const judge = seated(player(cast, 'judge', place), seats.judge);
  const arbiter = seated(player(cast, 'arbiter', place), seats.arbiter);
  const requester = requesterOf(player(cast, 'requester', place));
  const worker = workerOf(player(cast, 'worker', place));
  const parts = [judge, arbiter, requester, worker];
  return {
    async look() {
      const done = await Promise.allSettled(parts.map((part) => part()));
      return done.flatMap((each): unknown[] => (each.status === 'rejected' ? [each.reason] : []));
    },
  };
}

/** Takes the seat at the first look that succeeds. */
function seated(me: Player, endpoint: Endpoint): () => Promise<void> {
  let sits = false;
  return async () => {
    if (!sits) await takeSeat(me, endpoint);
    sits = true;
    await playSeat(me);
  };
}

const EVERY_MS = 3_000;

/** Looks again and again until the signal is raised; what goes wrong in the same way is told once. */
export async function play(
  troupe: Troupe,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  let told = '';
  while (!signal.aborted) {
    const errors = await troupe.look();
    const now = errors.map(String).join('\n');
    if (now !== told && !signal.aborted) errors.forEach(report);
    told = now;
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
