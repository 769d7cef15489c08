import type { Answer, Exchange } from './exchange.ts';

/** Headers that a browser client sends to sign, to pay and to use an API key. */
const USUAL = [
  'content-type',
  'content-digest',
  'signature',
  'signature-input',
  'prefer',
  'x-payment',
  'payment-signature',
  'authorization',
  'idempotency-key',
];
const MAX_AGE_SECONDS = '86400';
/** Header names of a request; what else stands in the list is left out of the answer. */
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const ASKED_MAX = 64;

/**
 * Answers OPTIONS. A page of any origin may send the headers that it asks for: official clients add
 * headers of their own, and no header is a credential that a browser would add by itself.
 */
export function preflight(
  { request }: Exchange,
  allow: string,
  protocol: readonly string[] = [],
): Answer {
  const asked = String(request.headers['access-control-request-headers'] ?? '')
    .toLowerCase()
    .split(',', ASKED_MAX)
    .map((each) => each.trim())
    .filter((each) => HEADER_NAME.test(each));
  return {
    status: 204,
    headers: {
      allow,
      vary: 'access-control-request-headers',
      'access-control-allow-methods': allow,
      'access-control-allow-headers': [...new Set([...USUAL, ...protocol, ...asked])].join(', '),
      'access-control-max-age': MAX_AGE_SECONDS,
    },
  };
}
