import { closeLine, lockLine } from '../../db/credit/lines.ts';
import { readLoan, unpaidLoans, unpaidLoansOn, updateLoan } from '../../db/credit/loans.ts';
import { lockStanding } from '../../db/karma/record.ts';
import { LedgerFrozen } from '../../db/ledger/memory.ts';
import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { defaulted, isLate, type Loan } from '../../domain/credit.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { recordCauses } from '../karma/record.ts';
import { CREDIT } from './collect.ts';

/**
 * A loan that is late is a default from that moment on, whoever looks first: a settlement, a request
 * for credit, a read or the job (choices pipeline.due, credit.collection). Paid after it, it stays one.
 */
export async function callDefault(
  tx: Writer,
  hub: Hub,
  { id, borrower, network }: Loan,
): Promise<void> {
  const at = hub.clock.now();
  // Standing before the line, as a settlement does, so that the two wait in one order.
  await lockStanding(tx, borrower);
  await lockLine(tx, borrower, network);
  const loan = await readLoan(tx, id);
  if (loan === undefined || !isLate(loan, at)) return;
  await updateLoan(tx, defaulted(loan, at));
  await closeLine(tx, borrower, network, at);
  const cause = {
    subject: borrower,
    reason: 'loan.defaulted',
    ref: { kind: 'loan', id },
    occasion: id,
    counterparty: CREDIT,
  } as const;
  await recordCauses(tx, hub, [cause], { at, network });
}

/** Before money reaches a borrower: what is late by now is a default, and stays one. */
export async function callDefaults(
  tx: Writer,
  hub: Hub,
  borrower: Account,
  network: NetworkId,
): Promise<void> {
  const now = hub.clock.now();
  for (const loan of await unpaidLoansOn(tx, borrower, network)) {
    if (isLate(loan, now)) await callDefault(tx, hub, loan);
  }
}

/** Before an account is read or lent to; writes only when something is late. */
export async function applyDefaults(hub: Hub, borrower: Account): Promise<void> {
  const now = hub.clock.now();
  const loans = await hub.store.read((db) => unpaidLoans(db, borrower));
  for (const loan of loans) {
    if (!isLate(loan, now)) continue;
    try {
      await hub.store.write((tx) => callDefault(tx, hub, loan));
    } catch (error) {
      // While the ledger is frozen a reader sees what is written (choices ledger.freeze).
      if (!(error instanceof LedgerFrozen)) throw error;
    }
  }
}
