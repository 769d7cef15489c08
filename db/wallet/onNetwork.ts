import type { Account } from '../../domain/account.ts';
import type { Place } from '../ledger/accounts.ts';

/** An account on one network, by which the lookups of a wallet are asked. */
export interface OnNetwork extends Place {
  readonly account: Account;
}
