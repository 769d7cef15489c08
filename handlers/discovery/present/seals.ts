import type { StoredSeal } from '../../../db/ledger/seals.ts';
import { minuteIso } from '../../../domain/time/minute.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';

type LedgerSeal = Schemas['LedgerSeal'];

export function presentSeal({ seal, stampedIn, landed }: StoredSeal): LedgerSeal {
  return {
    ...seal,
    stampedIn: minuteIso(stampedIn),
    pulseSeq: landed?.pulseSeq,
  };
}
