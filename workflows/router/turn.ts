import type { Decider } from '../../db/batch/transaction.ts';
import { KARMA_GIVEN } from '../../db/karma/karmaTables.ts';
import { CALLS } from '../../db/router/calls.ts';
import { defined } from '../../domain/defined.ts';
import type { KarmaCause } from '../../domain/karma.ts';
import { ZERO } from '../../domain/money.ts';
import { chargeOf, graver, outcomeOf, sayEnding } from '../../domain/router/ending.ts';
import type { AttemptOutcome } from '../../domain/router/ending.ts';
import { CALL_MS_MAX, closed, sentence } from '../../domain/router/receipt.ts';
import type { Receipt } from '../../domain/router/receipt.ts';
import { tried } from '../../domain/router/select.ts';
import type { Hub } from '../kernel/hub.ts';
import { recordCauses } from '../karma/record.ts';
import { endHold } from '../metering/meter.ts';
import { nextTurn, type CallUnderWay } from './begin.ts';
import { meterOf, returnPrice } from './money.ts';
import { measure, remember, type Ended } from './remember.ts';

/** How far a call is when a candidate has answered. */
export interface Progress {
  /** Milliseconds since the call began. */
  readonly elapsedMs: number;
  /** The gravest outcome of the candidates before this one. */
  readonly worst: AttemptOutcome;
  /** The caller said that the operation may be run twice. */
  readonly repeatable: boolean;
}

/** The call goes on with another candidate, or is over. */
export type After =
  { readonly underWay: CallUnderWay; readonly worst: AttemptOutcome } | { readonly done: Receipt };

/** The receipt of a call that still runs, with what the answer of this candidate adds to it. */
export function answered(
  db: Decider,
  hub: Hub,
  underWay: CallUnderWay,
  ended: Ended,
  { elapsedMs }: Progress,
): Receipt | undefined {
  const running = db.find(CALLS, underWay.receipt.id);
  if (running?.outcome !== 'running') return undefined;
  remember(db, hub, underWay, ended);
  const { ending, hash, bytes } = ended;
  return {
    ...running,
    durationMs: elapsedMs,
    ...defined({ responseHash: hash }),
    responseBytes: bytes,
    ...(ending.end === 'unmet' && { unmet: { by: ending.by, refused: ending.refused } }),
    ...(ending.end === 'quoted' &&
      ending.price !== undefined && { quotedPrice: ending.price.amount }),
  };
}

/** The holder of the listing is paid what was agreed, and the rest is given back. */
export function served(
  db: Decider,
  hub: Hub,
  underWay: CallUnderWay,
  ended: Ended,
  cause: KarmaCause | undefined,
): Receipt {
  const { candidate, receipt } = underWay;
  const { hold, ...rest } = receipt;
  const shares = sharesOf(underWay, ended);
  const [share] = shares;
  const transferId = hold && endHold(db, hub, meterOf(receipt), hold, shares);
  const paid: Receipt = {
    ...rest,
    ...(share !== undefined && {
      cost: share.amount,
      paidTo: share.account,
      ...defined({ transferId }),
    }),
  };
  measure(db, hub, { ...underWay, receipt: paid }, ended);
  if (cause !== undefined && db.find(KARMA_GIVEN, cause) === undefined) {
    recordCauses(db, hub, [cause], { at: hub.clock.now(), network: receipt.network });
  }
  const reported = {
    ...paid,
    considered: tried(paid.considered, candidate.listingId, 'It served.'),
  };
  return close(db, hub, reported, 'served', sayEnding(ended.ending));
}

/** Returns the shares that are paid out of the hold; none unless a candidate served. */
export function sharesOf({ candidate, receipt: { hold } }: CallUnderWay, { ending }: Ended) {
  if (ending.end !== 'served' || hold === undefined || candidate.owner === undefined) return [];
  if (chargeOf(ending, hold.amount) === ZERO) return [];
  return [{ account: candidate.owner, amount: hold.amount }];
}

/** Returns the hold to the caller and turns to the next candidate; the last one ends the call. */
export function turn(
  db: Decider,
  hub: Hub,
  underWay: CallUnderWay,
  ended: Ended,
  { elapsedMs, worst: before, repeatable }: Progress,
  reason?: string,
): After {
  const { candidate, rest } = underWay;
  const { ending } = ended;
  measure(db, hub, underWay, ended);
  const why = sentence(reason ?? sayEnding(ending));
  const price = ending.end === 'quoted' ? ending.price : undefined;
  const { listingId } = candidate;
  const returned = returnPrice(db, hub, underWay.receipt);
  const receipt: Receipt = {
    ...returned,
    refused: [...returned.refused, { listingId, why, ...defined({ price }) }],
    considered: tried(returned.considered, listingId, why),
  };
  const worst = graver(before, outcomeOf(ending));
  // Work that may have run is not run again elsewhere, unless the caller said that it may be.
  const hasRun = ending.end === 'unmet' || outcomeOf(ending) === 'unknown';
  const mayGoOn = repeatable || !hasRun;
  const isOver = !mayGoOn || elapsedMs >= CALL_MS_MAX;
  const next = isOver ? { receipt } : nextTurn(hub, receipt, rest).decide(db);
  if ('candidate' in next) {
    db.put(CALLS, receipt.id, next.receipt);
    return { underWay: next, worst };
  }
  return { done: close(db, hub, receipt, worst, mayGoOn ? whyNobody(receipt, why) : why) };
}

function whyNobody({ refused }: Receipt, last: string): string {
  if (refused.length === 1) return last;
  return `${refused.length} agents were called and none served; \`refused\` has the reason of each.`;
}

export function close(
  db: Decider,
  hub: Hub,
  receipt: Receipt,
  outcome: AttemptOutcome | 'served',
  why: string,
): Receipt {
  const over = closed(receipt, outcome, why, hub.clock.now());
  db.put(CALLS, receipt.id, over);
  return over;
}
