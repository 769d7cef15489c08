import { canonical, parseJson } from '../../../domain/json.ts';
import type { VerifyCrypto } from './crypto.ts';
import { decodeBase64, decodeBase64url, encodeBase64url, hexOf, msOf } from './grammar.ts';
import type { KeyList } from './keyList.ts';
import { isObject, placeOf } from './shape.ts';
import { join, refused, type Fault, type Reason, type Refused } from './verdict.ts';
import { defined } from '../../../domain/defined.ts';

/** Steps 2 to 6 of spec/BYTES.md 9, which every signed object takes alike. */
const PREFIXES = {
  now: 'hub/time/now/v1\n',
  promise: 'hub/time/promise/v1\n',
  pulse: 'hub/time/pulse/v1\n',
  seal: 'hub/ledger/seal/v1\n',
} as const;
export type Kind = keyof typeof PREFIXES;
const ATTESTATION_PREFIX = 'hub/attestation/v1\n';

export interface Signed {
  readonly body: { readonly keyId: string };
  readonly bytes: string;
  readonly signature: string;
  readonly digest?: string;
}

export interface Checks {
  readonly crypto: VerifyCrypto;
  readonly keys: KeyList;
}

const encoder = new TextEncoder();

/** The first fault of steps 2 to 6, if any; `at` is the object's place, `time` the stated one. */
export async function checkSigned(
  kind: Kind,
  signed: Signed,
  { at, time }: { readonly at: string; readonly time: string },
  { crypto, keys }: Checks,
): Promise<Refused | undefined> {
  const no = (reason: Reason, name: string, says: string): Refused =>
    refused(reason, { at: join(at, name), says });
  const { body, bytes, signature, digest } = signed;
  const message = encoder.encode(PREFIXES[kind] + canonical(body));
  if (encodeBase64url(message) !== bytes) {
    const fault = difference(kind, body, decodeBase64url(bytes));
    return no('bytes', fault.at, fault.says);
  }
  const vouched = { keyId: body.keyId, signature, ...defined({ digest }) };
  const places = { keyId: 'body.keyId', digest: 'digest', signature: 'signature' };
  const fault = await checkVouched(message, vouched, { places, time }, { crypto, keys });
  return fault && no(fault.reason, fault.at, fault.says);
}

/** An attestation carries what vouches for it in its own `proof` (spec/BYTES.md 11). */
export interface Attested {
  readonly proof: {
    readonly alg: string;
    readonly keyId: string;
    readonly created: string;
    readonly digest: string;
    readonly signature: string;
  };
}

/** The same steps for an attestation, whose signed bytes are made from it; there is no step 2. */
export async function checkAttested(
  attested: Attested,
  at: string,
  checks: Checks,
): Promise<Refused | undefined> {
  const { alg, keyId, created } = attested.proof;
  const unsigned = { ...attested, proof: { alg, keyId, created } };
  const message = encoder.encode(ATTESTATION_PREFIX + canonical(unsigned));
  const places = { keyId: 'proof.keyId', digest: 'proof.digest', signature: 'proof.signature' };
  const fault = await checkVouched(message, attested.proof, { places, time: created }, checks);
  return fault && refused(fault.reason, { at: join(at, fault.at), says: fault.says });
}

interface Vouched {
  readonly keyId: string;
  readonly signature: string;
  readonly digest?: string;
}
interface Stated {
  readonly places: Readonly<Record<keyof Vouched, string>>;
  readonly time: string;
}

/** Steps 3 to 6 of bytes that are known. */
async function checkVouched(
  message: Uint8Array,
  { keyId, signature, digest }: Vouched,
  { places, time }: Stated,
  { crypto, keys }: Checks,
): Promise<(Fault & { readonly reason: Reason }) | undefined> {
  if (digest !== undefined && digest !== hexOf(await crypto.sha256(message))) {
    const says = 'The digest is not the SHA-256 of the bytes.';
    return { reason: 'digest', at: places.digest, says };
  }
  const key = keys.get(keyId);
  if (key === undefined) {
    const says = `${keyId} is not in the list of keys.`;
    return { reason: 'unknown-key', at: places.keyId, says };
  }
  const ms = msOf(time);
  const { notBefore, notAfter = Number.POSITIVE_INFINITY } = key;
  if (notBefore === undefined || ms < notBefore || ms > notAfter) {
    const says = `The key ${keyId} was not valid at ${time}.`;
    return { reason: 'key-time', at: places.keyId, says };
  }
  if (await crypto.ed25519(key.bytes, message, decodeBase64(signature))) return undefined;
  const says = `The signature does not verify under ${keyId}.`;
  return { reason: 'signature', at: places.signature, says };
}

/** Names the member in which a body and its bytes differ; it is known that they do. */
function difference(kind: Kind, body: object, bytes: Uint8Array): Fault {
  const prefix = encoder.encode(PREFIXES[kind]);
  if (!prefix.every((byte, at) => byte === bytes[at])) {
    return { at: 'bytes', says: `The bytes do not begin with the prefix of a ${kind}.` };
  }
  const parsed = parseJson(bytes.subarray(prefix.length), Infinity);
  if (!parsed.ok || !isObject(parsed.value)) {
    return { at: 'bytes', says: 'The bytes hold no JSON object after their prefix.' };
  }
  const { value } = parsed;
  const names = [...new Set([...Object.keys(body), ...Object.keys(value)])].sort();
  const name = names.find((each) => memberText(body, each) !== memberText(value, each));
  if (name === undefined) {
    return { at: 'bytes', says: 'The bytes are not the canonical JSON of the body.' };
  }
  const at = placeOf('body', name);
  return { at, says: `${at} is not what the signed bytes say.` };
}

function memberText(value: object, name: string): string | undefined {
  return Object.hasOwn(value, name) ? canonical(Reflect.get(value, name)) : undefined;
}
