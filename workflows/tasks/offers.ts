import { tasksWonBy } from '../../db/tasks/pitches.ts';
import { headOf, isAsked, queuedTasks } from '../../db/tasks/queue.ts';
import { defined } from '../../domain/defined.ts';
import type { NetworkId } from '../../domain/network.ts';
import { mayOffer } from '../../domain/tasks/claim.ts';
import type { Task } from '../../domain/tasks/model.ts';
import { claimLimit } from '../../domain/tasks/worker.ts';
import type { Hub } from '../kernel/hub.ts';
import type { Taken } from './claim.ts';
import { ignoredLately } from './ignored.ts';
import type { View, Wish } from './line.ts';
import type { QueueClaims } from './queueClaims.ts';
import { orRefuse } from './refuse.ts';
import { standingOf, workerOnEach, type Actor } from './worker.ts';

/** The account that asks the queue for work, and the work that fits. */
export interface ClaimFilter extends Wish {
  readonly who: Actor;
  readonly network: NetworkId;
}

/**
 * Tasks of each page that is read. The best one is nearly always on the first, which is short, as
 * all of it is read; a worker refused by so many as all pages hold has filters to loosen.
 */
const PAGES = [6, 50, 100, 150, 200];

/** More than an account may hold at once. */
const WON_MAX = 20;

/** Claims the best task that this worker may have now; work it gave back before comes last. */
export async function claimBest(
  hub: Hub,
  filter: ClaimFilter,
  claims: QueueClaims,
  view: View,
): Promise<Taken | undefined> {
  const won = await wonOf(hub, filter);
  const kept = won.length === 0 ? undefined : await claimFirst(claims, won, view);
  if (kept !== undefined) return kept;
  const last: string[] = [];
  let after: Task | undefined;
  for (const limit of PAGES) {
    const offers = await offersOnPage(hub, filter, { limit, after });
    last.push(...offers.last);
    for (const id of offers.never) view.skipped.add(id);
    const taken = await claimFirst(claims, offers.now, view);
    if (taken !== undefined) return taken;
    after = offers.end;
    if (after === undefined) break;
  }
  return claimFirst(claims, last, view);
}

/** The tasks that the worker's pitches won and that fit; they cost karma if they are let go. */
async function wonOf(hub: Hub, filter: ClaimFilter): Promise<readonly string[]> {
  const { who, network, minReward } = filter;
  const place = { account: who.account, limit: WON_MAX };
  const won = await hub.store.readOne((db) => tasksWonBy(db, place));
  return won.flatMap(({ task }) => {
    const { id, reward } = task;
    const fits = reward?.network === network && reward.amount >= BigInt(minReward);
    return fits && isAsked(headOf(task), filter) ? [id] : [];
  });
}

/** Claims the first that is still free, before all those that no other poll here tries for. */
async function claimFirst(
  claims: QueueClaims,
  ids: readonly string[],
  { isWanted }: View,
): Promise<Taken | undefined> {
  const wanted = ids.filter(isWanted);
  for (const id of [...ids.filter((each) => !wanted.includes(each)), ...wanted]) {
    const outcome = await claims.claim({ id });
    if (typeof outcome !== 'string') return outcome;
  }
  return undefined;
}

interface Offers extends Record<'now' | 'last' | 'never', readonly string[]> {
  /** The task behind which the next page begins, when there is one. */
  readonly end: Task | undefined;
}

async function offersOnPage(
  hub: Hub,
  { who, network, minReward, skills, ...asked }: ClaimFilter,
  page: { readonly limit: number; readonly after: Task | undefined },
): Promise<Offers> {
  const now = hub.clock.now();
  return hub.store.read(async (db) => {
    const standing = await standingOf(db, who.account);
    const tooMany = claimLimit(standing);
    if (tooMany !== undefined) orRefuse(tooMany);
    const place = { network, minReward, notBy: who.account, ...asked, ...page };
    const tasks = (await queuedTasks(db, place)).map((stored) => stored.task);
    const ignored = await ignoredLately(db, tasks, now);
    const workerOn = await workerOnEach(db, who, standing, tasks);
    const offers = tasks.map((task) => ({
      id: task.id,
      // An open exclusive task has nothing live.
      may: mayOffer(
        { task, live: [] },
        {
          worker: workerOn(task),
          ...defined({ skills }),
          ignoredDeliveries: ignored.get(task.requester) ?? 0,
        },
        now,
      ),
    }));
    const ids = (may: 'yes' | 'last' | 'no'): string[] =>
      offers.filter((offer) => offer.may === may).map((offer) => offer.id);
    const end = tasks.length < page.limit ? undefined : tasks.at(-1);
    return { now: ids('yes'), last: ids('last'), never: ids('no'), end };
  });
}
