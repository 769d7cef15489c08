import { limitOf, outstanding, total, type Loan } from '../../domain/credit.ts';
import { ASSET } from '../../domain/network.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { CreditFile } from '../../workflows/credit/lend.ts';

export function presentLoan(loan: Loan): Omit<Schemas['Loan'], 'credit' | 'next' | 'repeated'> {
  const { id, borrower, taskId, state, lent, left, network, takenAt, dueAt, transferId } = loan;
  return {
    id,
    borrower,
    taskId,
    state,
    principal: lent.principal,
    origination: lent.origination,
    debt: total(lent),
    outstanding: total(left),
    asset: ASSET,
    network,
    takenAt,
    dueAt,
    transferId,
  };
}

export function presentCredit(
  { line, kind, karma }: Pick<CreditFile, 'line' | 'kind' | 'karma'>,
  loans: readonly Loan[],
): Schemas['Loan']['credit'] {
  const limit = limitOf(line, kind, karma);
  const open = outstanding(loans);
  const left = limit - open;
  return {
    limit,
    outstanding: open,
    available: left > 0n ? left : 0n,
  };
}
