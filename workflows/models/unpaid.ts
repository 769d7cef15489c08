import { refuse } from '../../server/hub/errors.ts';
import type { AdmittedCall } from './admit.ts';

/**
 * Where a call that no account pays for, or that brings a payment, turns to the rails (interface,
 * Models, rule 5). Without a rail there is nothing to take a payment with: the price is quoted, and
 * `accepts` is empty.
 */
export function refuseUnpaid({ offer, worst, promptTokens, maxTokens }: AdmittedCall): never {
  return refuse('payment-required', {
    error: `This call costs at most ${worst} atomic USDC (${promptTokens} tokens of prompt, ${maxTokens} of answer by ${offer.id}) and nothing pays for it.`,
    hint: 'Sign the request with a key whose account has money: GET /api/v1/quickstart shows how. X-PAYMENT is not taken here yet.',
  });
}

export function refusePayment(header: string | undefined): void {
  if (header === undefined) return;
  refuse('payment-refused', {
    error:
      'This hub takes no X-PAYMENT for model calls yet; nothing was asked and nothing charged.',
    hint: 'Send the call without X-PAYMENT; it is paid from the balance of the account.',
  });
}
