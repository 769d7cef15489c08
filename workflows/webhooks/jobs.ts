import { setTimeout as sleep } from 'node:timers/promises';
import { scanWebhooks } from '../../db/webhooks/webhooks.ts';
import { SLOW_MS } from '../../domain/webhooks/webhook.ts';
import { apart } from '../kernel/apart.ts';
import type { Hub } from '../kernel/hub.ts';
import type { Job } from '../kernel/job.ts';
import { perHub } from '../kernel/perHub.ts';
import { WEBHOOKS_TOPIC } from '../topics.ts';
import { deliverTo } from './deliver.ts';

/** Webhooks that one scan reads, and how often a run scans; all active ones have their turn. */
const SCANNED_MAX = 500;
const SCAN_MS = 500;
const SCANS_A_RUN = 60;
/** Webhooks that answer late, fail or are new have lanes of their own (choices webhooks.lanes). */
const QUICK_AT_ONCE = 16;
const SLOW_AT_ONCE = 8;
/** Deliveries at once of one lane, for all names under one domain. */
const SITE_AT_ONCE = 4;

interface Due {
  readonly id: string;
  readonly site: string;
  readonly isSlow: boolean;
}

interface Lane {
  readonly atOnce: number;
  /** The sites of the webhooks that are served now. */
  readonly served: Map<string, string>;
  queue: Due[];
}

/** The id behind which the next scan of this process begins. */
const places = perHub(() => ({ after: '' }));

/** Sends what is due: a scan compares cursors of webhooks with event numbers of their accounts. */
async function deliverDue(hub: Hub): Promise<number | void> {
  const quick: Lane = { atOnce: QUICK_AT_ONCE, served: new Map(), queue: [] };
  const slow: Lane = { atOnce: SLOW_AT_ONCE, served: new Map(), queue: [] };
  const turns = new Set<Promise<void>>();
  const broken = new Set<string>();
  let isOver = false;
  const begin = ({ served }: Lane, { id, site }: Due): void => {
    served.set(id, site);
    const turn = apart(hub, { failure: 'a turn of a webhook failed', webhook: id }, async () => {
      if (!(await deliverTo(hub, id))) isOver = true;
    }).then((isDone) => {
      if (!isDone) broken.add(id);
      served.delete(id);
      turns.delete(turn);
    });
    turns.add(turn);
  };
  for (let scans = 0; scans < SCANS_A_RUN && !isOver; scans += 1) {
    const due = await scan(hub);
    const isFree = ({ id }: Due): boolean =>
      !quick.served.has(id) && !slow.served.has(id) && !broken.has(id);
    quick.queue = due.filter((each) => !each.isSlow && isFree(each));
    slow.queue = due.filter((each) => each.isSlow && isFree(each));
    const pause = sleep(SCAN_MS, true, { ref: false });
    if (turns.size + quick.queue.length + slow.queue.length === 0) return;
    for (let isPaused = false; !isPaused && !isOver;) {
      for (const lane of [quick, slow]) {
        for (let next = takeNext(lane); next !== undefined; next = takeNext(lane)) {
          begin(lane, next);
        }
      }
      if (turns.size === 0) break;
      isPaused = (await Promise.race([pause, ...turns])) === true;
    }
  }
  await Promise.all(turns);
  // A hub that gave an attempt up closes or has too many calls under way.
  if (!isOver && broken.size === 0) return 0;
}

function takeNext({ atOnce, served, queue }: Lane): Due | undefined {
  if (served.size >= atOnce) return undefined;
  const sites = [...served.values()];
  const hasRoom = ({ site }: Due): boolean =>
    sites.filter((each) => each === site).length < SITE_AT_ONCE;
  const place = queue.findIndex(hasRoom);
  return place < 0 ? undefined : queue.splice(place, 1)[0];
}

async function scan(hub: Hub): Promise<readonly Due[]> {
  const place = places(hub);
  const page = { now: hub.clock.now(), limit: SCANNED_MAX };
  const found = await hub.store.readOne((db) => scanWebhooks(db, place.after, page));
  place.after = found.length < SCANNED_MAX ? '' : (found.at(-1)?.id ?? '');
  return found.flatMap(({ id, account, url, paceMs, isDue }) => {
    // A banned account gets nothing pushed; its cursor waits.
    if (!isDue || hub.moderation.against(account)?.isBan === true) return [];
    return [{ id, site: siteOf(hub, url), isSlow: paceMs >= SLOW_MS }];
  });
}

/** The domain of a name, by its last two labels; of an address or an opened host all of it. */
function siteOf(hub: Hub, url: string): string {
  const verdict = hub.outbound.judge(url);
  if (!verdict.ok) return url;
  const { host, authority, isAddress, opened } = verdict.target;
  return opened || isAddress ? authority : host.split('.').slice(-2).join('.');
}

export const jobs: readonly Job[] = [
  { name: 'webhooks', everySeconds: 1, topic: WEBHOOKS_TOPIC, reachesOut: true, run: deliverDue },
];
