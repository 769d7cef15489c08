import { countHosted } from '../../db/hosted/agents.ts';
import { insertHostedCall, type HostedCall } from '../../db/hosted/calls.ts';
import type { Writer } from '../../db/store.ts';
import { noteEvent } from '../../db/wallet/accountEvents.ts';
import { accountOfKey } from '../../db/wallet/keys.ts';
import { parseAccount } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { hostedAddresses } from '../../domain/hosted/agent.ts';
import { ZERO } from '../../domain/money.ts';
import { cut } from '../../domain/text.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { logFailure } from '../../server/hub/logFailure.ts';
import { perHub } from '../../server/hub/perHub.ts';

/** A call as its holder will see it. */
export function hostedNote(hub: Hub, call: Omit<HostedCall, 'id' | 'at'>): HostedCall {
  const [tool, why] = [cut(call.tool, 300), cut(call.why, 400)];
  return { ...call, tool, why, id: hub.ids.uuid(), at: hub.clock.now() };
}

/** Notes a call for the holder, in the unit that ends it. */
export async function noteHostedCall(
  tx: Writer,
  hub: Hub,
  call: Omit<HostedCall, 'id' | 'at'>,
): Promise<void> {
  const noted = hostedNote(hub, call);
  await insertHostedCall(tx, noted);
  const { keyId, outcome, caller, id: ref, at } = noted;
  if (outcome !== 'refused') return;
  const { listingId: subjectId } = hostedAddresses(hub.settings.baseUrl, keyId);
  const about = { at, subjectId, ref, ...defined({ actor: parseAccount(caller) }) };
  noteEvent(tx, [await accountOfKey(tx, keyId)], { kind: 'hosted.refused', ...about });
}

type UnsignedCall = Pick<HostedCall, 'keyId' | 'tool' | 'outcome' | 'why' | 'durationMs'>;

/** Calls that are answered and not written yet, in their order. */
interface UnsignedCalls {
  readonly waiting: (UnsignedCall & Pick<HostedCall, 'id' | 'at'>)[];
  writing: Promise<void> | undefined;
}
const visits = perHub((): UnsignedCalls => ({ waiting: [], writing: undefined }));
const WRITTEN_AT_ONCE = 64;

/**
 * The same of a call that nobody signed. No money depends on it, so its answer does not wait: it is
 * written at once, and what comes meanwhile is written together after it.
 */
export function noteVisit(hub: Hub, visit: UnsignedCall): void {
  const queue = visits(hub);
  queue.waiting.push({ ...visit, id: hub.ids.uuid(), at: hub.clock.now() });
  queue.writing ??= writeUnsigned(hub, queue);
}

/** Ends when every visit that this process has answered is written. */
export async function visitsWritten(hub: Hub): Promise<void> {
  await visits(hub).writing;
}

async function writeUnsigned(hub: Hub, queue: UnsignedCalls): Promise<void> {
  while (queue.waiting.length > 0) {
    const batch = queue.waiting.splice(0, WRITTEN_AT_ONCE);
    try {
      await hub.store.write(async (tx) => {
        for (const visit of batch) await writeOne(tx, visit);
      });
    } catch (error) {
      logFailure(hub.log, error, 'visits of hosted agents are not noted', { visits: batch.length });
    }
  }
  queue.writing = undefined;
}

/** A crowd that was over the limit is only counted. */
async function writeOne(tx: Writer, visit: UnsignedCalls['waiting'][number]): Promise<void> {
  const { keyId, outcome, tool, why } = visit;
  if (outcome === 'refused') return countHosted(tx, keyId, { outcome, earned: 0n });
  const noted = { ...visit, tool: cut(tool, 300), why: cut(why, 400) };
  return insertHostedCall(tx, { ...noted, caller: 'visitor', price: ZERO });
}
