import { decideIn } from '../../db/batch/inside.ts';
import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { HOSTED_SERVED } from '../../db/hosted/agents.ts';
import { KARMA_GIVEN } from '../../db/karma/karmaTables.ts';
import { BREAKERS, CALLS } from '../../db/router/calls.ts';
import { CALL_QUOTES } from '../../db/router/quotes.ts';
import type { Writer } from '../../db/store.ts';
import { LINKED } from '../../db/tasks/linkLookups.ts';
import { accountClass } from '../../domain/account.ts';
import { fullWorth, moneyBehind, type KarmaCause } from '../../domain/karma.ts';
import { ZERO } from '../../domain/money.ts';
import { afterQuote, outcomeOf, sayPaidEnding } from '../../domain/router/ending.ts';
import { sentence } from '../../domain/router/receipt.ts';
import type { Receipt, UpstreamReceipt } from '../../domain/router/receipt.ts';
import { tried } from '../../domain/router/select.ts';
import type { Hub } from '../kernel/hub.ts';
import { holdAmount, readsOfEnd, readsOfHold } from '../metering/meter.ts';
import { networkKind } from '../wallet/networkKind.ts';
import { endUpstream, keepUpstream, type SignedUpstream } from '../x402/upstream.ts';
import type { CallUnderWay } from './begin.ts';
import { meterOf, returnPrice, servedCause } from './money.ts';
import { upstreamReceipt, type ChainPart, type OnChain } from './onChain.ts';
import { measure, pairOf, type Ended } from './remember.ts';
import { answered, close, served, sharesOf, turn, type After, type Progress } from './turn.ts';

/** How a candidate ended, with what the chain has to do with it. */
export interface EndedTurn extends Ended {
  readonly part: ChainPart;
}

/**
 * Records the outcome of one candidate: pays the one that served, tries it again at its quote, or
 * turns to the next one. Returns undefined when another process ended the call in the meantime and
 * returned the money; then nothing is written, so a call is never both charged and returned.
 */
export async function conclude(
  hub: Hub,
  underWay: CallUnderWay,
  ended: EndedTurn,
  progress: Progress,
): Promise<After | undefined> {
  const { offer } = ended.part;
  if (underWay.upstream !== undefined) {
    const { upstream } = underWay;
    return hub.store.write((tx) =>
      concludePaid(tx, hub, { ...underWay, upstream }, ended, progress),
    );
  }
  if (offer !== undefined && !('why' in offer)) {
    return hub.store.write((tx) => concludeOffered(tx, hub, underWay, { ended, offer }, progress));
  }
  const cause = await causeOf(hub, underWay, ended);
  return hub.store.decide({
    needs: readsOfEnding(hub, underWay, ended, cause),
    decide(db) {
      const receipt = answered(db, hub, underWay, ended, progress);
      return receipt && judged(db, hub, { ...underWay, receipt }, { ended, cause }, progress);
    },
  });
}

function readsOfEnding(
  hub: Hub,
  underWay: CallUnderWay,
  ended: Ended,
  cause: KarmaCause | undefined,
): readonly Need[] {
  const { candidate, receipt } = underWay;
  const { endpoint, hosted, listingId } = candidate;
  const { ending } = ended;
  const quoted = ending.end === 'quoted' ? ending.price : undefined;
  const pair = pairOf(underWay);
  const { hold, operation } = receipt;
  return [
    need(CALLS, receipt.id),
    need(BREAKERS, endpoint),
    ...(hold === undefined
      ? []
      : readsOfEnd(hub, meterOf(receipt), hold, sharesOf(underWay, ended))),
    ...(hosted === undefined ? [] : [need(HOSTED_SERVED, hosted.keyId)]),
    ...(pair === undefined ? [] : [need(LINKED, pair)]),
    ...(cause === undefined ? [] : [need(KARMA_GIVEN, cause)]),
    // It may be tried again with that much held.
    ...(quoted === undefined
      ? []
      : [
          need(CALL_QUOTES, { listingId, operation }),
          ...readsOfHold(hub, meterOf(receipt), quoted.amount),
        ]),
  ];
}

interface Judged {
  readonly ended: EndedTurn;
  /** The karma that serving earns the paid account. */
  readonly cause: KarmaCause | undefined;
}

