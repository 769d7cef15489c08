import { iso, type Instant } from '../../domain/instant.ts';

/** Thrown by every transfer while the books are in doubt; the caller's unit rolls back. */
export class LedgerFrozen extends Error {
  readonly since: Instant;

  constructor(since: Instant) {
    super(`the ledger is frozen since ${iso(since)}`);
    this.name = 'LedgerFrozen';
    this.since = since;
  }
}

export interface LedgerMemory {
  /** Refuses every transfer of this process until it restarts (choices ledger.freeze). */
  freeze(since: Instant): void;
  /** Refuses transfers while a moment is set (choices operator.freeze); true when that changed. */
  pause(since: Instant | undefined): boolean;
  /** When money stopped moving in this process. */
  frozenSince(): Instant | undefined;
}

export function openLedgerMemory(): LedgerMemory {
  let frozenSince: Instant | undefined;
  let pausedSince: Instant | undefined;
  return {
    freeze: (since) => void (frozenSince ??= since),
    pause(since) {
      const isNew = pausedSince !== since;
      pausedSince = since;
      return isNew;
    },
    frozenSince: () => frozenSince ?? pausedSince,
  };
}
