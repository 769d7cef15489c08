import type { KeyId } from '../account.ts';
import { iso, type Instant } from '../instant.ts';
import { leafHash, rootOf } from '../time/merkle.ts';
import { NO_DIGEST, signObject, type Sign, type SignedObject } from '../time/signedObject.ts';

/**
 * A sealed block of the journal (choices ledger.seals): the Merkle root over its transfers' digests
 * and the digest of the block before, so a change shows in every later block.
 */
interface SealBody {
  readonly v: 1;
  readonly blockNo: number;
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly count: number;
  readonly merkleRoot: string;
  readonly prevDigest: string;
  readonly sealedAt: string;
  readonly keyId: KeyId;
}
export type Seal = SignedObject<SealBody>;

export interface Sealable {
  readonly seq: number;
  /** Hex SHA-256 of the transfer with its entries. */
  readonly digest: string;
}

/** Root over the digests of transfers in their order, in hex. */
export function sealRoot(transfers: readonly Sealable[]): string {
  const leaves = transfers.map(({ digest }) => leafHash(Buffer.from(digest, 'hex')));
  return Buffer.from(rootOf(leaves)).toString('hex');
}

/** Seals transfers in the order of their sequence, at least one. */
export function makeSeal(
  transfers: readonly Sealable[],
  before: { readonly blockNo: number; readonly digest: string } | undefined,
  { sealedAt, keyId }: { readonly sealedAt: Instant; readonly keyId: KeyId },
  sign: Sign,
): Seal {
  const [first, last] = [transfers[0], transfers.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('a block seals something');
  const body: SealBody = {
    v: 1,
    blockNo: before === undefined ? 0 : before.blockNo + 1,
    fromSeq: first.seq,
    toSeq: last.seq,
    count: transfers.length,
    merkleRoot: sealRoot(transfers),
    prevDigest: before?.digest ?? NO_DIGEST,
    sealedAt: iso(sealedAt),
    keyId,
  };
  return signObject('seal', body, sign);
}
