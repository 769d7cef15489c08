import type { LandedSeal, StoredSeal } from '../../db/ledger/seals.ts';
import { minuteIso } from '../../domain/time/minute.ts';
import type { Pulse } from '../../domain/time/pulse.ts';
import type { components } from '../../generated/types.ts';

type LedgerSeal = components['schemas']['LedgerSeal'];
type StampProof = components['schemas']['StampProof'];

export function presentSeal({ seal, stampedIn, landed }: StoredSeal): LedgerSeal {
  return {
    ...seal,
    stampedIn: minuteIso(stampedIn),
    ...(landed !== undefined && { pulseSeq: landed.pulseSeq }),
  };
}

/** The same proof that the clock gives of any digest; it is kept with the block. */
export function presentProof(
  { seal, stampedIn }: StoredSeal,
  { index, path }: LandedSeal,
  pulse: Pulse,
): StampProof {
  const promisedMinute = minuteIso(stampedIn);
  const { leaves, root } = pulse.body;
  return {
    digest: seal.digest,
    promisedMinute,
    ...(promisedMinute !== pulse.body.minute && { late: true }),
    leafIndex: index,
    leaves,
    path: [...path],
    root,
    pulse,
  };
}
