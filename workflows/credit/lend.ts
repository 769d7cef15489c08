import { lockLine } from '../../db/credit/lines.ts';
import { LOANS, unpaidLoansOn } from '../../db/credit/loans.ts';
import { insertRow } from '../../db/batch/write.ts';
import { decideIn } from '../../db/batch/inside.ts';
import { readShares, unpaidOnTask } from '../../db/credit/shares.ts';
import { standing } from '../../db/karma/entries.ts';
import { balance } from '../../db/ledger/balances.ts';
import type { Writer } from '../../db/store.ts';
import { kindOf } from '../../db/wallet/networks.ts';
import type { Account } from '../../domain/account.ts';
import { isNotLent, type Ask, type NotLent, type Security } from '../../domain/advance.ts';
import type { Loan } from '../../domain/credit.ts';
import { defined } from '../../domain/defined.ts';
import { crowded, trustIn, type Lent } from '../../domain/lending.ts';
import { atomic } from '../../domain/money.ts';
import { ASSET, type NetworkId } from '../../domain/network.ts';
import { siteOf } from '../../domain/outbound/address.ts';
import type { LoanDue } from '../../domain/settlement.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { transfer } from '../wallet/transfer.ts';
import { collectDue, CREDIT } from './collect.ts';

/** The inputs of a credit decision apart from the task, while the borrower's line is locked. */
export type CreditFile = Omit<Ask, 'taskId' | 'reward' | 'wanted'>;

/** The file of a borrower, locked, with what is due collected from what is spendable. */
export async function openFile(
  tx: Writer,
  hub: Hub,
  borrower: Account,
  { network, taskId }: { readonly network: NetworkId; readonly taskId: string },
): Promise<CreditFile> {
  const line = await lockLine(tx, borrower, network);
  for (const loan of await unpaidLoansOn(tx, borrower, network)) {
    if (loan.state !== 'due') continue;
    await decideIn(tx, { needs: [], decide: (inside) => collectDue(inside, hub, loan) });
  }
  return {
    line,
    kind: await kindOf(tx, network),
    karma: (await standing(tx, borrower)).total,
    loans: await unpaidLoansOn(tx, borrower, network),
    unpaidOnTask: await unpaidOnTask(tx, taskId),
    now: hub.clock.now(),
  };
}

export function lendable<T extends object>(decision: T | NotLent): T {
  if (!isNotLent(decision)) return decision;
  const { refused, why, hint } = decision;
  return refuse(refused, { error: why, ...defined({ hint }) });
}

export interface Lending extends Security {
  readonly borrower: Account;
  readonly ip: string;
  readonly taskId: string;
  readonly lent: LoanDue;
  readonly file: CreditFile;
}

/** Pays an advance out, unless others would be left without a share (choices credit.shares). */
export async function lend(tx: Writer, hub: Hub, to: Lending): Promise<Loan> {
  const { borrower, taskId, attempt, reward, lent, file } = to;
  const { network } = reward;
  const site = siteOf(to.ip);
  const onTrust = trustIn(lent.principal, file.line, file.loans);
  const wish = { principal: lent.principal, onTrust, network };
  const short = crowded(wish, await lockShares(tx, hub, network, site));
  if (short !== undefined) lendable(short);
  const [id, at] = [hub.ids.uuid(), hub.clock.now()];
  const posted = await transfer(tx, hub, {
    at,
    network,
    event: 'services.credit',
    ref: { kind: 'loan', id },
    actor: borrower,
    steps: [
      { verb: 'move', from: CREDIT, to: borrower, amount: lent.principal, reason: 'loan.advance' },
    ],
  });
  if ('refused' in posted) throw new Error('only loans take of the lending account');
  const { transferId } = posted;
  const loan: Loan = {
    id,
    borrower,
    taskId,
    attemptId: attempt.id,
    network,
    lent,
    left: lent,
    state: 'open',
    takenAt: at,
    transferId,
    onTrust,
    site,
  };
  await insertRow(tx, LOANS, loan);
  return loan;
}

/** The line of the lender itself is the lock: two units never count the same share free. */
async function lockShares(tx: Writer, hub: Hub, network: NetworkId, site: string): Promise<Lent> {
  await lockLine(tx, CREDIT, network);
  const { spendable } = await balance(tx, CREDIT, { network, asset: ASSET });
  const shares = await readShares(tx, { network, site }, hub.clock.now());
  return { has: atomic(spendable), ...shares };
}
