import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { InsufficientFunds } from '../../domain/ledger/transfer.ts';
import { atomic, display } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Hub } from '../../server/hub/hub.ts';

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
    ...defined({ field }),
  });
}

function fundingHint(hub: Hub, account: Account, network: NetworkId): string {
  const wallet = `/api/v1/wallet/${account}`;
  return network === 'sandbox' && hub.settings.faucetEnabled
    ? `POST ${wallet}/credit gives test money; GET ${wallet} shows what is held and for what.`
    : `POST ${wallet}/deposit-address says where to pay in; GET ${wallet} shows what is held.`;
}
