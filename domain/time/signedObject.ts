import { sha256Hex } from '../digest.ts';
import { canonical } from '../json.ts';

/**
 * What the hub signs: a prefix that names the kind of object and ends with a line feed, then the
 * body in canonical JSON (RFC 8785). The prefix keeps a signature of one kind from being shown as
 * another (choices 8.1, threat 22). `spec/BYTES.md` has every kind.
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

export type Sign = (message: Uint8Array) => Uint8Array;

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
