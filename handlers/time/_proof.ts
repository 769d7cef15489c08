import { auditPathOf, type StampPlace } from '../../db/time/proofs.ts';
import { readPulse } from '../../db/time/pulses.ts';
import type { Reader } from '../../db/store.ts';
import { minuteIso } from '../../domain/time/minute.ts';
import type { components } from '../../generated/types.ts';

type StampProof = components['schemas']['StampProof'];

/** The proof of a stamp in its pulse (choices 8.1); undefined while it has none. */
export async function proofOf(
  db: Reader,
  digest: string,
  { minute, pulseSeq, index }: StampPlace,
): Promise<StampProof | undefined> {
  if (pulseSeq === null || index === null) return undefined;
  const pulse = await readPulse(db, pulseSeq);
  if (pulse === undefined) throw new Error(`a leaf names pulse ${pulseSeq}, which is not there`);
  const { leaves, root } = pulse.body;
  const path = await auditPathOf(db, pulseSeq, index, leaves);
  const promisedMinute = minuteIso(minute);
  return {
    digest,
    promisedMinute,
    ...(promisedMinute !== pulse.body.minute && { late: true }),
    leafIndex: index,
    leaves,
    path: path.map((hash) => Buffer.from(hash).toString('hex')),
    root,
    pulse,
  };
}
