import type { Instant } from '../instant.ts';
import { atomic } from '../money.ts';
import { chainNameV1, chainNameV2, sameAddress } from './rail.ts';
import type { Payment } from './payment.ts';
import type { Terms } from './terms.ts';
import { refused, type RefusedPayment } from './words.ts';

/** An authorization that ends sooner cannot be settled in time. */
const SETTLE_SECONDS_MIN = 6n;
/** One that lasts longer would leave its outcome open for as long. */
const LAST_SECONDS_MAX = 3_600n;
/** Larger sums need a deposit, which waits until the chain cannot take them back. */
export const PAYMENT_MAX = atomic(1_000_000_000n);

/**
 * Judges a payment without a remote call: it is for this rail, this receiver and at least this
 * amount, and it can still be settled. The order is that of x402's own facilitators.
 */
export function judgePayment(
  payment: Payment,
  terms: Pick<Terms, 'rail' | 'amount'>,
  now: Instant,
): RefusedPayment | undefined {
  const { rail } = terms;
  const name = payment.x402Version === 1 ? chainNameV1(rail) : chainNameV2(rail);
  if (payment.chain !== name) {
    return refused('invalid_network', `it is for another chain; this hub settles on ${name}`);
  }
  return judgeAccepted(payment, terms) ?? judgeAuthorization(payment, terms, now);
}

function judgeAccepted(
  { accepted, authorization: { value } }: Payment,
  { rail }: Pick<Terms, 'rail'>,
): RefusedPayment | undefined {
  if (accepted === undefined) return undefined;
  if (!sameAddress(accepted.asset, rail.asset)) {
    const why = `it is in another token; this hub takes ${rail.asset}`;
    return refused('invalid_payment_requirements', why);
  }
  if (!sameAddress(accepted.payTo, rail.payTo)) {
    const why = `it accepts another payTo; this hub is paid at ${rail.payTo}`;
    return refused('invalid_payment_requirements', why);
  }
  if (accepted.amount === `${value}`) return undefined;
  const why = '`accepted.amount` and `value` of the authorization differ';
  return refused('invalid_exact_evm_payload_authorization_value_mismatch', why);
}

function judgeAuthorization(
  { authorization }: Payment,
  { rail, amount }: Pick<Terms, 'rail' | 'amount'>,
  now: Instant,
): RefusedPayment | undefined {
  const { to, value, validAfter, validBefore } = authorization;
  if (!sameAddress(to, rail.payTo)) {
    const why = `it pays ${to}; this hub is paid at ${rail.payTo}`;
    return refused('invalid_exact_evm_payload_recipient_mismatch', why);
  }
  const second = BigInt(Math.floor(now / 1000));
  if (validBefore < second + SETTLE_SECONDS_MIN) {
    const why = `it ends at ${validBefore}, and it is ${second}; sign one that lasts longer`;
    return refused('invalid_exact_evm_payload_authorization_valid_before', why);
  }
  if (validBefore > second + LAST_SECONDS_MAX) {
    const why = `it ends at ${validBefore}, more than ${LAST_SECONDS_MAX} s ahead of ${second}`;
    return refused('invalid_exact_evm_payload_authorization_valid_before', why);
  }
  if (validAfter >= second) {
    const why = `it begins after ${validAfter}, and it is ${second}`;
    return refused('invalid_exact_evm_payload_authorization_valid_after', why);
  }
  if (value < amount) {
    const why = `it pays ${value} atomic units, and ${amount} are asked for`;
    return refused('invalid_exact_evm_payload_authorization_value', why);
  }
  if (value <= PAYMENT_MAX) return undefined;
  const why = `it pays ${value} atomic units; an amount above ${PAYMENT_MAX} needs a deposit`;
  return refused('invalid_exact_evm_payload_authorization_value', why);
}
