import { openBatcher } from '../../db/batcher.ts';
import { decideIn } from '../../db/batch/inside.ts';
import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import type { Writer } from '../../db/store.ts';
import { addLeaves, readsOfLeaves, type Leaf } from '../../db/time/minutes.ts';
import { HEAD } from '../../db/time/pulses.ts';
import { promisedMinute } from '../../domain/time/minute.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { perHub } from '../kernel/perHub.ts';
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
  openBatcher<string, Leaf>(STAMPS_AT_ONCE_MAX, async (given) => {
    const digests = [...new Set(given)];
    const leaves = await hub.store.decide({
      name: 'time.stamp',
      needs: readsOfStamps(hub, digests),
      decide: (db) => stampAll(db, hub, digests),
    });
    return given.map((digest) => leafIn(leaves, digest));
  }),
);

/** Reads the minute that is open now, unless a pulse or a full minute moves the stamps on. */
function readsOfStamps(hub: Hub, digests: readonly string[]): readonly Need[] {
  const minute = promisedMinute(hub.clock.now(), undefined);
  return [need(HEAD, 1), ...readsOfLeaves(digests, minute)];
}

/** Adds digests to the minute that is open now. */
function stampAll(db: Decider, hub: Hub, digests: readonly string[]): ReadonlyMap<string, Leaf> {
  const head = db.find(HEAD, 1);
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
  return addLeaves(db, digests, { minute, receivedAt, keyId: hub.keys.current().keyId });
}

/** Stamps one digest within a unit of single statements. */
export async function stampInside(tx: Writer, hub: Hub, digest: string): Promise<Leaf> {
  const needs = readsOfStamps(hub, [digest]);
  const leaves = await decideIn(tx, { needs, decide: (db) => stampAll(db, hub, [digest]) });
  return leafIn(leaves, digest);
}

function leafIn(leaves: ReadonlyMap<string, Leaf>, digest: string): Leaf {
  const leaf = leaves.get(digest);
  if (leaf === undefined) throw new Error('a stamped digest has its leaf');
  return leaf;
}
