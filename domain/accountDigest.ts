import { createHmac } from 'node:crypto';
import type { Account } from './account.ts';

/** The name of an account in the log: without the secret of the hub no account is found by it. */
export type AccountDigest = (account: Account) => string;

const LENGTH = 20;

export function accountDigest(secret: string): AccountDigest {
  return (account) => createHmac('sha256', secret).update(account).digest('hex').slice(0, LENGTH);
}
