import type { KeyId } from '../account.ts';
import { instant, type Instant, type Seconds } from '../instant.ts';
import { coverageGaps, SIGNATURE_ALGORITHM, signatureBase, type SignatureBase } from './base.ts';
import { digestRefusal, namedDigests } from './digest.ts';
import type { Hashes } from './hashes.ts';
import { judgeKey, type KeyVerdict } from './keys.ts';
import {
  readFields,
  readMessage,
  type Fields,
  type RawRequest,
  type ReceivedMessage,
} from './message.ts';
import { findSignature, type ParsedSignature } from './parse.ts';
import { notCovered, refusal, type Refusal } from './refusal.ts';

/**
 * Judges a request as received. `verified`: the named key signed this method, path, query, body and
 * payment within the window. Account and nonce are the server's part (Authentication 5, 9).
 */
export interface Policy extends Hashes {
  readonly now: Instant;
  /** Largest age, and largest lead, of `created`; both ends are inside. */
  readonly maxAgeSeconds: Seconds;
  /** This hub's origins as `scheme://host[:port]`: lower case, no default port, no path. */
  readonly origins: readonly string[];
  readonly verify: (key: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;
  /** Lets the published RFC 9421 key sign; only the project's own vectors set it. */
  readonly allowTestKey?: boolean;
}

type StepName = 'headers' | 'message' | 'coverage' | 'window' | 'key' | 'signature' | 'digest';

/** One line of what the verifier looked at, in order; the last one is the one that failed. */
interface Step {
  readonly step: StepName;
  readonly ok: boolean;
  readonly detail: string;
}

export interface Unsigned {
  readonly kind: 'unsigned';
  readonly detail: string;
  readonly steps: readonly Step[];
}

export interface Refused extends Refusal {
  readonly kind: 'refused';
  /** The signature base as the hub built it; absent when it could not be built. */
  readonly base?: string;
  readonly steps: readonly Step[];
}

export interface Verified {
  readonly kind: 'verified';
  readonly keyId: KeyId;
  readonly nonce: string;
  readonly created: Instant;
  readonly covered: readonly string[];
  readonly base: string;
  readonly steps: readonly Step[];
  /** The request's headers, which name the digest of its body. */
  readonly fields: Fields;
}

/** `unsigned` is a visitor, not an error: no signature was sent, or only other applications'. */
export type Inspection = Unsigned | Refused | Verified;

interface Facts {
  readonly request: RawRequest;
  readonly policy: Policy;
  readonly fields: Fields;
  readonly message: ReceivedMessage;
  readonly signature: ParsedSignature;
  readonly key: KeyVerdict;
  readonly base: SignatureBase;
}

/** A check answers with what it saw, or with its refusal. */
type Check = (facts: Facts) => string | Refusal;

/** The order is the contract's (choices signatures.order): the caller gets the first refusal. */
const CHECKS: readonly (readonly [StepName, Check])[] = [
  ['coverage', checkCoverage],
  ['window', checkWindow],
  ['key', checkKey],
  ['signature', checkSignature],
];

const encoder = new TextEncoder();

export function inspect(request: RawRequest, policy: Policy): Inspection {
  const seen = inspectHead(request, policy);
  return seen.kind === 'verified' ? inspectBody(seen, request, policy) : seen;
}

export function inspectBody(
  seen: Verified,
  request: RawRequest,
  hashes: Hashes,
): Verified | Refused {
  const { base, covered, fields, steps } = seen;
  const step = 'digest';
  if (!covered.includes('content-digest')) {
    return {
      ...seen,
      steps: [...steps, { step, ok: true, detail: 'there is no body to compare' }],
    };
  }
  const mismatch = digestRefusal(fields, request.body, request.hashes ?? hashes);
  if (mismatch !== undefined) return refused(steps, step, mismatch, { ok: true, text: base });
  const detail = 'Content-Digest is the digest of the bytes received';
  return { ...seen, steps: [...steps, { step, ok: true, detail }] };
}

/** The checks that need the headers alone, so a refused body need not be read. */
export function inspectHead(request: RawRequest, policy: Policy): Inspection {
  const fields = readFields(request.headers);
  const found = findSignature(fields);
  if (found.kind === 'none') {
    const steps: readonly Step[] = [{ step: 'headers', ok: false, detail: found.detail }];
    return { kind: 'unsigned', detail: found.detail, steps };
  }
  if (found.kind === 'refused') return refused([], 'headers', found.refusal);
  const { signature } = found;
  const steps: Step[] = [
    { step: 'headers', ok: true, detail: `the signature ${signature.label} is well-formed` },
  ];
  const message = readMessage(request, fields, policy.origins);
  if ('reason' in message) return refused(steps, 'message', message);
  steps.push({ step: 'message', ok: true, detail: `${message.method} ${message.path}` });

  const key = judgeKey(signature.keyIdText, policy.allowTestKey);
  const base = signatureBase(message, signature.covered, signature.params);
  const facts: Facts = { request, policy, fields, message, signature, key, base };
  for (const [step, check] of CHECKS) {
    const seen = check(facts);
    if (typeof seen !== 'string') return refused(steps, step, seen, base);
    steps.push({ step, ok: true, detail: seen });
  }
  return verified(facts, steps);
}

function checkCoverage({ fields, message, signature, base }: Facts): string | Refusal {
  const { covered } = signature;
  const [gap] = coverageGaps(message, covered);
  if (gap !== undefined) {
    return refusal('incomplete-coverage', notCovered(gap), gap);
  }
  const digests = covered.includes('content-digest') ? namedDigests(fields) : undefined;
  if (digests !== undefined && 'reason' in digests) return digests;
  if (!base.ok) {
    const detail = `"${base.missing}" is covered, but the request has no usable value for it`;
    return refusal('incomplete-coverage', detail, base.missing);
  }
  return `covers ${covered.join(' ')}`;
}

function checkWindow({ policy, signature }: Facts): string | Refusal {
  const { createdSeconds, expiresSeconds } = signature;
  // Whole seconds on both sides: `created` is the current second, not a moment within it.
  const nowSeconds = Math.floor(policy.now / 1000);
  const age = nowSeconds - createdSeconds;
  if (Math.abs(age) > policy.maxAgeSeconds) {
    const side = age > 0 ? 'behind' : 'ahead of';
    const detail = `created is ${Math.abs(age)} s ${side} the hub's clock (${nowSeconds}), limit`;
    return refusal('stale', `${detail} ${policy.maxAgeSeconds} s`);
  }
  if (expiresSeconds !== undefined && nowSeconds > expiresSeconds) {
    return refusal('stale', `expires was ${nowSeconds - expiresSeconds} s ago`);
  }
  if (expiresSeconds !== undefined && expiresSeconds < createdSeconds) {
    return refusal('stale', 'expires is before created');
  }
  return `created ${age} s ago by the hub's clock`;
}

function checkKey({ key, signature }: Facts): string | Refusal {
  if (signature.algorithm !== SIGNATURE_ALGORITHM) {
    return refusal('unknown-key', `alg must be "${SIGNATURE_ALGORITHM}"`);
  }
  return key.ok ? `keyid ${key.keyId} is a sound public key` : refusal('unknown-key', key.why);
}

function checkSignature({ base, key, message, policy, signature }: Facts): string | Refusal {
  const named = signature.covered.find((name) =>
    ['@authority', '@target-uri', '@scheme'].includes(name),
  );
  if (named !== undefined && !message.isForThisHub) {
    const detail = `"${named}" is covered and names another hub; this one is`;
    return refusal('unknown-key', `${detail} ${policy.origins.join(' or ')}`, named);
  }
  const holds =
    base.ok && key.ok && policy.verify(key.bytes, encoder.encode(base.text), signature.signature);
  if (holds) return 'the signature verifies';
  return refusal('unknown-key', 'the signature does not verify over the base the hub built');
}

function refused(
  before: readonly Step[],
  step: StepName,
  because: Refusal,
  base?: SignatureBase,
): Refused {
  const steps: readonly Step[] = [...before, { step, ok: false, detail: because.detail }];
  return { kind: 'refused', ...because, ...(base?.ok && { base: base.text }), steps };
}

function verified({ base, fields, key, signature }: Facts, steps: readonly Step[]): Verified {
  if (!base.ok || !key.ok) throw new Error('a signature verified without a key or a base');
  return {
    kind: 'verified',
    keyId: key.keyId,
    nonce: signature.nonce,
    created: instant(signature.createdSeconds * 1000),
    covered: signature.covered,
    base: base.text,
    steps,
    fields,
  };
}
