import type { Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { homeOf, ownKey } from '../../db/wallet/homes.ts';
import type { Reader, Writer } from '../../db/store.ts';
import { type Account, accountClass } from '../../domain/account.ts';
import { judgeReceiver } from '../../domain/httpsig/keys.ts';
import type { NetworkId } from '../../domain/network.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';

/**
 * Who may be named as one that gets something: money, a payout, a right. Every operation that takes
 * an account or a key as a receiver asks here, in the unit of work that names it.
 */

/** Refuses the house's own accounts as receivers: only the hub's own rules move money there. */
export function mustTakePayments(to: Account, field: string): void {
  if (accountClass(to) === 'user') return;
  refuse('bad-account', {
    error: `${field} names ${to}; the hub's own accounts take no payments.`,
    hint: 'Name a key: account.',
    field,
  });
}

/** Refuses a wallet's account that its payments over x402 cannot use (choices router.x402). */
export function mustBeSwept(hub: Hub, to: Account, network: NetworkId, field: string): void {
  if (!to.startsWith('evm:')) return;
  const { chain, x402Facilitator } = hub.settings;
  const takesPayments = x402Facilitator !== undefined && chain?.treasuryKeyFile !== undefined;
  if (takesPayments && chain.network === network) return;
  refuse('bad-account', {
    error: `${field} names ${to}, and no payment of that wallet is taken on ${network}, so the wallet could not spend what it gets.`,
    hint: 'Name the key: account of the receiver in its place, and send the call again.',
    field,
  });
}

/** Refuses a receiver whose key cannot sign or joined another account; else settles its key. */
export async function mustBeSpendable(
  hub: Hub,
  tx: Writer,
  to: Account,
  field: string,
): Promise<void> {
  mustSign(to, field);
  mustActFor(to, await hub.callers.settle(tx, to), field);
}

/** The same for a transaction: what it needs, and the question. */
export function receiving(
  hub: Hub,
  to: Account,
  field: string,
): { readonly needs: readonly Need[]; readonly mustBeSpendable: (db: Decider) => void } {
  const { needs, settle } = hub.callers.settling(to);
  return {
    needs,
    mustBeSpendable(db) {
      mustSign(to, field);
      mustActFor(to, settle(db), field);
    },
  };
}

/** The same question, which settles nothing. */
export async function mayBeSpendable(
  hub: Hub,
  db: Reader,
  to: Account,
  field: string,
): Promise<void> {
  mustSign(to, field);
  const keyId = ownKey(to);
  if (keyId === undefined) return;
  mustActFor(to, hub.callers.boundAccount(keyId) ?? (await homeOf(db, keyId)) ?? to, field);
}

/** The same judgement as of a signer's key: what can never sign can never spend. */
function mustSign(to: Account, field: string): void {
  const keyId = ownKey(to);
  const verdict = keyId === undefined ? undefined : judgeReceiver(keyId);
  if (verdict === undefined || verdict.ok) return;
  refuse('bad-account', {
    error: `${field} names ${to}, for which no single key could ever sign: ${verdict.why}.`,
    hint: 'Ask the receiver for the account that GET /api/v1/me, signed with its key, shows as `owner`.',
    field,
  });
}

/** Which account a key acts for is public: its karma names it. */
function mustActFor(to: Account, actsFor: Account, field: string): void {
  if (actsFor === to) return;
  refuse('bad-account', {
    error: `${field} names ${to}, but its key signs for ${actsFor}; what it gets would be lost.`,
    hint: `Name ${actsFor} in its place.`,
    field,
  });
}
