import {
  isDigest,
  isKeyId,
  isMinute,
  isSignature,
  isSignedBytes,
  isText,
  isTime,
  isWhole,
} from './grammar.ts';
import { anything, list, object, one, oneOf, orNull, type Shape } from './shape.ts';

/** The objects of spec/BYTES.md 3 to 6 and 11, as their wire form has them. */
const CHAIN_NAME = /^[A-Za-z0-9._-]{1,64}$/;
const NONCE = /^[A-Za-z0-9_-]{1,128}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ACCOUNT = /^key:[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const CODE = /^[0-9a-f]{16}$/;
const AMOUNT = /^(?:0|[1-9][0-9]{0,15})$/;
const NETWORK = /^[a-z][a-z0-9-]{0,31}$/;
const REGISTRY_CHARACTERS_MAX = 2_100;
const URL_CHARACTERS_MAX = 2_048;
const OPERATION_CHARACTERS_MAX = 300;
const SKILLS_MAX = 50;
const REASON_CHARACTERS_MAX = 200;
/** A tree of 2^64 leaves. */
const PATH_MAX = 64;
const WITHDRAWN_MAX = 100;
/** Nearly two years of pulses; a longer chain is checked in parts that share one. */
export const LIST_MAX = 1_000_000;

const digest = one('a digest in 64 lower-case hex characters', isDigest);
const minute = one('a minute (YYYY-MM-DDTHH:MM:00Z)', isMinute);
const time = one('a time (YYYY-MM-DDTHH:MM:SS.mmmZ)', isTime);
const whole = one('a whole number from 0 to 2^53-1', isWhole);
const keyId = one('a key id', isKeyId);
const bytes = one('base64url of signed bytes', isSignedBytes);
const signature = one('base64 of a 64-byte signature', isSignature);
const chainName = matching('the name of a chain', CHAIN_NAME);
const nonce = matching('a nonce', NONCE);
const reason = one(
  `text of at most ${REASON_CHARACTERS_MAX} characters`,
  (value): value is string => isText(value, REASON_CHARACTERS_MAX),
);
const truth = one('true or false', (value): value is boolean => typeof value === 'boolean');

const clock = object({
  errorMs: whole,
  source: oneOf('system', 'ntp', 'roughtime'),
  synced: truth,
});
const gap = object({
  cause: oneOf('down', 'clock-step', 'unknown'),
  from: minute,
  minutes: whole,
  to: minute,
});

/** Objects of the same number that the operator withdrew. */
const withdrawn = list(object({ at: time, bytes, digest, signature }), {
  least: 1,
  most: WITHDRAWN_MAX,
});

export const pulseShape = object(
  {
    body: object(
      {
        v: oneOf(1),
        chain: chainName,
        seq: whole,
        minute,
        issuedAt: time,
        prev: digest,
        root: digest,
        leaves: whole,
        gap: orNull(gap),
        clock,
        random: digest,
        nextCommit: digest,
        keyId,
      },
      { nextKeyId: keyId },
    ),
    bytes,
    digest,
    signature,
  },
  { withdrawn },
);

export const promiseShape = object({
  body: object({ digest, minute, pulse: minute, receivedAt: time, keyId }),
  bytes,
  signature,
  proofAt: time,
});

export const proofShape = object(
  {
    digest,
    promisedMinute: minute,
    leafIndex: whole,
    leaves: whole,
    path: list(digest, { most: PATH_MAX }),
    root: digest,
    pulse: pulseShape,
  },
  { late: oneOf(true) },
);

export const nowShape = object({
  body: object(
    {
      now: time,
      unixMs: whole,
      chain: object({ state: oneOf('live', 'stalled') }, { since: time, reason }),
      clock,
      keyId,
    },
    { nonce, head: object({ seq: whole, minute, digest }) },
  ),
  bytes,
  signature,
});

export const sealShape = object(
  {
    body: object({
      v: oneOf(1),
      blockNo: whole,
      fromSeq: whole,
      toSeq: whole,
      count: whole,
      merkleRoot: digest,
      prevDigest: digest,
      sealedAt: time,
      keyId,
    }),
    bytes,
    digest,
    signature,
    stampedIn: minute,
  },
  { pulseSeq: whole, withdrawn },
);

const words = (max: number): Shape<string> =>
  one(`text of at most ${max} characters`, (value): value is string => isText(value, max));
const uuid = matching('a UUID', UUID);
const account = matching('an account', ACCOUNT);

export const attestationShape = object(
  {
    id: uuid,
    agentRegistry: words(REGISTRY_CHARACTERS_MAX),
    agentId: matching('a registry code', CODE),
    clientAddress: account,
    createdAt: time,
    value: oneOf(20, 40, 60, 80, 100),
    valueDecimals: oneOf(0),
    tag1: oneOf('starred'),
    endpoint: words(URL_CHARACTERS_MAX),
    scope: oneOf('off-chain'),
    settlement: object(
      {
        transferId: uuid,
        reason: oneOf('call.charge', 'task.reward', 'pay'),
        amount: matching('an amount in atomic units', AMOUNT),
        asset: oneOf('USDC'),
        network: matching('the name of a network', NETWORK),
        payer: account,
        payee: account,
        settledAt: time,
      },
      { seal: object({ blockNo: whole, digest }) },
    ),
    proof: object({ alg: oneOf('ed25519'), keyId, created: time, digest, signature }),
  },
  {
    mcp: object({ tool: words(OPERATION_CHARACTERS_MAX) }),
    a2a: object({ skills: list(words(OPERATION_CHARACTERS_MAX), { most: SKILLS_MAX }) }),
    proofOfPayment: object({
      fromAddress: words(64),
      toAddress: words(64),
      chainId: words(32),
      txHash: words(66),
    }),
  },
);

export const sealedBlockShape = object({ seal: anything }, { proof: anything });
export const keptShape = object({ promise: anything, proof: anything });
export const chainShape = list(anything, { least: 1, most: LIST_MAX });

type Of<S> = S extends Shape<infer T> ? T : never;
export type PulseObject = Of<typeof pulseShape>;
export type PromiseObject = Of<typeof promiseShape>;
export type ProofObject = Of<typeof proofShape>;
export type NowObject = Of<typeof nowShape>;
export type SealObject = Of<typeof sealShape>;
export type AttestationObject = Of<typeof attestationShape>;

function matching(what: string, pattern: RegExp): Shape<string> {
  return one(what, (value): value is string => typeof value === 'string' && pattern.test(value));
}
