import { readCursor, type Cursor } from '../../db/rails/cursors.ts';
import { networks as networkRows, type Network } from '../../db/wallet/networks.ts';
import { type NetworkId, ASSET } from '../../domain/network.ts';
import { checksummed } from '../../domain/rails/evm.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { missingForDeposits, withdrawalRail } from '../../workflows/rails/rail.ts';
import { seenHead } from '../../workflows/rails/wallet.ts';

type MoneyNetwork = Schemas['MoneyNetwork'];
type Rail = Schemas['NetworkRail'];

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
  simulated: 'POST /api/v1/wallet/{owner}/withdraw rehearses it: the same states, in 10 seconds.',
  none: 'There is none: this money never leaves the hub.',
} as const;

/** The watcher reads every three seconds; a chain that it did not reach for longer is not watched. */
const SILENT_MS_MAX = 20_000;

export const networks: Handler<'discovery.networks'> = async (_, hub) => {
  const { network: defaultNetwork } = hub.settings;
  const { rows, cursors } = await hub.store.read(async (db) => ({
    rows: await networkRows(db),
    cursors: await Promise.all(
      hub.chains.networks.map(async (id) => [id, await readCursor(db, id)] as const),
    ),
  }));
  const cursorOf = new Map(cursors);
  const isDefault = ({ id }: Network): boolean => id === defaultNetwork;
  const list = [...rows.filter(isDefault), ...rows.filter((row) => !isDefault(row))];
  return {
    status: 200,
    body: {
      defaultNetwork,
      count: list.length,
      networks: list.map((row) => present(row, hub, cursorOf.get(row.id))),
    },
  };
};

function present(row: Network, hub: Hub, cursor: Cursor | undefined): MoneyNetwork {
  const { id, kind, decimals, buysModels } = row;
  const facts = hub.chains.facts(id);
  const chainId = facts?.chainId ?? row.chainId;
  const watched = cursor !== undefined && hub.clock.now() - cursor.answeredAt <= SILENT_MS_MAX;
  return {
    id,
    kind,
    what: WHAT[id],
    asset: ASSET,
    decimals,
    isDefault: id === hub.settings.network,
    ...(chainId !== null && { chainId }),
    ...(facts !== undefined && { token: checksummed(facts.token) }),
    confirmations: facts?.confirmations ?? row.confirmations,
    watched,
    ...(watched && {
      height: cursor.height,
      heightAt: cursor.answeredAt,
      lag: Math.max(0, cursor.head - cursor.height, seenHead(hub, id) - cursor.height),
    }),
    faucet: row.faucet && hub.settings.faucetEnabled,
    buysModels,
    deposit: row.faucet ? faucetRail(hub) : chainRail(hub, id),
    withdrawal: presentWithdrawalRail(hub, row),
  };
}

function faucetRail({ settings }: Hub): Rail {
  return {
    available: settings.faucetEnabled,
    how: 'POST /api/v1/wallet/{owner}/credit gives test money on request, up to a daily cap.',
    ...(!settings.faucetEnabled && { missing: ['FAUCET_ENABLED is off'] }),
  };
}

function chainRail(hub: Hub, id: NetworkId): Rail {
  const missing = missingForDeposits(hub, id);
  return {
    available: missing.length === 0,
    how: CHAIN_RAIL[id],
    ...(missing.length > 0 && { missing }),
  };
}

function presentWithdrawalRail(hub: Hub, row: Network): Rail {
  const { minWithdraw, withdrawFee } = row;
  const { available, missing } = withdrawalRail(hub, row);
  const how = minWithdraw === null ? 'none' : row.id === 'sandbox' ? 'simulated' : 'rail';
  return {
    available,
    how: WITHDRAWAL[how],
    ...(minWithdraw !== null && { minimum: minWithdraw }),
    ...(withdrawFee !== null && { fee: withdrawFee }),
    ...(!available && { missing }),
  };
}
