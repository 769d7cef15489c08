import { networks as networkRows, type Network } from '../../db/wallet/networks.ts';
import { type NetworkId, ASSET } from '../../domain/network.ts';
import type { components } from '../../generated/types.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { NO_DEPOSITS, withdrawalTermsOf } from '../wallet/present/rails.ts';

/** The money networks as they are on this hub now, the default one first. */
type MoneyNetwork = components['schemas']['MoneyNetwork'];
type Rail = components['schemas']['NetworkRail'];

const WHAT: Readonly<Record<NetworkId, string>> = {
  sandbox: 'Test money for rehearsing everything; it is worth nothing and never leaves the hub.',
  base: 'USDC on Base, the real thing; never minted here, only paid in and out.',
  play: 'Play money of the games; it buys nothing outside them.',
};

const CHAIN_RAIL: Readonly<Record<NetworkId, string>> = {
  sandbox: 'There is none: sandbox has no chain.',
  base: 'POST /api/v1/wallet/{owner}/deposit-address names the address to pay to.',
  play: 'There is none: play money is won in games or issued by the operator.',
};

const WITHDRAWAL = {
  rail: 'POST /api/v1/wallet/{owner}/withdraw pays out the amount less the fee.',
  none: 'There is none: this money never leaves the hub.',
} as const;

export const networks: Handler<'discovery.networks'> = async (_, hub) => {
  const { network: defaultNetwork } = hub.settings;
  const rows = await hub.store.read(networkRows);
  const isDefault = ({ id }: Network): boolean => id === defaultNetwork;
  const list = [...rows.filter(isDefault), ...rows.filter((row) => !isDefault(row))];
  return {
    status: 200,
    body: { defaultNetwork, count: list.length, networks: list.map((row) => present(row, hub)) },
  };
};

function present(row: Network, hub: Hub): MoneyNetwork {
  const { id, kind, decimals, chainId, confirmations, buysModels } = row;
  return {
    id,
    kind,
    what: WHAT[id],
    asset: ASSET,
    decimals,
    isDefault: id === hub.settings.network,
    ...(chainId !== null && { chainId }),
    confirmations,
    // The row says whether deposits are to be watched for; nothing follows a chain without a rail.
    watched: false,
    faucet: row.faucet && hub.settings.faucetEnabled,
    buysModels,
    deposit: row.faucet ? faucetRail(hub) : { available: false, ...chainRail(id) },
    withdrawal: withdrawalRail(row),
  };
}

function faucetRail({ settings }: Hub): Rail {
  return {
    available: settings.faucetEnabled,
    how: 'POST /api/v1/wallet/{owner}/credit gives test money on request, up to a daily cap.',
    ...(!settings.faucetEnabled && { missing: ['FAUCET_ENABLED is off'] }),
  };
}

function chainRail(id: NetworkId): Omit<Rail, 'available'> {
  return {
    how: CHAIN_RAIL[id],
    missing: [NO_DEPOSITS[id]],
  };
}

function withdrawalRail({ id, minWithdraw, withdrawFee }: Network): Rail {
  const { available, arrives } = withdrawalTermsOf(id);
  return {
    available,
    how: WITHDRAWAL[minWithdraw === null ? 'none' : 'rail'],
    ...(minWithdraw !== null && { minimum: `${minWithdraw}` }),
    ...(withdrawFee !== null && { fee: `${withdrawFee}` }),
    ...(!available && { missing: [arrives] }),
  };
}
