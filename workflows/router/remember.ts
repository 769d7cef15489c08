import type { Decider } from '../../db/batch/transaction.ts';
import type { HostedCall } from '../../db/hosted/calls.ts';
import { CALL_ATTEMPTS } from '../../db/router/attempts.ts';
import { BREAKERS } from '../../db/router/calls.ts';
import { CALL_QUOTES } from '../../db/router/quotes.ts';
import { LINKED } from '../../db/tasks/linkLookups.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { ZERO } from '../../domain/money.ts';
import { afterFault, SOUND } from '../../domain/router/breaker.ts';
import { attemptEnd, isFault, sayEnding, type Ending } from '../../domain/router/ending.ts';
import type { Hub } from '../kernel/hub.ts';
import { noteHostedCall } from '../hosted/note.ts';
import type { CallUnderWay } from './begin.ts';

/** The answer of one candidate, measured. */
export interface Ended {
  readonly ending: Ending;
  readonly latencyMs: number;
  /** The digest of the body of its answer; absent when it gave none. */
  readonly hash?: string;
  readonly bytes: number;
}

/** Records a candidate's faults and quotes for later calls. */
export function remember(
  db: Decider,
  hub: Hub,
  { candidate, receipt }: CallUnderWay,
  { ending }: Ended,
): void {
  const { endpoint, listingId } = candidate;
  const [now, breaker] = [hub.clock.now(), db.find(BREAKERS, endpoint)];
  if (isFault(ending)) {
    db.put(BREAKERS, endpoint, { endpoint, ...afterFault(breaker ?? SOUND, now) });
  } else if (ending.end !== 'not-called' && breaker !== undefined) {
    db.remove(BREAKERS, endpoint);
  }
  if (ending.end === 'quoted' && ending.price !== undefined) {
    const { amount, asset, network: quotedOn, payTo } = ending.price;
    const of = { listingId, operation: receipt.operation };
    const quote = { ...of, amount, asset, at: now, ...defined({ quotedOn, payTo }) };
    db.put(CALL_QUOTES, of, quote);
  }
}

/** Adds the call to the measurements of the listing, and to the events of its holder. */
export function measure(db: Decider, hub: Hub, underWay: CallUnderWay, ended: Ended): void {
  const { candidate, receipt } = underWay;
  const { holder, listingId } = candidate;
  const noted = hostedCall(underWay, ended);
  if (noted !== undefined) noteHostedCall(db, hub, noted, holder);
  const how = attemptEnd(ended.ending);
  if (how === undefined) return;
  const { id: callId, operation, caller } = receipt;
  const pair = pairOf(underWay);
  const linked = pair === undefined ? holder === caller : db.find(LINKED, pair) !== undefined;
  const { ending, latencyMs } = ended;
  const byRule = ending.end === 'unmet' && ending.by === 'acceptance';
  const attempt = { callId, listingId, operation, caller, linked, byRule, ended: how, latencyMs };
  db.insert(CALL_ATTEMPTS, callId, { ...attempt, at: hub.clock.now() });
}

/** Holder and caller, who may be linked; undefined without a holder or when the caller holds it. */
export function pairOf({
  candidate: { holder },
  receipt: { caller },
}: CallUnderWay): { readonly one: Account; readonly other: Account } | undefined {
  return holder === undefined || holder === caller ? undefined : { one: holder, other: caller };
}

/** The holder of a hosted agent sees every call of it, in the transaction that pays for it. */
function hostedCall(
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
