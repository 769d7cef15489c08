import type { VerifyCrypto } from './crypto.ts';
import { hexBytes, hexOf, MINUTE_MS, msOf } from './grammar.ts';
import { rootFrom } from './merkle.ts';
import type {
  AttestationObject,
  NowObject,
  PromiseObject,
  ProofObject,
  PulseObject,
  SealObject,
} from './shapes.ts';
import type { Fault } from './verdict.ts';

/** A rule for the content of a well-signed object (spec/BYTES.md 9), with its place. */
type Rule = readonly [holds: boolean, at: string, says: string];

const ZEROS = '0'.repeat(64);
const EMPTY_ROOT = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export function brokenPulseRule({ body, digest, withdrawn }: PulseObject): Fault | undefined {
  const { seq, gap, prev, random, root, leaves, keyId, nextKeyId } = body;
  const [minute, issuedAt] = [msOf(body.minute), msOf(body.issuedAt)];
  const inTime = issuedAt >= minute + MINUTE_MS && issuedAt < minute + 2 * MINUTE_MS;
  return broken([
    [inTime, 'body.issuedAt', 'The pulse was not issued in the minute after its own.'],
    [seq > 0 || prev === ZEROS, 'body.prev', 'The first pulse has no pulse before it.'],
    [
      seq > 0 || random === ZEROS,
      'body.random',
      'Nothing was committed to before the first pulse.',
    ],
    [seq > 0 || gap === null, 'body.gap', 'The first pulse has no gap before it.'],
    [
      gap === null || msOf(gap.to) === minute - MINUTE_MS,
      'body.gap',
      'The gap does not end in the minute before the pulse.',
    ],
    [
      gap === null ||
        (gap.minutes > 0 && gap.minutes === (msOf(gap.to) - msOf(gap.from)) / MINUTE_MS + 1),
      'body.gap',
      'The gap does not have as many minutes as it says.',
    ],
    [
      (leaves === 0) === (root === EMPTY_ROOT),
      'body.root',
      'The root does not go with the leaves.',
    ],
    [nextKeyId !== keyId, 'body.nextKeyId', 'The next key is the same key.'],
    stillCounts(digest, withdrawn),
  ]);
}

export function brokenPromiseRule({ body, proofAt }: PromiseObject): Fault | undefined {
  const { minute, pulse, receivedAt } = body;
  return broken([
    [pulse === minute, 'body.pulse', 'The promise names two minutes.'],
    [
      msOf(minute) + MINUTE_MS > msOf(receivedAt),
      'body.minute',
      'The promised minute was over when the digest came.',
    ],
    [
      msOf(proofAt) === msOf(minute) + MINUTE_MS,
      'proofAt',
      'The proof comes when the minute ends.',
    ],
  ]);
}

export function brokenNowRule({ body: { now, unixMs } }: NowObject): Fault | undefined {
  return broken([[unixMs === msOf(now), 'body.unixMs', 'The two times are different moments.']]);
}

export function brokenSealRule({ body, digest, withdrawn }: SealObject): Fault | undefined {
  const { blockNo, fromSeq, toSeq, count, prevDigest } = body;
  return broken([
    [fromSeq >= 1, 'body.fromSeq', 'Transfers are counted from 1.'],
    [toSeq >= fromSeq, 'body.toSeq', 'The block ends before it begins.'],
    [
      count >= 1 && count <= toSeq - fromSeq + 1,
      'body.count',
      'The block cannot have so many transfers.',
    ],
    [blockNo > 0 || prevDigest === ZEROS, 'body.prevDigest', 'The first block has none before it.'],
    stillCounts(digest, withdrawn),
  ]);
}

/** The hub itself names an object that was withdrawn, and it proves nothing. */
function stillCounts(digest: string, withdrawn: PulseObject['withdrawn']): Rule {
  const counts = withdrawn?.every((each) => each.digest !== digest) ?? true;
  return [counts, 'withdrawn', 'The hub has withdrawn it.'];
}

/** The least that licenses a review, in atomic units. */
const REVIEW_AMOUNT_MIN = 10_000n;

export function brokenAttestationRule({
  clientAddress,
  settlement: { payer, payee, amount },
}: AttestationObject): Fault | undefined {
  return broken([
    [payer === clientAddress, 'settlement.payer', 'Another account made the payment.'],
    [payee !== payer, 'settlement.payee', 'The payment went back to its payer.'],
    [
      BigInt(amount) >= REVIEW_AMOUNT_MIN,
      'settlement.amount',
      'The payment is too small to license a review.',
    ],
  ]);
}

