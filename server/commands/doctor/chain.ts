import { openChains } from '../../../workflows/kernel/chain/chains.ts';
import type { Settings } from '../../../workflows/kernel/settings.ts';
import { fail, off, ok, warn, type Finding } from './finding.ts';

/** Blocks of the supported chains are seconds apart. */
const HEAD_AGE_MS_MAX = 60_000;

/** The nodes of the chain, and the hot wallet's key and gas. */
export async function chainFindings(settings: Settings): Promise<readonly Finding[]> {
  const chains = openChains(settings.chain);
  const [network] = chains.networks;
  if (network === undefined) return [off('chain', 'HUB_CHAIN_RPC is not set')];
  const { treasury } = await chains.wallets(network);
  const port = await chains.port(network);
  try {
    const { number, timestamp } = await port.head();
    const age = Date.now() - timestamp * 1_000;
    const text = `block ${number}, ${Math.max(0, Math.round(age / 1_000))} s old`;
    const head =
      age > HEAD_AGE_MS_MAX
        ? warn('chain', text, 'The nodes of HUB_CHAIN_RPC are behind; add others.')
        : ok('chain', text);
    if (treasury === undefined) return [head, off('wallet', 'HUB_TREASURY_KEY is not set')];
    const gas = await port.coinOf(treasury.address);
    const wallet = `hot wallet ${treasury.address}`;
    return [
      head,
      gas === 0n
        ? fail('wallet', `${wallet} has no coin for gas`, 'Send it coin of the chain.')
        : ok('wallet', wallet),
    ];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [fail('chain', `no node answers (${why})`, 'Correct HUB_CHAIN_RPC or HUB_CHAIN_ID.')];
  }
}
