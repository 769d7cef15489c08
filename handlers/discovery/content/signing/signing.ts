import { PAYMENT_HEADERS, SIGNATURE_ALGORITHM } from '../../../../domain/httpsig/base.ts';
import { HTTPSIG_LIMITS } from '../../../../domain/httpsig/limits.ts';
import type { Schemas } from '../../../../workflows/kernel/answered.ts';
import type { Hub } from '../../../../workflows/kernel/hub.ts';
import { signedExample } from './example.ts';
import { sandboxKey } from './sandboxKey.ts';

/** Authentication 2 to 9 in the order in which a signer needs them. */
type SigningGuide = Schemas['SigningGuide'];

const [PAYMENT_V1, PAYMENT_V2] = PAYMENT_HEADERS;
const { maxAgeSeconds, nonceLengthMin, nonceLengthMax } = HTTPSIG_LIMITS;

const COMPONENTS: SigningGuide['components'] = [
  { name: '@method', when: 'always', value: 'The method in capitals, such as POST.' },
  {
    name: '@authority',
    when: 'always, though the hub does not insist',
    value:
      'Host and port of the base address in lower case, without a default port. Without it the same bytes are valid at any other hub for 300 seconds.',
  },
  {
    name: '@path',
    when: 'always',
    value: 'The path exactly as it is sent, still percent-encoded, without the query.',
  },
  {
    name: '@query',
    when: 'when the URL has a query string',
    value: 'The query exactly as it is sent, with its leading ?.',
  },
  {
    name: 'content-digest',
    when: 'when there is a body',
    value: 'The value of the Content-Digest header.',
  },
  {
    name: PAYMENT_V1,
    when: 'when that header is sent',
    value: 'The value of the X-PAYMENT header.',
  },
  {
    name: PAYMENT_V2,
    when: 'when that header is sent',
    value: 'The value of the PAYMENT-SIGNATURE header.',
  },
];

const PARAMETERS: SigningGuide['parameters'] = [
  {
    name: 'created',
    value: `Unix time in whole seconds, no quotes, within ${maxAgeSeconds} of the hub's clock.`,
  },
  {
    name: 'keyid',
    value: 'The base58 of the 32-byte public key, in quotes, without "key:"..',
  },
  { name: 'alg', value: `"${SIGNATURE_ALGORITHM}"` },
  {
    name: 'nonce',
    value: `${nonceLengthMin} to ${nonceLengthMax} characters in quotes, new for every request; 16 random bytes do.`,
  },
];

const HEADERS: SigningGuide['headers'] = [
  {
    name: 'Content-Digest',
    value: 'sha-256=:<base64 of SHA-256 over the exact body bytes>:',
    when: 'when there is a body',
  },
  {
    name: 'Signature-Input',
    value: 'sig1=(<covered list>);created=<unix>;keyid="<key id>";alg="ed25519";nonce="<nonce>"',
    when: 'always',
  },
  { name: 'Signature', value: 'sig1=:<base64 of the 64-byte signature>:', when: 'always' },
];

const BASE =
  'One line for each covered component, in the order of the list: the name in quotes, a colon, a ' +
  'space, the value. The last line is "@signature-params": followed by what Signature-Input says ' +
  'after "sig1=", letter by letter. Lines are joined with a line feed and none follows the last. ' +
  'Sign these bytes with ed25519 as they are, without hashing them first.';

const WARNING =
  'Everybody can sign as this account, and take what is in it. It is for comparing bytes: pay ' +
  'nothing to it, and make a key of your own for everything else.';

export function signingGuide(hub: Hub): SigningGuide {
  return {
    standard: 'RFC 9421 (HTTP Message Signatures) with RFC 9530 (Digest Fields)',
    algorithm: SIGNATURE_ALGORITHM,
    maxAgeSeconds,
    components: COMPONENTS,
    parameters: PARAMETERS,
    headers: HEADERS,
    base: BASE,
    refusalOrder: [
      'unsigned',
      'incomplete-coverage',
      'stale',
      'unknown-key',
      'digest-mismatch',
      'wrong-owner',
      'replayed',
    ],
    sandboxKey: { ...sandboxKey, warning: WARNING },
    example: signedExample(hub),
  };
}
