import { sha256Hex } from '../digest.ts';
import { canonical } from '../json.ts';

/**
 * The objects that the hub signs: a prefix that names the kind of object and ends with a line feed,
 * then the body in canonical JSON (RFC 8785). The prefix keeps a signature of one kind from being
 * shown as another (choices time.pulses, threats.hash-ambiguity). `spec/BYTES.md` has every kind.
 */
export const PREFIXES = {
  now: 'hub/time/now/v1\n',
  promise: 'hub/time/promise/v1\n',
  pulse: 'hub/time/pulse/v1\n',
  seal: 'hub/ledger/seal/v1\n',
} as const;
export type Kind = keyof typeof PREFIXES;

export interface SignedObject<Body> {
  readonly body: Body;
  /** Base64url of the exact signed bytes, without padding. */
  readonly bytes: string;
  /** SHA-256 of the signed bytes, in hex. */
  readonly digest: string;
  /** Base64 of the 64-byte ed25519 signature. */
  readonly signature: string;
}

/** Stands for the object before the first one of a chain. */
export const NO_DIGEST = '0'.repeat(64);

export type Sign = (message: Uint8Array) => Uint8Array;

/** The text of the signed body: what has to be kept, as the prefix follows from the kind. */
export function bodyText(kind: Kind, { bytes }: SignedObject<unknown>): string {
  return Buffer.from(bytes, 'base64url').toString('utf8').slice(PREFIXES[kind].length);
}

export function fromBodyText<Body>(
  kind: Kind,
  text: string,
  rest: Pick<SignedObject<Body>, 'digest' | 'signature'>,
): SignedObject<Body> {
  const bytes = Buffer.from(PREFIXES[kind] + text, 'utf8').toString('base64url');
  return { body: JSON.parse(text) as Body, bytes, ...rest };
}

/** Signs a body as an object of its kind; what cannot be written as JSON throws TypeError. */
export function signObject<Body>(kind: Kind, body: Body, sign: Sign): SignedObject<Body> {
  const message = Buffer.from(PREFIXES[kind] + canonical(body), 'utf8');
  return {
    body,
    bytes: message.toString('base64url'),
    digest: sha256Hex(message),
    signature: Buffer.from(sign(message)).toString('base64'),
  };
}
