import { queuedTasks } from '../../db/tasks/tasks.ts';
import type { NetworkId } from '../../domain/network.ts';
import { instant } from '../../domain/instant.ts';
import { isRefused } from '../../domain/task/change.ts';
import { mayOffer } from '../../domain/task/claim.ts';
import type { Task } from '../../domain/task/model.ts';
import { claimLimit } from '../../domain/task/worker.ts';
import type { components } from '../../generated/types.ts';
import type { Handler } from '../../server/handler.ts';
import type { Hub } from '../../server/hub.ts';
import { networkNamed } from '../_money.ts';
import { QUEUE_TOPIC } from './_commit.ts';
import { lockSettled, settleDueTasks } from './_due.ts';
import { queueWatch } from './_queueWatch.ts';
import type { QueueWatch } from './_queueWatch.ts';
import { granted } from './_refuse.ts';
import { actor, mustReachPayee, standingOf, workerOnEach } from './_worker.ts';
import type { Actor, Standing } from './_worker.ts';
import { takeTask } from './claim.ts';

type Claim = components['schemas']['Claim'];

interface Wanted {
  readonly who: Actor;
  readonly network: NetworkId;
  readonly minReward: string;
  readonly skills?: readonly string[];
}

/**
 * Tasks of each page of a look. The best one is nearly always on the first, which is short, as all of
 * it is read; a worker refused by so many as all pages hold has filters to loosen.
 */
const PAGES = [6, 50, 100, 150, 200];

/** Holds the call until something fits or the wait is over; every commit that may fit wakes it. */
export const claimNext: Handler<'tasks.claimNext'> = async (call, hub) => {
  const { wait } = call.query;
  const { skills, minReward } = call.body ?? {};
  const who = actor(call.caller, call.body);
  await hub.store.read((db) => mustReachPayee(hub, db, who));
  const wanted: Wanted = {
    who,
    network: networkNamed(hub, call.body?.network, 'body.network'),
    minReward: `${minReward ?? 0n}`,
    ...(skills !== undefined && { skills }),
  };
  const until = instant(hub.clock.now() + wait * 1000);
  const watch = queueWatch(hub);
  const passedBy = new Set<string>();
  for (let isFirst = true; ; isFirst = false) {
    const seen = hub.bell.rings(QUEUE_TOPIC);
    const claimed = await watch.inTurn(async () => {
      // Whoever left while in line gets nothing that nobody would work on.
      if (call.request.gone.aborted) return undefined;
      if (!isFirst && !(await mayFit(watch, wanted, passedBy))) return undefined;
      await settleDueTasks(hub, ['lease']);
      return best(hub, wanted, passedBy);
    });
    if (claimed !== undefined) return { status: 200, body: { ...claimed, wait } };
    const left = until - hub.clock.now();
    const rang = left > 0 && (await hub.bell.wait(QUEUE_TOPIC, seen, left, call.request.gone));
    if (!rang) return { status: 200, body: { work: null, wait } };
  }
};

/** Whether a ring may have brought something: a task that a look of this call did not pass by. */
async function mayFit(
  watch: QueueWatch,
  { who, network, minReward, skills }: Wanted,
  passedBy: ReadonlySet<string>,
): Promise<boolean> {
  const top = await watch.top(network);
  return (
    top === undefined ||
    top.some(
      ({ id, requester, reward, requiredSkills }) =>
        requester !== who.account &&
        reward >= BigInt(minReward) &&
        requiredSkills.every((skill) => skills?.includes(skill) ?? true) &&
        !passedBy.has(id),
    )
  );
}

/** The best task that this worker may have now; work it gave back before comes last. */
async function best(hub: Hub, wanted: Wanted, passedBy: Set<string>): Promise<Claim | undefined> {
  const { who } = wanted;
  const standing = await hub.store.read((db) => standingOf(db, who.account));
  const limit = claimLimit(standing);
  if (limit !== undefined) granted(limit);
  const last: string[] = [];
  let after: Task | undefined;
  for (const limit of PAGES) {
    const offers = await offersOnPage(hub, wanted, standing, { limit, after });
    last.push(...offers.last);
    for (const id of offers.never) passedBy.add(id);
    const claimed = await firstOf(hub, wanted, offers.now);
    if (claimed !== undefined) return claimed;
    after = offers.end;
    if (after === undefined) break;
  }
  return firstOf(hub, wanted, last);
}

interface Offers extends Record<'now' | 'last' | 'never', readonly string[]> {
  /** The task behind which the next page begins, when there is one. */
  readonly end: Task | undefined;
}

async function offersOnPage(
  hub: Hub,
  wanted: Wanted,
  standing: Standing,
  page: { readonly limit: number; readonly after: Task | undefined },
): Promise<Offers> {
  const { who, network, minReward, skills } = wanted;
  const now = hub.clock.now();
  return hub.store.read(async (db) => {
    const place = { network, minReward, notBy: who.account, ...page };
    const tasks = (await queuedTasks(db, place)).map((stored) => stored.task);
    const workerOn = await workerOnEach(db, who, standing, tasks);
    const offers = tasks.map((task) => ({
      id: task.id,
      // An open exclusive task has nothing live.
      may: mayOffer(
        { task, live: [] },
        { worker: workerOn(task), ...(skills !== undefined && { skills }) },
        now,
      ),
    }));
    const ids = (may: 'yes' | 'last' | 'no'): string[] =>
      offers.filter((offer) => offer.may === may).map((offer) => offer.id);
    const end = tasks.length < page.limit ? undefined : tasks.at(-1);
    return { now: ids('yes'), last: ids('last'), never: ids('no'), end };
  });
}

/** Claims the first that is still free; another worker may have been quicker. */
function firstOf(
  hub: Hub,
  { who, skills }: Wanted,
  ids: readonly string[],
): Promise<Claim | undefined> {
  return queueWatch(hub).claimFirst(ids, (id) =>
    hub.store.write(async (tx) => {
      const loaded = await lockSettled(tx, hub, id);
      const outcome = await takeTask(tx, hub, loaded, who, skills);
      return isRefused(outcome) ? undefined : outcome;
    }),
  );
}
