import { CREDIT_LINES } from '../../db/credit/lines.ts';
import { LOANS, unpaidLoans, UNPAID_LOANS } from '../../db/credit/loans.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { LedgerFrozen } from '../../db/ledger/memory.ts';
import type { Account } from '../../domain/account.ts';
import { defaulted, isLate, type Loan } from '../../domain/credit.ts';
import { ZERO } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { Hub } from '../kernel/hub.ts';
import { recordCauses } from '../karma/record.ts';
import { CREDIT, unpaidLoan } from './collect.ts';

/**
 * Makes a late loan a default at once, for whichever call or job sees it first (choices
 * pipeline.due, credit.collection). It stays a default when it is paid.
 */
export function callDefault(db: Decider, hub: Hub, of: Loan): void {
  const at = hub.clock.now();
  const loan = unpaidLoan(db, of);
  if (loan === undefined || !isLate(loan, at)) return;
  const { id, borrower, network } = loan;
  db.put(LOANS, id, defaulted(loan, at));
  const key = { account: borrower, network };
  const line = db.find(CREDIT_LINES, key) ?? { ...key, earned: ZERO };
  // A default closes the line for ever; the first one is remembered.
  db.put(CREDIT_LINES, key, { ...line, defaultedAt: line.defaultedAt ?? at });
  const cause = {
    subject: borrower,
    reason: 'loan.defaulted',
    ref: { kind: 'loan', id },
    occasion: id,
    counterparty: CREDIT,
  } as const;
  recordCauses(db, hub, [cause], { at, network });
}

/** Before money reaches a borrower: what is late by now is a default, and stays one. */
export function callDefaults(db: Decider, hub: Hub, borrower: Account, network: NetworkId): void {
  for (const loan of db.list(UNPAID_LOANS, { borrower, network })) callDefault(db, hub, loan);
}

/** Before an account is read or lent to; writes only when something is late. */
export async function applyDefaults(hub: Hub, borrower: Account): Promise<void> {
  const now = hub.clock.now();
  const loans = await hub.store.readOne((db) => unpaidLoans(db, borrower));
  for (const loan of loans) {
    if (!isLate(loan, now)) continue;
    try {
      await hub.store.decide({ needs: [], decide: (db) => callDefault(db, hub, loan) });
    } catch (error) {
      // While the ledger is frozen a reader sees what is written (choices ledger.freeze).
      if (!(error instanceof LedgerFrozen)) throw error;
    }
  }
}
