import { networks, type Network } from '../../db/wallet/networks.ts';
import { PAYOUT_ADDRESSES } from '../../db/rails/payoutAddresses.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import type { Reader } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { EvmAddress } from '../../domain/rails/evm.ts';
import { AUTOMATIC_DAILY, AUTOMATIC_EACH } from '../../domain/rails/withdrawal.ts';
import type { Hub } from '../kernel/hub.ts';
import { cools } from './payoutAddress.ts';

/** The ways in and out of a network as this hub has them loaded (choices rails.networks). */
export interface WithdrawalRail {
  readonly available: boolean;
  /** Missing parts of custody, one line each. */
  readonly missing: readonly string[];
  readonly minimum?: Atomic;
  readonly fee?: Atomic;
  readonly automaticEach?: Atomic;
  readonly automaticDaily?: Atomic;
  /** When the money arrives, in words. */
  readonly arrives: string;
}

/** The pace of Base, for expected times. */
export const BLOCK_SECONDS = 2;

const NO_CHAIN = 'a chain to follow (HUB_CHAIN_RPC)';

export function withdrawalRail(
  hub: Hub,
  { id, minWithdraw, withdrawFee }: Network,
): WithdrawalRail {
  const missing = missingForWithdrawals(hub, id);
  if (missing.length > 0 || minWithdraw === null || withdrawFee === null) {
    const arrives = `Not at all: this hub has no withdrawal rail on ${id}.`;
    return { available: false, missing, arrives };
  }
  const terms = { available: true, missing, minimum: minWithdraw, fee: withdrawFee };
  if (id === 'sandbox') {
    return { ...terms, arrives: 'After 10 seconds, on a simulated rail: no money leaves the hub.' };
  }
  return {
    ...terms,
    automaticEach: AUTOMATIC_EACH,
    automaticDaily: AUTOMATIC_DAILY,
    arrives: `After ${hub.chains.facts(id)?.confirmations ?? 0} blocks of the chain, some minutes.`,
  };
}

function missingForWithdrawals(hub: Hub, id: NetworkId): readonly string[] {
  if (id === 'sandbox') return [];
  if (id === 'play') return ['play money never leaves the hub'];
  const settings = hub.chains.settings(id);
  if (settings === undefined) return [NO_CHAIN, 'a hot wallet (HUB_TREASURY_KEY)'];
  return settings.treasuryKeyFile === undefined ? ['a hot wallet (HUB_TREASURY_KEY)'] : [];
}

const WITHOUT_CHAIN: Readonly<Partial<Record<NetworkId, string>>> = {
  sandbox: 'sandbox has no chain; its money comes from the faucet',
  play: 'play has no chain; its money is won in games or issued by the operator',
};

/** Returns the missing parts for an address of deposits; empty when the hub can make one. */
export function missingForDeposits(hub: Hub, id: NetworkId): readonly string[] {
  const never = WITHOUT_CHAIN[id];
  if (never !== undefined) return [never];
  const settings = hub.chains.settings(id);
  const xpub = 'an extended public key for deposit addresses (HUB_DEPOSIT_XPUB)';
  if (settings === undefined) return [NO_CHAIN, xpub];
  return settings.depositXpub === undefined ? [xpub] : [];
}

/** The row of a network; every id of the contract has one. */
export async function networkRow(db: Reader, id: NetworkId): Promise<Network> {
  const found = (await networks(db)).find((row) => row.id === id);
  if (found === undefined) throw new Error(`no network is named ${id}`);
  return found;
}

/** Returns the terms of the owner's next withdrawal, by its payout address. */
export function payoutTerms(
  db: Decider,
  account: Account,
  network: NetworkId,
  now: Instant,
): { readonly address?: EvmAddress; readonly coolingUntil?: Instant } {
  const registered = db.find(PAYOUT_ADDRESSES, { account, network });
  if (registered === undefined) return {};
  const until = cools(registered, network, now);
  return {
    address: registered.address,
    ...defined({ coolingUntil: until }),
  };
}
