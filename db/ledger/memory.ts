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

/** The state of one ledger that a process holds beside its tables. Each store has its own. */
export interface LedgerMemory {
  /**
   * Refuses every transfer of this process from now on (choices ledger.freeze). Only a restart ends
   * it: people repair what a check found broken, and it is then counted again.
   */
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
