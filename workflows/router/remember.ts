import { insertRow } from '../../db/batch/write.ts';
import { CALL_ATTEMPTS } from '../../db/router/attempts.ts';
import { breakerOf, saveBreaker, saveQuote } from '../../db/router/memory.ts';
import type { Writer } from '../../db/store.ts';
import { linked } from '../../db/tasks/links.ts';
import type { HostedCall } from '../../db/hosted/calls.ts';
import { ZERO } from '../../domain/money.ts';
import { afterFault, SOUND } from '../../domain/router/breaker.ts';
import { attemptEnd, isFault, sayEnding, type Ending } from '../../domain/router/ending.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { noteHostedCall } from '../hosted/note.ts';
import type { CallUnderWay } from './begin.ts';

/** What came back from one candidate, measured. */
export interface Ended {
  readonly ending: Ending;
  readonly latencyMs: number;
  /** Of the body of its answer; absent when it gave none. */
  readonly hash?: string;
  readonly bytes: number;
}

/** What later calls learn from how one candidate ended. */
export async function remember(
  tx: Writer,
  hub: Hub,
  { candidate, receipt }: CallUnderWay,
  { ending }: Ended,
): Promise<void> {
  const { endpoint, listingId } = candidate;
  const [now, breaker] = [hub.clock.now(), await breakerOf(tx, endpoint)];
  if (isFault(ending)) await saveBreaker(tx, endpoint, afterFault(breaker, now));
  else if (ending.end !== 'not-called' && breaker.faults > 0) {
    await saveBreaker(tx, endpoint, SOUND);
  }
  if (ending.end === 'quoted' && ending.price !== undefined) {
    const { operation } = receipt;
    await saveQuote(tx, { listingId, operation, at: now }, ending.price);
  }
}

/** What it adds to the measurements of the listing, and to what its holder sees. */
export async function measure(
  tx: Writer,
  hub: Hub,
  underWay: CallUnderWay,
  ended: Ended,
): Promise<void> {
  const { candidate, receipt } = underWay;
  const how = attemptEnd(ended.ending);
  const noted = hostedCall(underWay, ended);
  if (noted !== undefined) await noteHostedCall(tx, hub, noted);
  if (how === undefined) return;
  const { holder, listingId } = candidate;
  await insertRow(tx, CALL_ATTEMPTS, {
    callId: receipt.id,
    listingId,
    operation: receipt.operation,
    caller: receipt.caller,
    linked: holder !== undefined && (await linked(tx, holder, receipt.caller)),
    ended: how,
    latencyMs: ended.latencyMs,
    at: hub.clock.now(),
  });
}

/** The holder of a hosted agent sees every call of it, in the unit that pays for it. */
export function hostedCall(
  { candidate, receipt }: CallUnderWay,
  { ending, latencyMs }: Ended,
): Omit<HostedCall, 'id' | 'at'> | undefined {
  const { hosted } = candidate;
  if (hosted === undefined) return undefined;
  const outcome = hostedOutcome(ending);
  const { id: receiptId, caller, operation: tool, cost } = receipt;
  return {
    keyId: hosted.keyId,
    caller,
    tool,
    price: outcome === 'served' ? cost : ZERO,
    outcome,
    why: sayEnding(ending),
    durationMs: latencyMs,
    receiptId,
  };
}

function hostedOutcome(ending: Ending): HostedCall['outcome'] {
  if (ending.end === 'served') return 'served';
  if (ending.end === 'not-called') return 'refused';
  return ending.end === 'broken' && ending.sent ? 'unknown' : 'failed';
}
