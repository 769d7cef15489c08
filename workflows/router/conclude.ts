import { insertAttempt } from '../../db/router/attempts.ts';
import { lockRunning, updateCall } from '../../db/router/calls.ts';
import { breakerOf, saveBreaker, saveQuote } from '../../db/router/memory.ts';
import { linked } from '../../db/tasks/links.ts';
import type { Writer } from '../../db/store.ts';
import { defined } from '../../domain/defined.ts';
import { ZERO } from '../../domain/money.ts';
import { afterFault, SOUND } from '../../domain/router/breaker.ts';
import {
  afterQuote,
  attemptEnd,
  chargeOf,
  graver,
  isFault,
  outcomeOf,
  sayEnding,
} from '../../domain/router/ending.ts';
import type { AttemptOutcome, Ending } from '../../domain/router/ending.ts';
import { CALL_MS_MAX, closed, sentence } from '../../domain/router/receipt.ts';
import type { Receipt } from '../../domain/router/receipt.ts';
import { tried } from '../../domain/router/select.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { noteHostedCall } from '../hosted/note.ts';
import { beginNext, type CallUnderWay } from './begin.ts';
import { chargePrice, holdPrice, returnPrice } from './money.ts';

/** What came back from one candidate, measured. */
export interface Ended {
  readonly ending: Ending;
  readonly latencyMs: number;
  /** Of the body of its answer; absent when it gave none. */
  readonly hash?: string;
  readonly bytes: number;
}

export interface Progress {
  /** Milliseconds since the call began. */
  readonly elapsedMs: number;
  /** The gravest outcome of the candidates before this one. */
  readonly worst: AttemptOutcome;
  /** The caller said that the operation may be run twice. */
  readonly repeatable: boolean;
}

/** The call goes on with somebody, or is over. */
export type After =
  { readonly underWay: CallUnderWay; readonly worst: AttemptOutcome } | { readonly done: Receipt };

/**
 * Writes down what came of one candidate: pays it, tries it again at its quote, or turns to the
 * next one. Answers undefined when the call was ended by somebody else in the meantime, who
 * returned the money; then nothing is written, so a call is never both charged and returned.
 */
export async function conclude(
  tx: Writer,
  hub: Hub,
  underWay: CallUnderWay,
  ended: Ended,
  progress: Progress,
): Promise<After | undefined> {
  const running = await lockRunning(tx, underWay.receipt.id);
  if (running === undefined) return undefined;
  const { ending, hash, bytes } = ended;
  const receipt: Receipt = {
    ...running,
    durationMs: progress.elapsedMs,
    ...defined({ responseHash: hash }),
    responseBytes: bytes,
    ...(ending.end === 'quoted' &&
      ending.price !== undefined && { quotedPrice: ending.price.amount }),
  };
  await remember(tx, hub, underWay, ended);
  if (ending.end === 'served')
    return { done: await serve(tx, hub, { ...underWay, receipt }, ended) };
  if (ending.end !== 'quoted') return turn(tx, hub, { ...underWay, receipt }, ended, progress);
  const held = receipt.hold?.amount ?? ZERO;
  const sofar = { held, offered: underWay.credit !== undefined, retried: underWay.retried };
  const after = afterQuote(ending.price, underWay.candidate, receipt, sofar);
  if ('why' in after) return turn(tx, hub, { ...underWay, receipt }, ended, progress, after.why);
  const again = await holdPrice(tx, hub, receipt, after.retryAt);
  if ('refused' in again) {
    const why = `It asks ${after.retryAt} atomic USDC, and ${again.spendable} are spendable.`;
    return turn(tx, hub, { ...underWay, receipt }, ended, progress, why);
  }
  await updateCall(tx, again.receipt);
  return { underWay: { ...underWay, ...again, retried: true }, worst: progress.worst };
}

