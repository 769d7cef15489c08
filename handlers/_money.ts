import { accountOfKey } from '../db/wallet/keys.ts';
import type { Reader } from '../db/store.ts';
import { accountClass, parseKeyId, type Account } from '../domain/account.ts';
import type { InsufficientFunds } from '../domain/ledger/transfer.ts';
import { atomic, display } from '../domain/money.ts';
import { NETWORK_IDS, parseNetworkId, type NetworkId } from '../domain/network.ts';
import { refuse } from '../server/errors.ts';
import type { Hub } from '../server/hub.ts';

/** Steps that every operation with money in it shares. */
export const ASSET = 'USDC' as const;

/**
 * The network that a call named, or the hub's own (choices rails.networks); refuses one that does
 * not exist.
 */
export function networkNamed(hub: Hub, named: string | undefined, field: string): NetworkId {
  if (named === undefined) return hub.settings.network;
  return (
    parseNetworkId(named) ??
    refuse('network-unknown', {
      error: `${field} names ${JSON.stringify(named)}, and there is no such network.`,
      hint: `Networks: ${NETWORK_IDS.join(', ')}; GET /api/v1/networks describes them.`,
      field,
      allowed: [...NETWORK_IDS],
    })
  );
}

/** Refuses what the caller's own balance does not cover: what it can spend, what is missing. */
export function refuseFunds(
  hub: Hub,
  { account, spendable, needed }: InsufficientFunds,
  about: { readonly network: NetworkId; readonly field?: string },
): never {
  const { network, field } = about;
  const missing = atomic(needed - spendable);
  return refuse('insufficient-funds', {
    error:
      `This needs ${needed} atomic units (${display(needed)} USDC) on ${network}; ` +
      `${spendable} are spendable (${display(spendable)} USDC), ` +
      `${missing} are missing (${display(missing)} USDC).`,
    hint: fundingHint(hub, account, network),
    ...(field !== undefined && { field }),
  });
}

function fundingHint(hub: Hub, account: Account, network: NetworkId): string {
  const wallet = `/api/v1/wallet/${account}`;
  return network === 'sandbox' && hub.settings.faucetEnabled
    ? `POST ${wallet}/credit gives test money; GET ${wallet} shows what is held and for what.`
    : `POST ${wallet}/deposit-address says where to pay in; GET ${wallet} shows what is held.`;
}

/** Refuses the house's own accounts as receivers: only the hub's own rules move money there. */
export function mustTakePayments(to: Account, field: string): void {
  if (accountClass(to) === 'user') return;
  refuse('bad-account', {
    error: `${field} names ${to}; the hub's own accounts take no payments.`,
    hint: 'Name a key: account.',
    field,
  });
}

/**
 * Refuses a receiver that money would be lost on: an account whose key was bound to another one, so
 * that nobody signs for it any more.
 */
export async function mustBeSpendable(
  hub: Hub,
  db: Reader,
  to: Account,
  field: string,
): Promise<void> {
  const keyId = to.startsWith('key:') ? parseKeyId(to.slice('key:'.length)) : undefined;
  if (keyId === undefined) return;
  const actsFor = hub.boundAccount(keyId) ?? (await accountOfKey(db, keyId));
  if (actsFor === undefined || actsFor === to) return;
  refuse('bad-account', {
    error: `${field} names ${to}, but its key signs for another account; the money would be lost.`,
    hint: 'Ask the receiver which account its key signs for: GET /api/v1/me tells it.',
    field,
  });
}
