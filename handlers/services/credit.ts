import { decideIn } from '../../db/batch/inside.ts';
import { need } from '../../db/batch/need.ts';
import { TASKS } from '../../db/tasks/taskRow.ts';
import { advance, securityOf, type Security } from '../../domain/advance.ts';
import { advanceMax, securedBy, type Loan } from '../../domain/credit.ts';
import { defined } from '../../domain/defined.ts';
import type { Atomic } from '../../domain/money.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { applyDefaults } from '../../workflows/credit/defaults.ts';
import { lend, lendable, openFile, type CreditFile } from '../../workflows/credit/lend.ts';
import { settledTask } from '../../workflows/tasks/due.ts';
import { presentNextFor } from '../../workflows/tasks/nextActions.ts';
import { presentCredit, presentLoan } from './present.ts';

/** Lends against the reward of a claim that the borrower holds (choices credit.advance). */
export const credit: Handler<'services.credit'> = async (call, hub) => {
  const { borrower, taskId, wantedAtomic: wanted } = call.body;
  if (wanted === 0n) {
    refuse('below-minimum', {
      error: 'An advance is at least 1 atomic unit; this asks for 0.',
      hint: 'Leave wantedAtomic out to get the most that is possible.',
      field: 'body.wantedAtomic',
    });
  }
  // In a transaction of its own: a refusal of the advance does not take the default back.
  await applyDefaults(hub, borrower);
  const body = await hub.once(call, async (tx) => {
    const { aggregate } = await decideIn(tx, {
      needs: [need(TASKS, taskId)],
      decide: (db) => settledTask(db, hub, taskId),
    });
    const security = lendable(securityOf(aggregate, borrower, hub.clock.now()));
    const { reward } = security;
    const file = await openFile(tx, hub, borrower, { network: reward.network, taskId });
    const ask = { taskId, reward, ...file, ...defined({ wanted }) };
    const lent = lendable(advance(ask));
    const { ip } = call.caller;
    const loan = await lend(tx, hub, { borrower, ip, taskId, ...security, lent, file });
    return {
      ...presentLoan(loan),
      ...loweredFrom(wanted, loan, reward, file),
      credit: presentCredit(file, [...file.loans, loan]),
      next: presentNextFor(hub, aggregate, borrower),
    };
  });
  return { status: 200, body };
};

/** Said when less was lent than was wanted, with the limit that it met. */
function loweredFrom(
  wanted: Atomic | undefined,
  { lent: { principal } }: Loan,
  reward: Security['reward'],
  { unpaidOnTask }: CreditFile,
): Pick<Schemas['Loan'], 'lowered'> {
  if (wanted === undefined || principal >= wanted) return {};
  return { lowered: { wanted, why: whyLowered(principal, reward, unpaidOnTask) } };
}

function whyLowered(principal: Atomic, reward: Security['reward'], unpaid: Atomic): string {
  if (principal !== securedBy(reward.amount, unpaid))
    return `Your credit limit leaves ${principal}.`;
  const most = `An advance is at most 33% of the escrowed reward, which is ${advanceMax(reward.amount)}`;
  return unpaid === 0n ? `${most}.` : `${most}, and earlier claims left ${unpaid} of it unpaid.`;
}
