import type { Account } from '../../domain/account.ts';
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

/** What one process knows of one ledger beside its tables. Each store has its own. */
export interface LedgerMemory {
  /**
   * Refuses every transfer of this process from now on (choices ledger.freeze). Nothing thaws it
   * but a restart: what a check found broken is repaired by people, and then counted anew.
   */
  freeze(since: Instant): void;
  /**
   * Refuses every transfer as well, until it is said otherwise (choices operator.freeze). True when
   * that changed something.
   */
  pause(since: Instant | undefined): boolean;
  /** When money stopped moving in this process. */
  frozenSince(): Instant | undefined;
  /** Whether the row of an account is known to be committed; `false` means not known. */
  knows(row: AccountRow): boolean;
  /** To be told after the commit only: a row that rolled back was never there. */
  learn(row: AccountRow): void;
}
export interface AccountRow {
  readonly network: string;
  readonly asset: string;
  readonly shard: Account;
}

/** About ten megabytes; an account that fell out costs one statement more. */
const KNOWN_ROWS_MAX = 50_000;

export function openLedgerMemory(rowsMax: number = KNOWN_ROWS_MAX): LedgerMemory {
  // Account rows are never deleted, so what is known stays true; the oldest is forgotten first.
  const known = new Set<string>();
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
    knows: (row) => known.has(named(row)),
    learn(row) {
      known.add(named(row));
      if (known.size <= rowsMax) return;
      for (const oldest of known) {
        known.delete(oldest);
        return;
      }
    },
  };
}

function named({ network, asset, shard }: AccountRow): string {
  return `${network} ${asset} ${shard}`;
}
