import { sha256Hex } from '../../domain/digest.ts';
import { sealRoot } from '../../domain/ledger/seal.ts';
import { leafHash, rootFromPath } from '../../domain/time/merkle.ts';
import { NO_DIGEST } from '../../domain/time/signedObject.ts';
import type { Reader } from '../connection.ts';
import { readPulse } from '../time/pulses.ts';
import type { Difference } from '../audit/check.ts';
import { sealPage, type StoredSeal } from './seals.ts';
import { transferDigests } from './transferDigests.ts';

/**
 * Recomputes the seals of the journal from the transfers themselves (choices ledger.seals). To
 * change a sealed row without detection, every later block and pulse would have to be made and
 * signed again.
 */
export interface SealAudit {
  readonly differences: readonly Difference[];
  readonly blocks: number;
  /** The last transfer that is sealed; 0 when none is. */
  readonly sealedUpTo: number;
}
/** Whether `signature` (base64) of a key of the hub is one over `message`. */
export type VerifySeal = (keyId: string, message: Uint8Array, signature: string) => boolean;

const BLOCKS_AT_ONCE = 100;
/** Differences that are reported; more than these are not the result of one mistake. */
const TOLD_MAX = 20;

/** Reads one snapshot; differences are empty when every seal holds. */
export async function auditSeals(db: Reader, verify: VerifySeal): Promise<SealAudit> {
  const differences: Difference[] = [];
  let before: StoredSeal | undefined;
  let blocks = 0;
  for (;;) {
    const page = await sealPage(db, blocks, BLOCKS_AT_ONCE);
    for (const stored of page) {
      for (const says of await faultsOf(db, stored, before, verify)) {
        const { blockNo, fromSeq, toSeq } = stored.seal.body;
        const found = { block: `${blockNo}`, fromSeq: `${fromSeq}`, toSeq: `${toSeq}` };
        if (differences.length < TOLD_MAX) differences.push({ invariant: 'S1', says, found });
      }
      before = stored;
    }
    blocks += page.length;
    if (page.length < BLOCKS_AT_ONCE) break;
  }
  return { differences, blocks, sealedUpTo: before?.seal.body.toSeq ?? 0 };
}

async function faultsOf(
  db: Reader,
  stored: StoredSeal,
  before: StoredSeal | undefined,
  verify: VerifySeal,
): Promise<readonly string[]> {
  const { seal } = stored;
  const { body } = seal;
  const message = Buffer.from(seal.bytes, 'base64url');
  const sealed = { after: body.fromSeq - 1, upTo: body.toSeq, limit: body.count + 1 };
  const transfers = await transferDigests(db, sealed);
  const since = before?.seal.body.toSeq ?? 0;
  const between = await transferDigests(db, { after: since, upTo: body.fromSeq - 1, limit: 1 });
  const holds: readonly (readonly [boolean, string])[] = [
    [seal.digest === sha256Hex(message), 'the digest of a block is that of its bytes'],
    [verify(body.keyId, message, seal.signature), 'a block is signed by a key of the hub'],
    [body.prevDigest === (before?.seal.digest ?? NO_DIGEST), 'a block names the one before'],
    [between.length === 0, 'no transfer lies between two blocks'],
    [transfers.length === body.count, 'a block has the transfers that it counted'],
    [sealRoot(transfers) === body.merkleRoot, 'the transfers of a block have its root'],
    [await stampHolds(db, stored), 'a block leads to the pulse that stamped it'],
  ];
  return holds.filter(([held]) => !held).map(([, says]) => says);
}

/** A block whose minute is not over yet has no pulse to lead to. */
async function stampHolds(db: Reader, { seal, landed }: StoredSeal): Promise<boolean> {
  if (landed === undefined) return true;
  const pulse = await readPulse(db, landed.pulseSeq);
  if (pulse === undefined) return false;
  const bytes = Buffer.from(pulse.bytes, 'base64url');
  if (sha256Hex(bytes) !== pulse.digest) return false;
  const leaf = leafHash(Buffer.from(seal.digest, 'hex'));
  const path = landed.path.map((hash) => Buffer.from(hash, 'hex'));
  const root = rootFromPath(leaf, landed.index, pulse.body.leaves, path);
  return root !== undefined && Buffer.from(root).toString('hex') === pulse.body.root;
}
