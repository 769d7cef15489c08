import type { Withdrawn } from '../../db/time/withdrawn.ts';
import { type Minute, minuteIso } from '../../domain/time/minute.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { ProvedPlace } from '../../workflows/time/proof.ts';

type StampProof = Schemas['StampProof'];

/** The proof of a digest that was promised a minute, for any account that stamped it. */
export function presentProof(
  digest: string,
  promised: Minute,
  { pulse, index, path }: ProvedPlace,
): StampProof {
  const promisedMinute = minuteIso(promised);
  const { leaves, root, minute } = pulse.body;
  return {
    digest,
    promisedMinute,
    ...(promisedMinute !== minute && { late: true }),
    leafIndex: index,
    leaves,
    path,
    root,
    pulse,
  };
}

/** The member of a pulse or a block that shows what was withdrawn of its number. */
export function presentWithdrawn(
  withdrawn: readonly Withdrawn[],
): Pick<Schemas['Pulse'], 'withdrawn'> {
  if (withdrawn.length === 0) return {};
  return {
    withdrawn: withdrawn.map(({ at, signed: { bytes, digest, signature } }) => ({
      at,
      bytes,
      digest,
      signature,
    })),
  };
}
