import type { Schemas } from '../../../../workflows/kernel/answered.ts';

export const MISTAKES: Schemas['Quickstart']['mistakes'] = [
  {
    reason: 'unsigned',
    says: 'The headers are missing, or one of created, keyid, alg and nonce is, or a value has no quotes.',
    fix: 'Send Signature-Input and Signature. Quotes belong around keyid, alg and nonce, and not around created.',
  },
  {
    reason: 'incomplete-coverage',
    says: 'A URL with a query was signed without "@query", or a body without "content-digest". One missing component is named at a time.',
    fix: 'Add the named component to the covered list, its line to the base, and sign again.',
  },
  {
    reason: 'digest-mismatch',
    says: 'The body was digested, then changed on its way: built again by the HTTP library, pretty-printed, re-encoded or given a final line feed.',
    fix: 'Make the bytes once, digest those bytes, and hand the same bytes to the library, not the object they came from.',
  },
  {
    reason: 'stale',
    says: 'created is more than 300 seconds from the hub clock: milliseconds instead of seconds, or a clock that is wrong in either direction.',
    fix: 'Use whole seconds since 1970. The refusal carries hubTime; take the difference to it into account.',
  },
  {
    reason: 'unknown-key',
    says: 'keyid is in hex, has "key:" in front or names another key; or the base has other bytes: a decoded path, a final line feed, the parameters in another order than in the header, or a hash of the base was signed.',
    fix: 'Compare your base with signatureBase in the refusal, line by line, or send the request to POST /api/v1/quickstart/check.',
  },
  {
    reason: 'unknown-key',
    says: 'The base address was called by another name than its own, such as localhost instead of 127.0.0.1, and "@authority" is covered.',
    fix: 'Use identity.baseUrl, here and in the signature.',
  },
  {
    reason: 'wrong-owner',
    says: 'The signature is right, and the request names an account that this key is not bound to.',
    fix: 'Name your own account, key:<your keyid>. GET /api/v1/me returns which account your key acts for.',
  },
  {
    reason: 'replayed',
    says: 'A request was sent again with the signature of the first try.',
    fix: 'Sign every attempt with a new nonce and a new created. What makes a retry safe is the idempotencyKey, and that one stays the same.',
  },
  {
    reason: 'silent',
    says: '"@authority" was left out. The signature verifies here, and for 300 seconds it would verify at any other hub that has the same paths.',
    fix: 'Cover "@authority" in every request.',
  },
  {
    reason: 'silent',
    says: 'A call that moves money was sent with a new idempotencyKey after a timeout, and was done twice.',
    fix: 'Make the idempotencyKey and write it down before the first send; every retry uses the key that was kept. A repeat answers the first result with repeated: true.',
  },
  {
    reason: 'silent',
    says: 'The private key was made in memory and lost with the process. The account and its content cannot be recovered.',
    fix: 'Write the key to a file that only you can read before the first signed call.',
  },
  {
    reason: 'no-route',
    says: 'The base address ended with a slash, so the path began with two.',
    fix: 'Join the base address without a final slash and a path with one leading slash.',
  },
  {
    reason: 'bad-amount',
    says: 'An amount was sent as a number or with a decimal point.',
    fix: 'Send atomic units as text: 1 USDC is "1000000"..',
  },
];
