import { defined } from '../../domain/defined.ts';
import { atomic, display, type Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { BazaarExtension } from '../../domain/x402/bazaar.ts';
import { envelope } from '../../domain/x402/envelope.ts';
import type { Rail } from '../../domain/x402/rail.ts';
import { receiptHeaders } from '../../domain/x402/receipt.ts';
import { offerV1, paymentRequiredV2, type Terms } from '../../domain/x402/terms.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { head } from '../../domain/text.ts';

/** The price, in the words of the operation that asks. */
export interface Price {
  readonly network: NetworkId;
  /** Atomic units that are missing. */
  readonly amount: Atomic;
  /** Path of the operation, such as `/api/v1/call`. */
  readonly path: string;
  /** The purchase, such as `a call of convert_currency`. */
  readonly description: string;
  /** How it is called, for facilitators that list what is sold. */
  readonly bazaar?: BazaarExtension;
}

/** Less than this costs more to settle than it brings; what is over stays in the account. */
const PAYMENT_MIN = atomic(1_000n);
export const payable = (price: Atomic): Atomic => (price < PAYMENT_MIN ? PAYMENT_MIN : price);
/** Where the rest of a payment stays, for a wallet that pays without a key. */
export const WHAT_IS_LEFT =
  'What a call does not use stays in the account of the wallet: while that covers a call, the payment that you sign for it is not settled. To withdraw it, prove the wallet at POST /api/v1/wallet/{owner}/payout-address.';
const DESCRIPTION_LENGTH_MAX = 200;
const NO_STORE = { 'cache-control': 'no-store' };

export function termsOf(hub: Hub, rail: Rail, price: Price): Terms {
  const { amount, path, description, bazaar } = price;
  return {
    rail,
    amount: payable(amount),
    resource: `${hub.settings.baseUrl}${path}`,
    description: head(description, DESCRIPTION_LENGTH_MAX),
    ...defined({ bazaar }),
  };
}

/** Answers 402 with the price in both versions of x402, without ways to pay if there is no rail. */
export function paymentRequired(
  hub: Hub,
  price: Price,
  rail: Rail | undefined,
  detail: { readonly error?: string; readonly hint?: string } = {},
): never {
  const { description, network } = price;
  const amount = rail === undefined ? price.amount : termsOf(hub, rail, price).amount;
  const error =
    detail.error ??
    `This needs ${amount} atomic units (${display(amount)} USDC) on ${network} for ${description}, and nothing pays for it yet.`;
  const words = { error, ...defined({ hint: detail.hint }) };
  if (rail === undefined) return refuse('payment-required', words, NO_STORE);
  const terms = termsOf(hub, rail, price);
  return refuse('payment-required', { ...words, accepts: [offerV1(terms)] }, quoteOf(terms, error));
}

/** A payment that is not taken: x402's word, and a sentence. */
export interface Refusal {
  readonly fault: string;
  readonly why: string;
  /** Whose payment it was, when that is known. */
  readonly payer?: string;
  readonly hint?: string;
}

/** Answers 402 to a payment that is not taken, with the terms of one that would be. */
export function refusePayment(refusal: Refusal, terms: Terms | undefined): never {
  const { fault, why, payer, hint } = refusal;
  const error = `${fault}: ${why}.`;
  const words = { error, ...defined({ hint }) };
  if (terms === undefined) return refuse('payment-refused', words, NO_STORE);
  const { rail } = terms;
  const receipt = payer === undefined ? {} : receiptHeaders({ rail, payer, fault });
  const headers = { ...quoteOf(terms, fault), ...receipt };
  return refuse('payment-refused', { ...words, accepts: [offerV1(terms)] }, headers);
}

function quoteOf(terms: Terms, error: string): Readonly<Record<string, string>> {
  return { ...NO_STORE, 'payment-required': envelope(paymentRequiredV2(terms, error)) };
}
