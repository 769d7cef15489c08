import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { InsufficientFunds } from '../../domain/ledger/transfer.ts';
import { atomic, display, type Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import { FAUCET_EACH_MAX } from '../../domain/walletFaucet.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';

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
    hint: fundingHint(hub, { account, network, missing }),
    ...defined({ field }),
  });
}

interface Lack {
  readonly account: Account;
  readonly network: NetworkId;
  readonly missing: Atomic;
}

/** How money comes into the account on this network of this hub, as a call that works. */
export function fundingHint(hub: Hub, { account, network, missing }: Lack): string {
  const wallet = `/api/v1/wallet/${account}`;
  const named = network === hub.settings.network ? {} : { network };
  const shows = `\`GET ${wallet}?network=${network}\` shows what is held and for what.`;
  if (network === 'sandbox' && hub.settings.faucetEnabled) {
    const amount = missing < FAUCET_EACH_MAX ? missing : FAUCET_EACH_MAX;
    const body = { amount: `${amount}`, ...named, idempotencyKey: hub.ids.uuid() };
    return `\`POST ${wallet}/credit ${JSON.stringify(body)}\` gives test money; then send the call again. ${shows}`;
  }
  if (hub.chains.settings(network)?.depositXpub !== undefined) {
    return `\`POST ${wallet}/deposit-address ${JSON.stringify(named)}\` says where to pay in. ${shows}`;
  }
  return `Nothing can be paid in on ${network} here: its money is earned, such as by a task of \`GET /api/v1/tasks?state=open&network=${network}\`. ${shows}`;
}
