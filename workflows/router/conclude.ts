import { decideIn } from '../../db/batch/inside.ts';
import { lockRunning, updateCall } from '../../db/router/calls.ts';
import type { Writer } from '../../db/store.ts';
import { defined } from '../../domain/defined.ts';
import { ZERO } from '../../domain/money.ts';
import {
  afterQuote,
  graver,
  outcomeOf,
  sayEnding,
  sayPaidEnding,
} from '../../domain/router/ending.ts';
import type { AttemptOutcome } from '../../domain/router/ending.ts';
import { CALL_MS_MAX, closed, sentence } from '../../domain/router/receipt.ts';
import type { Receipt, UpstreamReceipt } from '../../domain/router/receipt.ts';
import { tried } from '../../domain/router/select.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { endUpstream, keepUpstream } from '../x402/upstream.ts';
import { nextTurn, type CallUnderWay } from './begin.ts';
import { holdPrice, returnPrice } from './money.ts';
import { upstreamReceipt, type ChainPart, type OnChain } from './onChain.ts';
import { measure, remember, type Ended } from './remember.ts';

/** With what the chain has to do with it. */
export interface EndedTurn extends Ended {
  readonly part: ChainPart;
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
 * Writes down what came of one candidate that did not plainly serve (`served.ts`): tries it again at
 * its quote, or turns to the next one. Answers undefined when the call was ended by somebody else in
 * the meantime, who returned the money; then nothing is written, so a call is never both charged and
 * returned.
 */
export async function conclude(
  tx: Writer,
  hub: Hub,
  underWay: CallUnderWay,
  ended: EndedTurn,
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
  if (underWay.upstream !== undefined) {
    const paid = await endUpstream(tx, hub, underWay.upstream.payment.id, ended.part.fate);
    const upstream = upstreamReceipt(paid);
    return {
      done: await overPaid(
        tx,
        hub,
        { ...underWay, receipt: { ...receipt, upstream } },
        ended,
        upstream,
      ),
    };
  }
  if (ending.end !== 'quoted') return turn(tx, hub, { ...underWay, receipt }, ended, progress);
  const held = receipt.hold?.amount ?? ZERO;
  const sofar = { held, offered: underWay.credit !== undefined, retried: underWay.retried };
  const after = afterQuote(ending.price, underWay.candidate, receipt, sofar);
  if ('why' in after) {
    const { offer } = ended.part;
    if (offer === undefined) {
      return turn(tx, hub, { ...underWay, receipt }, ended, progress, after.why);
    }
    const kept = await keepOffer(tx, hub, { ...underWay, receipt }, offer);
    if (!('why' in kept)) return { underWay: kept, worst: progress.worst };
    return turn(tx, hub, { ...underWay, receipt: kept.receipt }, ended, progress, kept.why);
  }
  const again = await holdPrice(tx, hub, receipt, after.retryAt);
  if ('refused' in again) {
    const why = `It asks ${after.retryAt} atomic USDC, and ${again.spendable} are spendable.`;
    return turn(tx, hub, { ...underWay, receipt }, ended, progress, why);
  }
  await updateCall(tx, again.receipt);
  return { underWay: { ...underWay, ...again, retried: true }, worst: progress.worst };
}

/** The same agent once more, paid on the chain; or why it is not. */
async function keepOffer(
  tx: Writer,
  hub: Hub,
  underWay: CallUnderWay,
  offer: OnChain,
): Promise<CallUnderWay | { readonly receipt: Receipt; readonly why: string }> {
  const asks = `It asks ${underWay.receipt.quotedPrice ?? ZERO} atomic USDC, and`;
  if ('why' in offer) return { receipt: underWay.receipt, why: `${asks} ${offer.why}.` };
  const { along, ...signed } = offer;
  const { credit: _, ...rest } = underWay;
  // What was held for credit is not held besides.
  const receipt = await returnPrice(tx, hub, underWay.receipt);
  const { id: callId, caller: account } = receipt;
  const payment = await keepUpstream(tx, hub, signed, { callId, account });
  if ('why' in payment) return { receipt, why: `${asks} ${payment.why}.` };
  await updateCall(tx, receipt);
  return { ...rest, receipt, upstream: { payment, along } };
}

/** Nobody else is tried after somebody was paid on the chain: that money may be gone. */
async function overPaid(
  tx: Writer,
  hub: Hub,
  underWay: CallUnderWay,
  ended: Ended,
  upstream: UpstreamReceipt,
): Promise<Receipt> {
  const { candidate, receipt } = underWay;
  const { ending } = ended;
  await measure(tx, hub, underWay, ended);
  const { listingId } = candidate;
  const why = sentence(sayPaidEnding(ending, upstream));
  const isServed = ending.end === 'served';
  const told: Receipt = {
    ...receipt,
    refused: isServed ? receipt.refused : [...receipt.refused, { listingId, why }],
    considered: tried(receipt.considered, listingId, isServed ? 'It served.' : why),
  };
  const outcome = ending.end === 'quoted' ? 'failed' : outcomeOf(ending);
  return close(tx, hub, told, outcome, why);
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
  const next = isOver ? { receipt } : await decideIn(tx, nextTurn(hub, receipt, rest));
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
