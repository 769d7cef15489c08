import { sha256Hex } from '../digest.ts';
import { leafHash, rootFromPath } from '../time/merkle.ts';
import type { Pulse } from '../time/pulse.ts';
import { NO_DIGEST } from '../time/signedObject.ts';
import { sealRoot, type Seal, type Sealable } from './seal.ts';

/** The pulse that a block was stamped in, and its way to the root of that. */
export interface LandedSeal {
  readonly pulseSeq: number;
  readonly index: number;
  /** Hashes in hex, from the leaf up. They outlive the leaves, which are kept for 90 days. */
  readonly path: readonly string[];
}

/** Whether `signature` (base64) of a key of the hub is one over `message`. */
export type VerifySeal = (keyId: string, message: Uint8Array, signature: string) => boolean;

export interface SealedBlock {
  readonly seal: Seal;
  readonly before: Seal | undefined;
  /** The transfers of its span, recomputed. */
  readonly transfers: readonly Sealable[];
  /** Undefined while its minute is not over. */
  readonly landed: LandedSeal | undefined;
  readonly pulse: Pulse | undefined;
}

/**
 * Returns the faults of a block (choices ledger.seals). To change a sealed transfer without
 * detection, every later block and pulse would have to be made and signed again.
 */
export function sealFaults(block: SealedBlock, verify: VerifySeal): readonly string[] {
  const { seal, before, transfers } = block;
  const { body } = seal;
  const message = Buffer.from(seal.bytes, 'base64url');
  const holds: readonly (readonly [boolean, string])[] = [
    [seal.digest === sha256Hex(message), 'the digest of a block is that of its bytes'],
    [verify(body.keyId, message, seal.signature), 'a block is signed by a key of the hub'],
    [body.prevDigest === (before?.digest ?? NO_DIGEST), 'a block names the one before'],
    [transfers.length === body.count, 'a block has the transfers that it counted'],
    [sealRoot(transfers) === body.merkleRoot, 'the transfers of a block have its root'],
    [stampHolds(block, verify), 'a block leads to the pulse that stamped it'],
  ];
  return holds.filter(([held]) => !held).map(([, says]) => says);
}

/** Whether a block leads to its pulse; one whose minute is not over yet has no pulse to lead to. */
function stampHolds({ seal, landed, pulse }: SealedBlock, verify: VerifySeal): boolean {
  if (landed === undefined) return true;
  if (pulse === undefined) return false;
  const message = Buffer.from(pulse.bytes, 'base64url');
  if (sha256Hex(message) !== pulse.digest) return false;
  if (!verify(pulse.body.keyId, message, pulse.signature)) return false;
  const leaf = leafHash(Buffer.from(seal.digest, 'hex'));
  const path = landed.path.map((hash) => Buffer.from(hash, 'hex'));
  const root = rootFromPath(leaf, landed.index, pulse.body.leaves, path);
  return root !== undefined && Buffer.from(root).toString('hex') === pulse.body.root;
}
