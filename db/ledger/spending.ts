import type { Account } from '../../domain/account.ts';
import type { Reason } from '../../domain/ledger/reasons.ts';
import type {
  Commitment,
  CommitmentId,
  InsufficientFunds,
  Transfer,
} from '../../domain/ledger/transfer.ts';
import { atomic } from '../../domain/money.ts';
import { take, takeAgain } from '../../domain/wallet/policy.ts';
import {
  firstTaken,
  flowOf,
  mergedParts,
  splitParts,
  sumOf,
  type CountedHold,
  type Flow,
  type SpentPart,
  type Taking,
} from '../../domain/wallet/spentParts.ts';
import type { Decider } from '../batch/transaction.ts';
import { spendingOf, type Spending } from '../spender.ts';
import { KEY_POLICIES, spentOf, withSpent } from '../wallet/policies.ts';
import { judgeTaking } from './judgeTaking.ts';
import { COMMITMENTS } from './ledgerTables.ts';

/**
 * Counts what keys spend against their policies. What a key may spend in an hour, a day and a month
 * stands in its row of `key_policies`; a payment adds to it at once. A hold keeps the keys that it was
 * counted for as parts (key, moment, amount). The parts move with the money: into the next hold, or
 * away when it is paid out. Only money that comes back to the account gives them back, by any
 * signer. A transfer that no key decided (`spending` is undefined) still moves the parts of its
 * holds.
 */

/** The parts of the holds that a transfer opens, by the hold. */
export type SpentParts = ReadonlyMap<CommitmentId, readonly SpentPart[]>;

/**
 * Counts what a transfer takes from the account of the unit's key, and what it gives back to the keys
 * that held it, under the policies of both (choices wallet.policies). Throws `SpendingRefused` where
 * the policy of the calling key stops it; a unit without a call gets the refusal of an empty account.
 * What the hub decides in passing, for its clock or a debt, is no spending of the key.
 */
export function countSpending(
  db: Decider,
  transfer: Transfer,
  commitments: ReadonlyMap<CommitmentId, Commitment>,
): SpentParts | InsufficientFunds {
  const holds = new Map(
    [...commitments].map(([id, { account, remaining }]) => {
      const { spent: parts = [] } = db.find(COMMITMENTS, id) ?? {};
      return [id, { account, remaining, parts }] as const;
    }),
  );
  const flow = flowOf(transfer.steps, holds);
  db.spending ??= continued(flow, holds.values());
  for (const [account, parts] of flow.returned) giveBack(db, account, parts);
  const kept = new Map<CommitmentId, readonly SpentPart[]>();
  for (const { step, parts } of flow.takings) {
    if (step.verb === 'hold' && parts.length > 0) kept.set(step.commitment, mergedParts(parts));
  }
  const { spending } = db;
  if (spending === undefined) return kept;
  const takings = flow.takings.filter((taking) => isDecided(taking, spending, transfer));
  return countTakings(db, spending, { transfer, takings, kept });
}

/** A unit without a call goes on for the key whose hold it ends. */
function continued({ returned }: Flow, holds: Iterable<CountedHold>): Spending | undefined {
  for (const { account, parts } of holds) {
    const [first] = parts;
    if (first !== undefined && returned.has(account)) {
      return spendingOf({ keyId: first.keyId, account });
    }
  }
  return undefined;
}

/** Reduces the windows that the parts were counted in, as far as they still run. */
function giveBack(db: Decider, account: Account, parts: readonly SpentPart[]): void {
  for (const { keyId, at, amount } of parts) {
    const rule = db.find(KEY_POLICIES, { keyId, account });
    if (rule === undefined) continue;
    db.put(KEY_POLICIES, rule, withSpent(rule, takeAgain(spentOf(rule), -amount, at)));
  }
  const { spending } = db;
  if (spending?.account !== account) return;
  const own = parts.filter(({ keyId }) => keyId === spending.keyId);
  db.spending = { ...spending, credits: [...spending.credits, ...own] };
}

/** The borrower decided on these by taking the loan. */
const REPAYMENTS: readonly Reason[] = ['loan.repay', 'loan.origination'];

/** Whether a step takes from the account of a key, which pays out of a hold where it decides so. */
function isDecided({ step, account }: Taking, key: Spending, { actor }: Transfer): boolean {
  if (account !== key.account) return false;
  if (step.verb === 'move') return !REPAYMENTS.includes(step.reason);
  return step.verb === 'hold' || actor === key.account;
}

interface Counted {
  readonly transfer: Transfer;
  readonly takings: readonly Taking[];
  readonly kept: ReadonlyMap<CommitmentId, readonly SpentPart[]>;
}

/** Counts what a key takes. Of a hold that goes on only what is added to it is taken now. */
function countTakings(
  db: Decider,
  spending: Spending,
  { transfer, takings, kept }: Counted,
): SpentParts | InsufficientFunds {
  const { keyId, account, digest } = spending;
  const firsts = takings.map((taking) => ({ taking, first: firstTaken(taking, keyId) }));
  const first = firsts.reduce((sum, each) => sum + each.first, 0n);
  if (first === 0n) return kept;
  const credited = sumOf(spending.credits);
  const again = first < credited ? first : credited;
  const fresh = transfer.actor === account ? first - again : 0n;
  if (again + fresh === 0n) return kept;
  const rule = db.find(KEY_POLICIES, spending);
  if (rule === undefined) return kept;
  // A unit without a call of its own goes on with one whose hold it gave back.
  const goesOn =
    sumOf(
      takings.flatMap(({ parts }) => parts),
      keyId,
    ) + again;
  const ofCall = spending.taken + (digest === undefined ? goesOn : 0n);
  const { within: used, beyond: credits } = splitParts(spending.credits, again);
  let spent = used.reduce((sum, { amount, at }) => takeAgain(sum, amount, at), spentOf(rule));
  if (fresh > 0n) {
    const leaving = takings.reduce((sum, { amount }) => sum + amount, 0n);
    const parts = firsts.flatMap((each) => (each.first > 0n ? [each.taking] : []));
    const refused = judgeTaking(db, transfer, {
      rule,
      spending,
      spent,
      ofCall,
      fresh,
      leaving,
      parts,
    });
    if (refused !== undefined) return refused;
    spent = take(spent, fresh, transfer.at);
  }
  db.put(KEY_POLICIES, rule, withSpent(rule, spent));
  const { isApproved = false } = db.spending ?? {};
  db.spending = { ...spending, taken: ofCall + fresh, credits, isApproved };
  const now = fresh > 0n ? [{ keyId, at: spent.at, amount: atomic(fresh) }] : [];
  return withTaken(firsts, [...used, ...now], kept);
}

/** Gives the parts that a key takes to the holds that it opens, in their order. */
function withTaken(
  firsts: readonly { readonly taking: Taking; readonly first: bigint }[],
  taken: readonly SpentPart[],
  kept: SpentParts,
): SpentParts {
  const holds = new Map(kept);
  let rest = taken;
  for (const { taking, first } of firsts) {
    const { within, beyond } = splitParts(rest, first);
    rest = beyond;
    if (taking.step.verb !== 'hold' || within.length === 0) continue;
    const { commitment } = taking.step;
    holds.set(commitment, mergedParts([...(kept.get(commitment) ?? []), ...within]));
  }
  return holds;
}
