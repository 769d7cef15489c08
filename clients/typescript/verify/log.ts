import { entryText, LEAF_KINDS, receiptsIn } from '../../../domain/log/receipts.ts';
import {
  keyHashInput,
  LOG_KEY,
  readCheckpoint,
  type SignedCheckpoint,
  type VerifierKey,
} from '../../../domain/log/note.ts';
import type { VerifyCrypto } from './crypto.ts';
import { hexBytes, hexOf, isDigest, isWhole } from './grammar.ts';
import type { KeyList } from './keyList.ts';
import { isConsistent, isSame, rootFrom } from './merkle.ts';
import { shapedAs } from './objects.ts';
import { anything, list, object, one, oneOf } from './shape.ts';
import type { Checks } from './signed.ts';
import {
  refused,
  type ConsistentFacts,
  type LoggedFacts,
  type Reason,
  type Refused,
} from './verdict.ts';

/** Proofs of the transparency log (spec/LOG.md), checked without the hub. */
const PATH_MAX = 64;
const NOTE_LENGTH_MAX = 65_536;
const digest = one('a digest in 64 lower-case hex characters', isDigest);
const whole = one('a whole number from 0 to 2^53-1', isWhole);
const hashes = list(digest, { most: PATH_MAX });
const note = one(
  'a checkpoint',
  (value): value is string => typeof value === 'string' && value.length <= NOTE_LENGTH_MAX,
);
const loggedShape = object({
  receipt: anything,
  proof: object({
    kind: oneOf(...LEAF_KINDS),
    digest,
    index: whole,
    path: hashes,
    checkpoint: note,
  }),
});
const consistentShape = object({
  before: note,
  after: object({ from: whole, path: hashes, checkpoint: note }),
});

export async function checkLogged(
  x: unknown,
  { crypto, keys }: Checks,
): Promise<LoggedFacts | Refused> {
  const shaped = shapedAs(loggedShape, x, '');
  if (!shaped.ok) return shaped;
  const { receipt, proof } = shaped.value;
  const digests = await digestsOf(receipt, proof.kind, crypto);
  if (!digests.includes(proof.digest)) {
    return no('digest', 'receipt', 'The receipt is not the one that the proof is of.');
  }
  const signed = await checkNote(proof.checkpoint, 'proof.checkpoint', keys, crypto);
  if (!signed.ok) return signed;
  const { origin, size, root } = signed.checkpoint;
  if (proof.index >= size) return no('rule', 'proof.index', 'The tree has no such leaf.');
  const entry = new TextEncoder().encode(entryText(proof.kind, proof.digest));
  const place = { index: proof.index, leaves: size };
  const found = await rootFrom(entry, place, proof.path.map(hexBytes), crypto);
  if (found === undefined || !isSame(found, root)) {
    return no('rule', 'proof.path', 'The path does not lead from the receipt to the root.');
  }
  const leaf = { leaf: proof.kind, digest: proof.digest, index: proof.index };
  const tree = { size, root: hexOf(root), origin, keyIds: signed.keyIds };
  return { ok: true, kind: 'logged', ...leaf, ...tree };
}

export async function checkConsistent(
  x: unknown,
  { crypto, keys }: Checks,
): Promise<ConsistentFacts | Refused> {
  const shaped = shapedAs(consistentShape, x, '');
  if (!shaped.ok) return shaped;
  const { before, after } = shaped.value;
  const earlier = await checkNote(before, 'before', keys, crypto);
  if (!earlier.ok) return earlier;
  const later = await checkNote(after.checkpoint, 'after.checkpoint', keys, crypto);
  if (!later.ok) return later;
  const [old, now] = [earlier.checkpoint, later.checkpoint];
  if (old.origin !== now.origin) {
    return no('chain', 'after.checkpoint', 'The checkpoints are of two logs.');
  }
  if (after.from !== old.size) return no('chain', 'after.from', 'It begins with another size.');
  if (!(await isConsistent(old, now, after.path.map(hexBytes), crypto))) {
    const says =
      'The log does not begin with the earlier one: both are signed, which proves a fork.';
    return no('chain', 'after.path', says);
  }
  const { origin, size, root } = now;
  const tree = { size, root: hexOf(root), origin, keyIds: later.keyIds };
  return { ok: true, kind: 'consistent', fromSize: old.size, ...tree };
}

/** The digests of the final receipts of that kind in a value, which may be a page of them. */
async function digestsOf(
  value: unknown,
  kind: string,
  { sha256 }: VerifyCrypto,
): Promise<readonly string[]> {
  const texts = receiptsIn(value).filter((each) => each.kind === kind);
  const hashed = texts.map(async ({ text }) => hexOf(await sha256(new TextEncoder().encode(text))));
  return Promise.all(hashed);
}

type CheckedNote =
  | {
      readonly ok: true;
      readonly checkpoint: SignedCheckpoint;
      readonly keyIds: readonly string[];
    }
  | Refused;

/** A checkpoint is signed by a key of the hub's list, under the name of the log. */
async function checkNote(
  text: string,
  at: string,
  keys: KeyList,
  crypto: VerifyCrypto,
): Promise<CheckedNote> {
  const checkpoint = readCheckpoint(text);
  if (checkpoint === undefined) return no('shape', at, `${at} is not a checkpoint.`);
  const keyIds: string[] = [];
  for (const [keyId, { bytes: publicKey, notBefore }] of keys) {
    const key = { name: checkpoint.origin, type: LOG_KEY, publicKey };
    if (notBefore === undefined) continue;
    const found = await signatureOf(checkpoint, key, crypto);
    if (found === 'bad') {
      return no('signature', at, `The signature does not verify under ${keyId}.`);
    }
    if (found === 'good') keyIds.push(keyId);
  }
  if (keyIds.length > 0) return { ok: true, checkpoint, keyIds };
  return no('unknown-key', at, 'No key in the list has signed it.');
}

export async function signatureOf(
  { text, signatures }: SignedCheckpoint,
  { name, type, publicKey }: Omit<VerifierKey, 'keyHash'>,
  { sha256, ed25519 }: VerifyCrypto,
): Promise<'good' | 'bad' | 'none'> {
  const keyHash = hexOf((await sha256(keyHashInput(name, type, publicKey))).subarray(0, 4));
  const own = signatures.filter((each) => each.name === name && each.keyHash === keyHash);
  if (own.length === 0) return 'none';
  const message = new TextEncoder().encode(text);
  for (const { signature } of own) {
    const isWhole = signature.length === 64;
    if (!isWhole || !(await ed25519(publicKey, message, signature))) return 'bad';
  }
  return 'good';
}

function no(reason: Reason, at: string, says: string): Refused {
  return refused(reason, { at, says });
}
