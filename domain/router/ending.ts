import { ZERO, type Atomic } from '../money.ts';
import type { Price } from '../registry/listing.ts';
import { isFree, payable, type Priced, type Purse } from './price.ts';
import type { WayToPay } from '../x402/way.ts';
import type { AttemptEnd, CallOutcome, Unmet, UpstreamReceipt } from './receipt.ts';

/**
 * How a call of a candidate ended (choices router.calls, router.quotes; Router rules 2, 3). A price
 * is no fault, and only an answer with content is charged.
 */
export type Ending =
  | { readonly end: 'served'; readonly result: unknown; readonly empty: boolean }
  /** `way` is how the hub could pay it on the chain of the call's network. */
  | { readonly end: 'quoted'; readonly price?: Price; readonly way?: OfferedWay }
  | { readonly end: 'key-needed'; readonly message: string }
  /** A whole answer that is an error; a fault is one that no healthy endpoint gives. */
  | { readonly end: 'refused'; readonly message: string; readonly isFault: boolean }
  /** An answer that breaks what was promised; `result` is absent where the caller's rule decided. */
  | (Unmet & { readonly end: 'unmet'; readonly message: string; readonly result?: unknown })
  /** No answer, or none that can be read; `sent` when the agent may have run it all the same. */
  | { readonly end: 'broken'; readonly message: string; readonly sent: boolean }
  /** The hub itself was in the way: no agent was called and nothing is recorded about it. */
  | { readonly end: 'not-called'; readonly message: string };

interface OfferedWay extends WayToPay {
  /** Where the quote stood, and where its payment goes. */
  readonly place: 'header' | 'meta';
}

/** Whether an endpoint that ends calls like this should be left alone for a while. */
export function isFault(ending: Ending): boolean {
  return ending.end === 'broken' || (ending.end === 'refused' && ending.isFault);
}

/** Returns the part of one attempt in the measurements of a listing; undefined adds nothing. */
export function attemptEnd({ end }: Ending): AttemptEnd | undefined {
  switch (end) {
    case 'served':
      return 'ok';
    case 'quoted':
      return 'quoted';
    case 'key-needed':
      return 'keyNeeded';
    case 'refused':
    case 'unmet':
      return 'failed';
    case 'broken':
      return 'timedOut';
    case 'not-called':
      return undefined;
  }
}

export type AttemptOutcome = Exclude<CallOutcome, 'running' | 'none-suitable'>;

export function outcomeOf(ending: Ending): AttemptOutcome {
  switch (ending.end) {
    case 'served':
      return 'served';
    case 'quoted':
      return 'priced';
    case 'broken':
      return ending.sent ? 'unknown' : 'failed';
    case 'key-needed':
    case 'refused':
    case 'unmet':
    case 'not-called':
      return 'failed';
  }
}

const WEIGHT: Readonly<Record<AttemptOutcome, number>> = {
  failed: 0,
  priced: 1,
  unknown: 2,
  served: 3,
};

/** Returns the one of several attempts that matters most to the caller. */
export function graver(a: AttemptOutcome, b: AttemptOutcome): AttemptOutcome {
  return WEIGHT[b] >= WEIGHT[a] ? b : a;
}

/** Returns the cost of a served call: nothing was promised for an empty answer. */
export function chargeOf(
  ending: Extract<Ending, { readonly end: 'served' }>,
  held: Atomic,
): Atomic {
  return ending.empty ? ZERO : held;
}

/**
 * Returns the next step after a live quote: one more try with that much held, or its report as a
 * price. A quote of what was held and offered was made by an agent that does not take the hub's
 * credit. Where credit leads nowhere it may be paid on the chain (choices router.upstream).
 */
export function afterQuote(
  price: Price | undefined,
  of: Priced,
  purse: Purse,
  sofar: { readonly held: Atomic; readonly offered: boolean; readonly retried: boolean },
): { readonly retryAt: Atomic } | { readonly why: string; readonly mayPay?: true } {
  if (price === undefined) return { why: 'It asked for payment and named no price in USDC.' };
  const message = `It asks ${price.amount} atomic ${price.asset}`;
  const verdict = payable(price, purse, of.refunds);
  if ('refused' in verdict) return { why: verdict.why };
  if (isFree(of, purse)) {
    const isOwn = of.owner !== undefined;
    if (isOwn) return { why: `${message}; it is yours, and the hub pays only accounts here.` };
    const why = 'no account here holds its domain, so there is none to credit';
    return { why: `${message}; ${why}, and the hub pays only accounts here.`, mayPay: true };
  }
  if (sofar.retried) {
    return { why: `${message} again, although that much was held for it.`, mayPay: true };
  }
  if (sofar.offered && sofar.held === verdict.due) {
    const why = `${message} although that much was held for it; it does not take hub-credit.`;
    return { why, mayPay: true };
  }
  return { retryAt: verdict.due };
}

/** Describes the end of an attempt that was paid on the chain, for the receipt. */
export function sayPaidEnding(ending: Ending, { amount, state }: UpstreamReceipt): string {
  return `${saysOf(ending)} ${PAYMENT_SAYS[state](amount)}`;
}

function saysOf(ending: Ending): string {
  if (ending.end === 'quoted') return 'It asked for payment although it was paid.';
  if (ending.end === 'served') return ending.empty ? 'It answered with nothing.' : 'It answered.';
  if (ending.end === 'broken' && ending.sent) return `${ending.message} It may have been run.`;
  return ending.message;
}

const PAYMENT_SAYS: Readonly<Record<UpstreamReceipt['state'], (amount: Atomic) => string>> = {
  settled: (amount) => `It took ${amount} atomic USDC on the chain, which you were charged.`,
  open: (amount) =>
    `Its payment of ${amount} atomic USDC is on its way: you are charged when the chain shows it, and have it back when it can settle no more.`,
  returned: (amount) => `It did not take its ${amount} atomic USDC, which you have back.`,
};

export function sayEnding(ending: Ending): string {
  switch (ending.end) {
    case 'served':
      return ending.empty ? 'It answered with nothing, so nothing was charged.' : 'It answered.';
    case 'quoted':
      return 'It asked for payment.';
    case 'broken':
      return ending.sent
        ? `${ending.message} The request had been sent, so it may have been run; nothing was charged.`
        : ending.message;
    case 'key-needed':
    case 'refused':
    case 'unmet':
    case 'not-called':
      return ending.message;
  }
}