function judged(
  db: Decider,
  hub: Hub,
  underWay: CallUnderWay,
  { ended, cause }: Judged,
  progress: Progress,
): After {
  const { candidate, receipt, retried } = underWay;
  const { ending } = ended;
  if (ending.end === 'served') return { done: served(db, hub, underWay, ended, cause) };
  if (ending.end !== 'quoted') return turn(db, hub, underWay, ended, progress);
  const held = receipt.hold?.amount ?? ZERO;
  const sofar = { held, offered: underWay.credit !== undefined, retried };
  const after = afterQuote(ending.price, candidate, receipt, sofar);
  if ('why' in after) {
    const { offer } = ended.part;
    const why = offer !== undefined && 'why' in offer ? notPaid(receipt, offer.why) : after.why;
    return turn(db, hub, underWay, ended, progress, why);
  }
  const again = holdAmount(db, hub, meterOf(receipt), after.retryAt, receipt.hold);
  if ('refused' in again) {
    const why = `It asks ${after.retryAt} atomic USDC, and ${again.spendable} are spendable.`;
    return turn(db, hub, underWay, ended, progress, why);
  }
  const { hold, transferId: credit } = again;
  const retrying = { ...receipt, hold };
  db.put(CALLS, receipt.id, retrying);
  return {
    underWay: { ...underWay, receipt: retrying, credit, retried: true },
    worst: progress.worst,
  };
}

function notPaid({ quotedPrice = ZERO }: Receipt, why: string): string {
  return `It asks ${quotedPrice} atomic USDC, and ${why}.`;
}

async function causeOf(
  hub: Hub,
  underWay: CallUnderWay,
  ended: Ended,
): Promise<KarmaCause | undefined> {
  const [share] = sharesOf(underWay, ended);
  if (share === undefined || accountClass(share.account) !== 'user') return undefined;
  const { receipt } = underWay;
  const cause = servedCause(receipt, share.account, hub.clock.now());
  const money = moneyBehind(await networkKind(hub, receipt.network));
  return fullWorth(cause.reason, money) === 0 ? undefined : cause;
}

/** Ends a call whose candidate was paid on the chain. */
async function concludePaid(
  tx: Writer,
  hub: Hub,
  underWay: CallUnderWay & Required<Pick<CallUnderWay, 'upstream'>>,
  ended: EndedTurn,
  progress: Progress,
): Promise<After | undefined> {
  const receipt = await decideIn(tx, {
    needs: [],
    decide: (db) => answered(db, hub, underWay, ended, progress),
  });
  if (receipt === undefined) return undefined;
  const { payment } = underWay.upstream;
  const upstream = upstreamReceipt(await endUpstream(tx, hub, payment.id, ended.part.fate));
  const paid = { ...underWay, receipt: { ...receipt, upstream } };
  const done = await decideIn(tx, {
    needs: [],
    decide: (db) => overPaid(db, hub, paid, ended, upstream),
  });
  return { done };
}

/** No other candidate is tried after a payment on the chain: that money may be gone. */
function overPaid(
  db: Decider,
  hub: Hub,
  underWay: CallUnderWay,
  ended: Ended,
  upstream: UpstreamReceipt,
): Receipt {
  const { candidate, receipt } = underWay;
  const { ending } = ended;
  measure(db, hub, underWay, ended);
  const { listingId } = candidate;
  const why = sentence(sayPaidEnding(ending, upstream));
  const isServed = ending.end === 'served';
  const reported: Receipt = {
    ...receipt,
    refused: isServed ? receipt.refused : [...receipt.refused, { listingId, why }],
    considered: tried(receipt.considered, listingId, isServed ? 'It served.' : why),
  };
  const outcome = ending.end === 'quoted' ? 'failed' : outcomeOf(ending);
  return close(db, hub, reported, outcome, why);
}

/** Tries the same agent once more, paid on the chain, or turns to the next one. */
async function concludeOffered(
  tx: Writer,
  hub: Hub,
  underWay: CallUnderWay,
  {
    ended,
    offer,
  }: { readonly ended: EndedTurn; readonly offer: Exclude<OnChain, { why: string }> },
  progress: Progress,
): Promise<After | undefined> {
  const { along, ...signed } = offer;
  const receipt = await decideIn(tx, {
    needs: [],
    decide(db) {
      const quoted = answered(db, hub, underWay, ended, progress);
      // An amount that was held for credit is not held besides.
      return quoted && returnPrice(db, hub, quoted);
    },
  });
  if (receipt === undefined) return undefined;
  const { id: callId, caller: account } = receipt;
  const payment = await keepUpstream(tx, hub, signed satisfies SignedUpstream, { callId, account });
  return decideIn<After>(tx, {
    needs: [],
    decide(db) {
      if ('why' in payment) {
        const why = notPaid(receipt, payment.why);
        return turn(db, hub, { ...underWay, receipt }, ended, progress, why);
      }
      db.put(CALLS, callId, receipt);
      const { credit: _, ...rest } = underWay;
      return {
        underWay: { ...rest, receipt, upstream: { payment, along } },
        worst: progress.worst,
      };
    },
  });
}
