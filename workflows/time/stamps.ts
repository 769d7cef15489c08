import { openBatcher } from '../../db/batcher.ts';
import { addLeaves, type Leaf } from '../../db/time/minutes.ts';
import { readChain } from '../../db/time/pulses.ts';
import type { Writer } from '../../db/store.ts';
import { promisedMinute } from '../../domain/time/minute.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { perHub } from '../../server/hub/perHub.ts';
import { steppedBack, steppedBackText, witness, wrongClock } from './clock.ts';

/** Digests that one unit of work takes; more wait for the next. */
const STAMPS_AT_ONCE_MAX = 500;

/**
 * Stamps a digest: its leaf is durable when the promise resolves. All that wait share a commit.
 * Refuses with `clock-stepped` while the clock reads a time before the newest pulse, or is wrong.
 */
export function takeStamp(hub: Hub, digest: string): Promise<Leaf> {
  return lineOf(hub)(digest);
}

const lineOf = perHub((hub) =>
  openBatcher<string, Leaf>(STAMPS_AT_ONCE_MAX, (digests) =>
    hub.store.write(async (tx) => {
      const leaves = await stampAll(tx, hub, [...new Set(digests)]);
      return digests.map((digest) => leafIn(leaves, digest));
    }),
  ),
);

/** Adds digests to the minute that is open now, within a unit of work. */
export async function stampAll(
  tx: Writer,
  hub: Hub,
  digests: readonly string[],
): Promise<ReadonlyMap<string, Leaf>> {
  const { head } = await readChain(tx);
  witness(hub);
  const receivedAt = hub.clock.now();
  const back = steppedBack(receivedAt, head);
  if (back !== undefined) {
    const error = steppedBackText(receivedAt, back);
    const seconds = Math.ceil((back.issuedAt - receivedAt) / 1000);
    refuse('clock-stepped', { error }, { 'retry-after': String(seconds) });
  }
  const wrong = wrongClock(hub);
  if (wrong !== undefined) refuse('clock-stepped', { error: wrong }, { 'retry-after': '60' });
  const minute = promisedMinute(receivedAt, head?.minute);
  return addLeaves(tx, digests, { minute, receivedAt, keyId: hub.keys.current().keyId });
}

export function leafIn(leaves: ReadonlyMap<string, Leaf>, digest: string): Leaf {
  const leaf = leaves.get(digest);
  if (leaf === undefined) throw new Error('a stamped digest has its leaf');
  return leaf;
}
