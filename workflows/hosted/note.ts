import { countHosted } from '../../db/hosted/agents.ts';
import { insertHostedCall, type HostedCall } from '../../db/hosted/calls.ts';
import type { Writer } from '../../db/store.ts';
import { ZERO } from '../../domain/money.ts';
import { cut } from '../../domain/text.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { perHub } from '../../server/hub/perHub.ts';

/** Notes a call for the holder, in the unit that ends it. */
export function noteHostedCall(
  tx: Writer,
  hub: Hub,
  call: Omit<HostedCall, 'id' | 'at'>,
): Promise<void> {
  const { tool, why } = call;
  const noted = { ...call, tool: cut(tool, 300), why: cut(why, 400) };
  return insertHostedCall(tx, { ...noted, id: hub.ids.uuid(), at: hub.clock.now() });
}

type Visit = Pick<HostedCall, 'keyId' | 'tool' | 'outcome' | 'why' | 'durationMs'>;

/** Visits that are not written yet, in their order. */
interface Visits {
  readonly waiting: (Visit & Pick<HostedCall, 'id' | 'at'>)[];
  writing: Promise<void> | undefined;
}
const visits = perHub((): Visits => ({ waiting: [], writing: undefined }));
const VISITS_AT_ONCE = 64;

/**
 * The same of a call that nobody signed. No money depends on it, so its answer does not wait: it is
 * written at once, and what comes meanwhile is written together after it.
 */
export function noteVisit(hub: Hub, visit: Visit): void {
  const queue = visits(hub);
  queue.waiting.push({ ...visit, id: hub.ids.uuid(), at: hub.clock.now() });
  queue.writing ??= writeVisits(hub, queue);
}

/** Ends when every visit that this process has answered is written. */
export async function visitsWritten(hub: Hub): Promise<void> {
  await visits(hub).writing;
}

async function writeVisits(hub: Hub, queue: Visits): Promise<void> {
  while (queue.waiting.length > 0) {
    const batch = queue.waiting.splice(0, VISITS_AT_ONCE);
    try {
      await hub.store.write(async (tx) => {
        for (const visit of batch) await writeVisit(tx, visit);
      });
    } catch (error) {
      hub.log.error({ err: error, visits: batch.length }, 'visits of hosted agents are not noted');
    }
  }
  queue.writing = undefined;
}

/** A crowd that was over the limit is only counted. */
async function writeVisit(tx: Writer, visit: Visits['waiting'][number]): Promise<void> {
  const { keyId, outcome, tool, why } = visit;
  if (outcome === 'refused') return countHosted(tx, keyId, { outcome, earned: 0n });
  const noted = { ...visit, tool: cut(tool, 300), why: cut(why, 400) };
  return insertHostedCall(tx, { ...noted, caller: 'visitor', price: ZERO });
}
