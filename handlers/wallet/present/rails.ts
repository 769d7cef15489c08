import { depositAddressOf } from '../../../db/rails/depositAddresses.ts';
import { missingDeposits } from '../../../db/rails/deposits.ts';
import type { Reader } from '../../../db/store.ts';
import type { Account } from '../../../domain/account.ts';
import { type NetworkId, ASSET } from '../../../domain/network.ts';
import { checksummed, type EvmAddress } from '../../../domain/rails/evm.ts';
import type { Schemas } from '../../../server/hub/answered.ts';
import type { Hub } from '../../../server/hub/hub.ts';
import {
  missingForDeposits,
  networkRow,
  payoutTerms,
  withdrawalRail,
} from '../../../workflows/rails/rail.ts';

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
export async function readDepositAddress(
  hub: Hub,
  db: Reader,
  owner: Account,
  network: NetworkId,
): Promise<Schemas['DepositAddress']> {
  const lacks = missingForDeposits(hub, network);
  const address = lacks.length > 0 ? undefined : await depositAddressOf(db, owner, network);
  const path = `/api/v1/wallet/${owner}/deposit-address`;
  const missing = lacks.length > 0 || address !== undefined ? lacks : [`POST ${path} makes one`];
  return presentDepositAddress(hub, { owner, network, address, missing });
}

export async function readWithdrawalTerms(
  hub: Hub,
  db: Reader,
  owner: Account,
  network: NetworkId,
): Promise<Schemas['WithdrawalTerms']> {
  const rail = withdrawalRail(hub, await networkRow(db, network));
  const payout = await payoutTerms(db, owner, network, hub.clock.now());
  const { minimum, fee, automaticEach, automaticDaily } = rail;
  const { missing, since } = await missingDeposits(db, owner, network);
  return {
    network,
    available: rail.available,
    minimum,
    fee,
    automaticEach,
    automaticDaily,
    ...(payout.address !== undefined && { address: checksummed(payout.address) }),
    coolingUntil: payout.coolingUntil,
    ...(since !== null && { missingDeposits: missing, missingSince: since }),
    arrives: rail.arrives,
  };
}
