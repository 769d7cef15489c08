import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import type { Callers } from './hub.ts';

/**
 * Thrown where a request that came in a key's own name is to be kept, and the key joined another
 * account meanwhile. Nothing was kept; the request is judged again, as that account's.
 */
export class KeyMoved extends Error {
  readonly account: Account;

  constructor(account: Account) {
    super('the signing key joined another account');
    this.name = 'KeyMoved';
    this.account = account;
  }
}

/** Settles a signer's key where it acts: the unit of work uses the account for ever. */
export async function settleSigner(
  callers: Pick<Callers, 'settle'>,
  tx: Writer,
  { account }: { readonly account: Account },
): Promise<void> {
  mustStay({ account }, await callers.settle(tx, account));
}

/** Judged again as the account that the key was found to act for. */
export function mustStay(
  signer: { readonly account: Account } | undefined,
  home: Account | undefined,
): void {
  if (signer !== undefined && home !== undefined && home !== signer.account)
    throw new KeyMoved(home);
}
