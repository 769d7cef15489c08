import { auditPathOf, type StampPlace } from '../../db/time/proofs.ts';
import { readPulse } from '../../db/time/pulses.ts';
import type { Reader } from '../../db/store.ts';
import type { Pulse } from '../../domain/time/pulse.ts';

/** Where a digest stands in the tree of a pulse, and its way to the root: hashes in hex. */
export interface ProvedPlace {
  readonly pulse: Pulse;
  readonly index: number;
  readonly path: readonly string[];
}

/** The place of a stamp in its pulse (choices time.stamps); undefined while it has none. */
export async function provedPlace(
  db: Reader,
  { pulseSeq, index }: StampPlace,
): Promise<ProvedPlace | undefined> {
  if (pulseSeq === null || index === null) return undefined;
  const pulse = await readPulse(db, pulseSeq);
  if (pulse === undefined) throw new Error(`a leaf names pulse ${pulseSeq}, which is not there`);
  const path = await auditPathOf(db, pulseSeq, index, pulse.body.leaves);
  return { pulse, index, path: path.map((hash) => Buffer.from(hash).toString('hex')) };
}
