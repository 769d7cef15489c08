import type { Decider } from '../../db/batch/transaction.ts';
import { need } from '../../db/batch/need.ts';
import { HOSTED_SERVED } from '../../db/hosted/agents.ts';
import { HOSTED_CALLS, type HostedCall } from '../../db/hosted/calls.ts';
import { noteEvent } from '../../db/wallet/accountEvents.ts';
import { parseAccount, type Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { hostedAddresses } from '../../domain/hosted/agent.ts';
import { ZERO } from '../../domain/money.ts';
import { cut } from '../../domain/text.ts';
import type { Hub } from '../kernel/hub.ts';
import { logFailure } from '../kernel/logFailure.ts';
import { perHub } from '../kernel/perHub.ts';

/** Notes a call for the holder and counts it, in the transaction that ends it. */
export function noteHostedCall(
  db: Decider,
  hub: Hub,
  call: Omit<HostedCall, 'id' | 'at'>,
  holder: Account | undefined,
): void {
  const { keyId, outcome, caller } = call;
  const [id, at] = [db.newId(hub.ids), hub.clock.now()];
  addCall(db, { ...call, id, at });
  count(db, call);
  if (outcome !== 'refused') return;
  const { listingId: subjectId } = hostedAddresses(hub.settings.baseUrl, keyId);
  const about = { at, subjectId, ref: id, ...defined({ actor: parseAccount(caller) }) };
  noteEvent(db, [holder], { kind: 'hosted.refused', ...about });
}

function addCall(db: Decider, call: HostedCall): void {
  const [tool, why] = [cut(call.tool, 300), cut(call.why, 400)];
  db.insert(HOSTED_CALLS, call.id, { ...call, tool, why });
}

type Counted = Pick<HostedCall, 'keyId' | 'outcome' | 'price'>;

/** Counts a call of an agent; one that was taken down may have no counts any more. */
function count(db: Decider, { keyId, outcome, price }: Counted): void {
  const counts = db.find(HOSTED_SERVED, keyId);
  if (counts === undefined) return;
  db.put(HOSTED_SERVED, keyId, {
    ...counts,
    served: counts.served + Number(outcome === 'served'),
    failed: counts.failed + Number(outcome === 'failed' || outcome === 'unknown'),
    refused: counts.refused + Number(outcome === 'refused'),
    earned: counts.earned + (outcome === 'served' ? price : 0n),
  });
}

type UnsignedCall = Pick<HostedCall, 'keyId' | 'tool' | 'outcome' | 'why' | 'durationMs'>;

/** Calls that are answered and not written yet, in their order. */
interface UnsignedCalls {
  readonly waiting: (UnsignedCall & Pick<HostedCall, 'id' | 'at'>)[];
  writing: Promise<void> | undefined;
}
const visits = perHub((): UnsignedCalls => ({ waiting: [], writing: undefined }));
const WRITTEN_AT_ONCE = 64;

/** Records an unsigned call without a wait, since no money depends on it. Writes are batched. */
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
      await hub.store.decide({
        needs: batch.map(({ keyId }) => need(HOSTED_SERVED, keyId)),
        decide: (db) => batch.forEach((visit) => writeOne(db, visit)),
      });
    } catch (error) {
      logFailure(hub.log, error, 'visits of hosted agents are not noted', { visits: batch.length });
    }
  }
  queue.writing = undefined;
}

/** A crowd that was over the limit is only counted. */
function writeOne(db: Decider, visit: UnsignedCalls['waiting'][number]): void {
  const call: HostedCall = { ...visit, caller: 'visitor', price: ZERO };
  if (call.outcome !== 'refused') addCall(db, call);
  count(db, call);
}
