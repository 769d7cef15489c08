import { defined } from '../../domain/defined.ts';
import { parseAddress } from '../../domain/rails/evm.ts';
import type { Settings } from '../../workflows/kernel/settings.ts';

export const CHAIN_NAMES = [
  'HUB_CHAIN_RPC',
  'HUB_CHAIN_ID',
  'HUB_CHAIN_TOKEN',
  'HUB_CHAIN_CONFIRMATIONS',
  'HUB_TREASURY_KEY',
  'HUB_DEPOSIT_XPUB',
] as const;

/** Custody without a chain is a mistake; the rest has defaults and waits. */
const KEYS = ['HUB_TREASURY_KEY', 'HUB_DEPOSIT_XPUB'] as const;

/** Base, and USDC on it (https://developers.circle.com/stablecoins/usdc-contract-addresses). */
const BASE_CHAIN_ID = '8453';
const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const CONFIRMATIONS = '60';
const RPC_MAX = 8;

/** Nothing without HUB_CHAIN_RPC: the hub follows no chain then. */
export function chainSettings(
  env: Readonly<Record<string, string | undefined>>,
): Pick<Partial<Settings>, 'chain'> {
  const rpc = list(env['HUB_CHAIN_RPC'] ?? '');
  if (rpc.length === 0) {
    const alone = KEYS.find((name) => (env[name] ?? '') !== '');
    if (alone !== undefined) throw new Error(`${alone} goes with HUB_CHAIN_RPC, which is absent`);
    return {};
  }
  if (rpc.length > RPC_MAX || !rpc.every(isHttp)) {
    throw new Error(`HUB_CHAIN_RPC is at most ${RPC_MAX} http addresses with commas between`);
  }
  const token = parseAddress(env['HUB_CHAIN_TOKEN'] || BASE_USDC);
  if (token === undefined) throw new Error('HUB_CHAIN_TOKEN is the address of the token contract');
  const treasuryKeyFile = env['HUB_TREASURY_KEY'] || undefined;
  const depositXpub = env['HUB_DEPOSIT_XPUB'] || undefined;
  return {
    chain: {
      network: 'base',
      rpc,
      facts: {
        chainId: whole('HUB_CHAIN_ID', env['HUB_CHAIN_ID'] || BASE_CHAIN_ID),
        token,
        confirmations: whole(
          'HUB_CHAIN_CONFIRMATIONS',
          env['HUB_CHAIN_CONFIRMATIONS'] || CONFIRMATIONS,
        ),
      },
      ...defined({ treasuryKeyFile, depositXpub }),
    },
  };
}

function list(text: string): readonly string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

function whole(name: string, text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new Error(`${name} is a whole number above 0`);
  return Number(text);
}