/** What later calls and the measurements of the listing learn from it. */
async function remember(
  tx: Writer,
  hub: Hub,
  underWay: CallUnderWay,
  { ending }: Ended,
): Promise<void> {
  const { candidate, receipt } = underWay;
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

async function serve(tx: Writer, hub: Hub, underWay: CallUnderWay, ended: Ended): Promise<Receipt> {
  const { candidate, receipt } = underWay;
  const { ending } = ended;
  const held = receipt.hold?.amount ?? ZERO;
  const { owner } = candidate;
  const isCharged = ending.end === 'served' && chargeOf(ending, held) > ZERO && owner !== undefined;
  const paid = isCharged
    ? await chargePrice(tx, hub, receipt, owner)
    : await returnPrice(tx, hub, receipt);
  await measure(tx, hub, { ...underWay, receipt: paid }, ended);
  const considered = tried(paid.considered, candidate.listingId, 'It served.');
  return close(tx, hub, { ...paid, considered }, 'served', sayEnding(ending));
}

/** Returns what was held and goes on with whoever is next; the last one ends the call. */
async function turn(
  tx: Writer,
  hub: Hub,
  underWay: CallUnderWay,
  ended: Ended,
  { elapsedMs, worst: before, repeatable }: Progress,
  reason?: string,
): Promise<After> {
  const { candidate, rest } = underWay;
  const { ending } = ended;
  await measure(tx, hub, underWay, ended);
  const why = sentence(reason ?? sayEnding(ending));
  const price = ending.end === 'quoted' ? ending.price : undefined;
  const { listingId } = candidate;
  const returned = await returnPrice(tx, hub, underWay.receipt);
  const receipt: Receipt = {
    ...returned,
    refused: [...returned.refused, { listingId, why, ...defined({ price }) }],
    considered: tried(returned.considered, listingId, why),
  };
  const worst = graver(before, outcomeOf(ending));
  // What may have been run is not run again elsewhere, unless the caller said that it may be.
  const mayGoOn = repeatable || outcomeOf(ending) !== 'unknown';
  const isOver = !mayGoOn || elapsedMs >= CALL_MS_MAX;
  const next = isOver ? { receipt } : await beginNext(tx, hub, receipt, rest);
  if ('candidate' in next) {
    await updateCall(tx, next.receipt);
    return { underWay: next, worst };
  }
  const end = mayGoOn ? whyNobody(receipt, why) : why;
  return { done: await close(tx, hub, receipt, worst, end) };
}

function whyNobody({ refused }: Receipt, last: string): string {
  if (refused.length === 1) return last;
  return `${refused.length} agents were called and none served; \`refused\` has the reason of each.`;
}

async function close(
  tx: Writer,
  hub: Hub,
  receipt: Receipt,
  outcome: AttemptOutcome,
  why: string,
): Promise<Receipt> {
  const over = closed(receipt, outcome, why, hub.clock.now());
  await updateCall(tx, over);
  return over;
}

async function measure(tx: Writer, hub: Hub, underWay: CallUnderWay, ended: Ended): Promise<void> {
  const { candidate, receipt } = underWay;
  const how = attemptEnd(ended.ending);
  await noteForHolder(tx, hub, underWay, ended);
  if (how === undefined) return;
  const { holder, listingId } = candidate;
  await insertAttempt(tx, {
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
async function noteForHolder(
  tx: Writer,
  hub: Hub,
  { candidate, receipt }: CallUnderWay,
  { ending, latencyMs }: Ended,
): Promise<void> {
  const { hosted } = candidate;
  if (hosted === undefined) return;
  const outcome = hostedOutcome(ending);
  const { id: receiptId, caller, operation: tool, cost } = receipt;
  await noteHostedCall(tx, hub, {
    keyId: hosted.keyId,
    caller,
    tool,
    price: outcome === 'served' ? cost : ZERO,
    outcome,
    why: sayEnding(ending),
    durationMs: latencyMs,
    receiptId,
  });
}

function hostedOutcome(ending: Ending): 'served' | 'failed' | 'refused' | 'unknown' {
  if (ending.end === 'served') return 'served';
  if (ending.end === 'not-called') return 'refused';
  return ending.end === 'broken' && ending.sent ? 'unknown' : 'failed';
}
