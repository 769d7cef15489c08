import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import type { Callers } from './hub.ts';

/** The key has joined another account. Nothing is stored, and the request is judged again. */
export class KeyMoved extends Error {
  readonly account: Account;

  constructor(account: Account) {
    super('the signing key joined another account');
    this.name = 'KeyMoved';
    this.account = account;
  }
}

/** Binds a signer's key to its account permanently, because the unit of work uses that account. */
export async function settleSigner(
  callers: Pick<Callers, 'settle'>,
  tx: Writer,
  { account }: { readonly account: Account },
): Promise<void> {
  mustStay({ account }, await callers.settle(tx, account));
}

export function mustStay(
  signer: { readonly account: Account } | undefined,
  home: Account | undefined,
): void {
  if (signer !== undefined && home !== undefined && home !== signer.account)
    throw new KeyMoved(home);
}
