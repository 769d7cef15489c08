import { ignoredBy, isAsked, queuedTasks, type QueueFilter } from '../../db/tasks/queue.ts';
import type { Reader, Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import type { NetworkId } from '../../domain/network.ts';
import { isRefused } from '../../domain/task/change.ts';
import { mayOffer } from '../../domain/task/claim.ts';
import { IGNORED_FOR } from '../../domain/task/limits.ts';
import type { Task } from '../../domain/task/model.ts';
import { claimLimit } from '../../domain/task/worker.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { mustStay, settleSigner } from '../../server/hub/keyMoved.ts';
import { takeTask, taking, type Taken } from './claim.ts';
import { claimQueue, type ClaimQueue } from './claimQueue.ts';
import { lockSettled, settleDueTasks } from './due.ts';
import { plainOr } from './plain.ts';
import { orRefuse } from './refuse.ts';
import { mustReachPayee, reachingPayee, standingOf, workerOnEach, type Actor } from './worker.ts';
import { TASK_QUEUE_TOPIC } from '../topics.ts';

/** Who asks the queue for work, and which work fits. */
export interface ClaimFilter extends QueueFilter {
  readonly who: Actor;
  readonly network: NetworkId;
  readonly minReward: string;
  readonly skills?: readonly string[];
  /** Notes what was taken in the transaction that takes it; throws `NotTaken` for nothing. */
  readonly keep?: (tx: Writer, take: () => Promise<Taken | undefined>) => Promise<Taken>;
}

/**
 * Tasks of each page that is read. The best one is nearly always on the first, which is short, as
 * all of it is read; a worker refused by so many as all pages hold has filters to loosen.
 */
const PAGES = [6, 50, 100, 150, 200];

/** Claims the best task that fits, now or when one comes; undefined when the wait is over. */
export async function waitForWork(
  hub: Hub,
  filter: ClaimFilter,
  until: Instant,
  gone: AbortSignal,
): Promise<Taken | undefined> {
  const watch = claimQueue(hub);
  const skipped = new Set<string>();
  for (let isFirst = true; ; isFirst = false) {
    const seen = hub.notifier.published(TASK_QUEUE_TOPIC);
    const taken = await watch.inOrder(async () => {
      // A caller that left while it waited in line would never work on what it is given.
      if (gone.aborted) return undefined;
      if (!isFirst && !(await mayFit(watch, filter, skipped))) return undefined;
      await settleDueTasks(hub, ['lease']);
      return claimBest(hub, filter, skipped);
    });
    if (taken !== undefined) return taken;
    const left = until - hub.clock.now();
    if (left <= 0 || !(await hub.notifier.wait(TASK_QUEUE_TOPIC, seen, left, gone)))
      return undefined;
  }
}

/** Whether there may be something new: a task that this call has not skipped before. */
async function mayFit(
  watch: ClaimQueue,
  { who, network, minReward, skills, ...asked }: ClaimFilter,
  skipped: ReadonlySet<string>,
): Promise<boolean> {
  const top = await watch.top(network);
  return (
    top === undefined ||
    top.some(
      ({ id, requester, reward, requiredSkills, ...head }) =>
        isAsked(head, asked) &&
        requester !== who.account &&
        reward >= BigInt(minReward) &&
        requiredSkills.every((skill) => skills?.includes(skill) ?? true) &&
        !skipped.has(id),
    )
  );
}

/** The best task that this worker may have now; work it gave back before comes last. */
async function claimBest(
  hub: Hub,
  filter: ClaimFilter,
  skipped: Set<string>,
): Promise<Taken | undefined> {
  const last: string[] = [];
  let after: Task | undefined;
  for (const limit of PAGES) {
    const offers = await offersOnPage(hub, filter, { limit, after });
    last.push(...offers.last);
    for (const id of offers.never) skipped.add(id);
    const taken = await claimFirstFree(hub, filter, offers.now);
    if (taken !== undefined) return taken;
    after = offers.end;
    if (after === undefined) break;
  }
  return claimFirstFree(hub, filter, last);
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

/** Deliveries that the requesters of tasks left undecided in the last 30 days. */
export function ignoredLately(
  db: Reader,
  tasks: readonly Pick<Task, 'requester'>[],
  now: Instant,
): Promise<ReadonlyMap<Account, number>> {
  const requesters = tasks.map(({ requester }) => requester);
  return ignoredBy(db, requesters, instant(now - IGNORED_FOR * 1_000));
}

/** Claims the first that is still free; another worker may have been quicker. */
function claimFirstFree(
  hub: Hub,
  { who, skills, keep }: ClaimFilter,
  ids: readonly string[],
): Promise<Taken | undefined> {
  const wide = (id: string): Promise<Taken | undefined> =>
    hub.store
      .write((tx) => {
        const take = () => takeFree(tx, hub, id, { who, skills });
        return keep === undefined ? take() : keep(tx, take);
      })
      .catch((error: unknown) => {
        if (error instanceof NotTaken) return undefined;
        throw error;
      });
  return claimQueue(hub).claimFirst(ids, (id) =>
    keep === undefined
      ? plainOr(
          () => takePlain(hub, id, { who, skills }),
          () => wide(id),
        )
      : wide(id),
  );
}

type Wanted = Pick<ClaimFilter, 'who'> & { readonly skills: readonly string[] | undefined };

/** As a declared unit, without a key under which it would be kept. */
function takePlain(hub: Hub, id: string, { who, skills }: Wanted): Promise<Taken | undefined> {
  const payee = reachingPayee(hub, who);
  const settling = hub.callers.settling(who.account);
  const { needs, decide } = taking(hub, id, who, skills);
  return hub.store.decide<Taken | undefined>({
    needs: [...settling.needs, ...payee.needs, ...needs],
    decide(db) {
      const { outcome } = decide(db);
      if (isRefused(outcome)) return undefined;
      payee.mustReach(db);
      mustStay(who, settling.settle(db));
      return outcome;
    },
  });
}

async function takeFree(
  tx: Writer,
  hub: Hub,
  id: string,
  { who, skills }: Wanted,
): Promise<Taken | undefined> {
  const loaded = await lockSettled(tx, hub, id);
  const outcome = await takeTask(tx, hub, loaded, who, skills);
  if (isRefused(outcome)) return undefined;
  await mustReachPayee(hub, tx, who);
  await settleSigner(hub.callers, tx, who);
  return outcome;
}

/** Ends a unit that could not take its task, so that nothing of it is kept. */
export class NotTaken extends Error {}
