import type { StoredSeal } from '../../../db/ledger/seals.ts';
import { minuteIso } from '../../../domain/time/minute.ts';
import type { components } from '../../../generated/types.ts';

type LedgerSeal = components['schemas']['LedgerSeal'];

export function presentSeal({ seal, stampedIn, landed }: StoredSeal): LedgerSeal {
  return {
    ...seal,
    stampedIn: minuteIso(stampedIn),
    ...(landed !== undefined && { pulseSeq: landed.pulseSeq }),
  };
}
