import { strict as assert } from 'node:assert';
import { need, type Need } from '../../../db/batch/need.ts';
import type { Decider } from '../../../db/batch/transaction.ts';
import { DEPOSIT_ADDRESSES } from '../../../db/rails/depositAddresses.ts';
import { UNSETTLED_DEPOSITS } from '../../../db/rails/deposits.ts';
import { PAYOUT_ADDRESSES } from '../../../db/rails/payoutAddresses.ts';
import { NETWORKS } from '../../../db/wallet/networks.ts';
import type { Account } from '../../../domain/account.ts';
import { type NetworkId, ASSET } from '../../../domain/network.ts';
import { checksummed, type EvmAddress } from '../../../domain/rails/evm.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';
import { missingForDeposits, payoutTerms, withdrawalRail } from '../../../workflows/rails/rail.ts';

export function presentDepositAddress(
  hub: Hub,
  found: {
    readonly owner: Account;
    readonly network: NetworkId;
    readonly address: EvmAddress | undefined;
    readonly missing: readonly string[];
  },
): Schemas['DepositAddress'] {
  const { owner, network, address, missing } = found;
  const facts = hub.chains.facts(network);
  return {
    owner,
    network,
    asset: ASSET,
    address: address === undefined ? null : checksummed(address),
    missing,
    ...(facts !== undefined && {
      chainId: facts.chainId,
      tokenContract: checksummed(facts.token),
      confirmations: facts.confirmations,
    }),
  };
}

/** As a wallet shows it: a read makes no address. */
export function readDepositAddress(
  hub: Hub,
  db: Decider,
  owner: Account,
  network: NetworkId,
): Schemas['DepositAddress'] {
  const lacks = missingForDeposits(hub, network);
  const address = lacks.length > 0 ? undefined : depositAddress(db, owner, network);
  const path = `/api/v1/wallet/${owner}/deposit-address`;
  const missing = lacks.length > 0 || address !== undefined ? lacks : [`POST ${path} makes one`];
  return presentDepositAddress(hub, { owner, network, address, missing });
}

function depositAddress(db: Decider, account: Account, network: NetworkId): EvmAddress | undefined {
  return db.find(DEPOSIT_ADDRESSES, { account, network })?.address;
}

/** The rows that the two functions of this file look up. */
export function readsOfRails(account: Account, network: NetworkId): readonly Need[] {
  const key = { account, network };
  const tables = [need(DEPOSIT_ADDRESSES, key), need(PAYOUT_ADDRESSES, key)];
  return [need(NETWORKS, network), need(UNSETTLED_DEPOSITS, key), ...tables];
}

export function readWithdrawalTerms(
  hub: Hub,
  db: Decider,
  owner: Account,
  network: NetworkId,
): Schemas['WithdrawalTerms'] {
  const row = db.find(NETWORKS, network);
  assert(row !== undefined, `${network} has its row`);
  const rail = withdrawalRail(hub, row);
  const payout = payoutTerms(db, owner, network, hub.clock.now());
  const { minimum, fee, automaticEach, automaticDaily } = rail;
  const found = db.find(UNSETTLED_DEPOSITS, { account: owner, network });
  const { missing, missingSince } = found ?? {};
  return {
    network,
    available: rail.available,
    minimum,
    fee,
    automaticEach,
    automaticDaily,
    ...(payout.address !== undefined && { address: checksummed(payout.address) }),
    coolingUntil: payout.coolingUntil,
    ...(missingSince !== undefined && { missingDeposits: missing, missingSince }),
    arrives: rail.arrives,
  };
}
