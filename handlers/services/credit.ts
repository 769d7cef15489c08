import { lockLine } from '../../db/credit/lines.ts';
import { insertLoan, unpaidLoansOn } from '../../db/credit/loans.ts';
import { standing } from '../../db/karma/entries.ts';
import { kindOf } from '../../db/wallet/networks.ts';
import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import {
  advance,
  isNotLent,
  securityOf,
  type NotLent,
  type Security,
} from '../../domain/advance.ts';
import { advanceMax, type CreditLine, type Loan } from '../../domain/credit.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Atomic } from '../../domain/money.ts';
import type { NetworkId, NetworkKind } from '../../domain/network.ts';
import type { LoanDue } from '../../domain/settlement.ts';
import type { components } from '../../generated/types.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { lockSettled } from '../../workflows/tasks/due.ts';
import { presentNext } from '../../workflows/tasks/nextActions.ts';
import { collectDue, CREDIT } from '../../workflows/credit/collect.ts';
import { applyDefaults } from '../../workflows/credit/defaults.ts';
import { transfer } from '../../workflows/wallet/transfer.ts';
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
    const { aggregate } = await lockSettled(tx, hub, taskId);
    const security = lendable(securityOf(aggregate, borrower, hub.clock.now()));
    const file = await fileOf(tx, hub, borrower, security.reward.network);
    const karma = (await standing(tx, borrower)).total;
    const { reward } = security;
    const ask = { taskId, reward, ...file, karma, ...(wanted !== undefined && { wanted }) };
    const loan = await lend(tx, hub, { borrower, taskId, ...security }, lendable(advance(ask)));
    return {
      ...presentLoan(loan),
      ...loweredFrom(wanted, loan, reward),
      credit: presentCredit(file.line, file.kind, [...file.loans, loan]),
      next: presentNext(aggregate, hub.clock.now()),
    };
  });
  return { status: 200, body };
};

/** Said when less was lent than was wanted, with the limit that it met. */
function loweredFrom(
  wanted: Atomic | undefined,
  { lent: { principal } }: Loan,
  reward: Security['reward'],
): Pick<components['schemas']['Loan'], 'lowered'> {
  if (wanted === undefined || principal >= wanted) return {};
  const most = advanceMax(reward.amount);
  const why =
    principal === most
      ? `An advance is at most 33% of the escrowed reward, which is ${most}.`
      : `Your credit limit leaves ${principal}.`;
  return { lowered: { wanted: `${wanted}`, why } };
}

function lendable<T extends object>(decision: T | NotLent): T {
  if (!isNotLent(decision)) return decision;
  const { refused, why, hint } = decision;
  return refuse(refused, { error: why, ...(hint !== undefined && { hint }) });
}

interface CreditFile {
  readonly line: CreditLine;
  readonly kind: NetworkKind;
  readonly loans: readonly Loan[];
  readonly now: Instant;
}

/** What decides about credit, locked, with what is due collected from what is spendable. */
async function fileOf(
  tx: Writer,
  hub: Hub,
  borrower: Account,
  network: NetworkId,
): Promise<CreditFile> {
  const line = await lockLine(tx, borrower, network);
  for (const loan of await unpaidLoansOn(tx, borrower, network)) {
    if (loan.state === 'due') await collectDue(tx, hub, loan);
  }
  return {
    line,
    kind: await kindOf(tx, network),
    loans: await unpaidLoansOn(tx, borrower, network),
    now: hub.clock.now(),
  };
}

async function lend(
  tx: Writer,
  hub: Hub,
  to: Security & { readonly borrower: Account; readonly taskId: string },
  lent: LoanDue,
): Promise<Loan> {
  const { borrower, taskId, attempt, reward } = to;
  const [id, at] = [hub.ids.uuid(), hub.clock.now()];
  const posted = await transfer(tx, hub, {
    at,
    network: reward.network,
    event: 'services.credit',
    ref: { kind: 'loan', id },
    actor: borrower,
    steps: [
      {
        verb: 'move',
        from: CREDIT,
        to: borrower,
        amount: lent.principal,
        reason: 'loan.advance',
      },
    ],
  });
  if ('refused' in posted) return refuseEmpty(posted.spendable, reward.network);
  const loan: Loan = {
    id,
    borrower,
    taskId,
    attemptId: attempt.id,
    network: reward.network,
    lent,
    left: lent,
    state: 'open',
    takenAt: at,
    transferId: posted.transferId,
  };
  await insertLoan(tx, loan);
  return loan;
}

function refuseEmpty(has: Atomic, network: NetworkId): never {
  return refuse('credit-unavailable', {
    error: `${CREDIT} has ${has} on ${network}, which is less than this advance.`,
    hint:
      has === 0n
        ? 'Work without an advance: claiming and submitting need no balance.'
        : `Ask for less: "wantedAtomic": "${has}" at most.`,
  });
}