/** The rules of a proof whose pulse is good. */
export async function brokenProofRule(
  proof: ProofObject,
  crypto: VerifyCrypto,
): Promise<Fault | undefined> {
  const { digest, promisedMinute, leafIndex, leaves, path, root } = proof;
  const { body } = proof.pulse;
  const outside = broken([
    [leaves === body.leaves, 'leaves', 'The pulse has another number of leaves.'],
    [root === body.root, 'root', 'The pulse has another root.'],
    [leafIndex < leaves, 'leafIndex', 'The tree has no such leaf.'],
  ]);
  if (outside !== undefined) return outside;
  const place = { index: leafIndex, leaves };
  const found = await rootFrom(hexBytes(digest), place, path.map(hexBytes), crypto);
  const late = proof.late === true;
  const own = promisedMinute === body.minute;
  return broken([
    [
      found !== undefined && hexOf(found) === root,
      'path',
      'The path does not lead from the digest to the root.',
    ],
    [late !== own, 'late', 'The proof is late exactly when the pulse has another minute.'],
    [
      !late || missing(msOf(promisedMinute), body),
      'late',
      'The promised minute is none of those that the pulse states to be missing.',
    ],
  ]);
}

/** Whether a minute has no pulse by what this one says; the first pulse states no gap. */
function missing(promised: number, { seq, minute, gap }: PulseObject['body']): boolean {
  if (seq === 0) return promised < msOf(minute);
  return gap !== null && promised >= msOf(gap.from) && promised <= msOf(gap.to);
}

export async function brokenPulseLink(
  before: PulseObject,
  { body }: PulseObject,
  crypto: VerifyCrypto,
): Promise<Fault | undefined> {
  const last = before.body;
  const next = msOf(last.minute) + MINUTE_MS;
  const { gap } = body;
  const from = gap === null ? msOf(body.minute) : msOf(gap.from);
  const revealed = hexOf(await crypto.sha256(hexBytes(body.random)));
  return broken([
    [body.chain === last.chain, 'body.chain', 'The pulse is of another chain.'],
    [body.seq === last.seq + 1, 'body.seq', 'The number does not follow the one before.'],
    [body.prev === before.digest, 'body.prev', 'It does not name the digest of the pulse before.'],
    [msOf(body.minute) >= next, 'body.minute', 'The minute is not after the one before.'],
    [
      from === next && (gap === null) === (msOf(body.minute) === next),
      'body.gap',
      'The gap is not what lies between this minute and the one before.',
    ],
    [
      revealed === last.nextCommit,
      'body.random',
      'The random value is not what the pulse before committed to.',
    ],
    [
      body.keyId === (last.nextKeyId ?? last.keyId),
      'body.keyId',
      'The pulse before did not hand over to this key.',
    ],
  ]);
}

export function brokenSealLink(before: SealObject, { body }: SealObject): Fault | undefined {
  const last = before.body;
  return broken([
    [
      body.blockNo === last.blockNo + 1,
      'body.blockNo',
      'The number does not follow the one before.',
    ],
    [body.fromSeq > last.toSeq, 'body.fromSeq', 'It overlaps the block before.'],
    [
      body.prevDigest === before.digest,
      'body.prevDigest',
      'It does not name the digest of the block before.',
    ],
    [
      msOf(body.sealedAt) >= msOf(last.sealedAt),
      'body.sealedAt',
      'It was sealed before the block before.',
    ],
  ]);
}

/** Checks that the proof of a stamp belongs to the promise that it keeps. */
export function brokenPromise(
  { body }: PromiseObject,
  { digest, promisedMinute }: ProofObject,
): Fault | undefined {
  return broken([
    [digest === body.digest, 'digest', 'The proof is of another digest.'],
    [promisedMinute === body.minute, 'promisedMinute', 'Another minute was promised.'],
  ]);
}

/** Checks that the proof of a stamp belongs to the stamped block; places are those of the block. */
export function brokenStamp(seal: SealObject, proof: ProofObject | undefined): Fault | undefined {
  if (proof === undefined) {
    const open = seal.pulseSeq === undefined;
    return broken([[open, 'seal.pulseSeq', 'The block names a pulse and has no proof of it.']]);
  }
  return broken([
    [proof.digest === seal.digest, 'proof.digest', 'The proof is of another digest.'],
    [
      proof.promisedMinute === seal.stampedIn,
      'proof.promisedMinute',
      'The block says that it was stamped in another minute.',
    ],
    [
      seal.pulseSeq === proof.pulse.body.seq,
      'seal.pulseSeq',
      'The block says that it landed in another pulse.',
    ],
  ]);
}

function broken(rules: readonly Rule[]): Fault | undefined {
  const found = rules.find(([holds]) => !holds);
  return found === undefined ? undefined : { at: found[1], says: found[2] };
}
