import type { Instant } from '../../domain/instant.ts';
import type { Hub } from '../kernel/hub.ts';
import { TASK_LINE_TOPIC } from '../topics.ts';
import type { Taken } from './claim.ts';
import { claimLineOf } from './claimLines.ts';
import { claimQueue } from './claimQueue.ts';
import type { Place } from './line.ts';
import { claimBest, type ClaimFilter } from './offers.ts';
import type { QueueClaims } from './queueClaims.ts';

/** Longer than an undelayed claim takes. */
const RESERVED_MS_MAX = 2_000;

/** Claims the best task that fits, now or when one is published; undefined when the wait is over. */
export async function waitForWork(
  hub: Hub,
  filter: ClaimFilter,
  claims: QueueClaims,
  { until, gone }: { readonly until: Instant; readonly gone: AbortSignal },
): Promise<Taken | undefined> {
  const { network } = filter;
  const queue = claimQueue(hub);
  const place = queue.enter(network, filter);
  try {
    const isKnown = queue.isKnown(network);
    const first = isKnown ? place.offered() : undefined;
    // A claim takes the nonce of the request itself; before anything else that is done first.
    if (first === undefined || first.isRare) {
      // A poll that waits is notified of new tasks; one that does not reads the queue now.
      const isNotified = isKnown && until > hub.clock.now();
      await Promise.all([claims.arrive(), isNotified ? undefined : queue.read(network)]);
    }
    let hasWaited = false;
    while (!gone.aborted) {
      const taken = await tried(hub, filter, claims, place);
      if (taken === 'again') continue;
      if (taken !== undefined) return taken;
      hasWaited = true;
      if (!(await isOffered(hub, place, until - hub.clock.now(), gone))) break;
    }
    await claims.end(hasWaited);
    return undefined;
  } finally {
    queue.leave(place);
  }
}

/** Waits for an offer, at the end of its time only for tasks that are reserved for others now. */
async function isOffered(
  hub: Hub,
  place: Place,
  left: number,
  gone: AbortSignal,
): Promise<boolean> {
  if (left <= 0 && !place.mayTakeReserved()) return false;
  let isWoken = false;
  const wait = async (woken: AbortSignal): Promise<void> => {
    const ended = AbortSignal.any([gone, woken]);
    const since = hub.notifier.published(TASK_LINE_TOPIC);
    await hub.notifier.wait(TASK_LINE_TOPIC, since, left > 0 ? left : RESERVED_MS_MAX, ended);
    isWoken = woken.aborted;
  };
  await place.sleep(wait, left > 0 ? 'any' : 'reserved');
  return isWoken;
}

/** The outcome of the reserved task, or of the poll's own search if it must search. */
async function tried(
  hub: Hub,
  filter: ClaimFilter,
  claims: QueueClaims,
  place: Place,
): Promise<Taken | 'again' | undefined> {
  const offer = place.offered();
  if (offer === undefined && !place.mustScan()) return undefined;
  if (offer !== undefined && !offer.isRare) {
    const outcome = await claims.claim(offer);
    if (typeof outcome !== 'string') return outcome;
    if (outcome === 'taken') {
      claimLineOf(hub, filter.network).report((line) => line.left(offer.id));
      place.pass();
      // Where another process has it locked it may be free again later.
      claimQueue(hub).readSoon(filter.network);
      return 'again';
    }
    place.pass();
  }
  const scan = () => place.scan((view) => claimBest(hub, filter, claims, view));
  return (await claimQueue(hub).inOrder(scan)) ?? 'again';
}
