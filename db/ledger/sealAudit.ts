import { sealFaults, type VerifySeal } from '../../domain/ledger/sealCheck.ts';
import type { Reader } from '../connection.ts';
import { readPulse } from '../time/pulses.ts';
import type { Difference } from '../audit/check.ts';
import { sealPage, type StoredSeal } from './seals.ts';
import { transferDigests } from './transferDigests.ts';

/** Recomputes the seals of the journal from the transfers themselves (choices ledger.seals). */
export interface SealAudit {
  readonly differences: readonly Difference[];
  readonly blocks: number;
  /** The last transfer that is sealed; 0 when none is. */
  readonly sealedUpTo: number;
}

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
  { seal, landed }: StoredSeal,
  before: StoredSeal | undefined,
  verify: VerifySeal,
): Promise<readonly string[]> {
  const { fromSeq, toSeq, count } = seal.body;
  const sealed = { after: fromSeq - 1, upTo: toSeq, limit: count + 1 };
  const transfers = await transferDigests(db, sealed);
  const since = before?.seal.body.toSeq ?? 0;
  const between = await transferDigests(db, { after: since, upTo: fromSeq - 1, limit: 1 });
  const pulse = landed && (await readPulse(db, landed.pulseSeq));
  const faults = sealFaults({ seal, before: before?.seal, transfers, landed, pulse }, verify);
  return between.length === 0 ? faults : [...faults, 'no transfer lies between two blocks'];
}
