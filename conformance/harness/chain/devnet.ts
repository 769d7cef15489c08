import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../../server/boot/config.ts';
import { openHub } from '../../../server/boot/open.ts';
import { freePort } from '../../../clients/examples/freePort.ts';
import { accountAt, MNEMONIC, startChain } from './anvil.ts';
import { chainEnv, TREASURY } from './hub.ts';

/** `npm run devnet` runs a chain, its token, funded wallets and a hub, and saves none of them. */
const BLOCK_SECONDS = 2;
const FUNDS = 1_000_000_000_000n;
const FUNDED = [1, 2, 3, 4];

const folder = mkdtempSync(join(tmpdir(), 'hub-devnet-'));
const chain = await startChain({ blockTime: BLOCK_SECONDS });
for (const to of [TREASURY, ...FUNDED.map(accountAt)]) {
  const hash = await chain.mint(to.address, FUNDS);
  await chain.client.waitForTransactionReceipt({ hash, pollingInterval: 100 });
}
const port = process.env['HUB_PORT'] ?? String(await freePort());
const settings = readSettings({
  HUB_PORT: port,
  HUB_DATA_DIR: folder,
  HUB_NETWORK: 'base',
  HUB_LOG: process.env['HUB_LOG'] ?? 'warn',
  FAUCET_ENABLED: 'true',
  ...chainEnv(chain, folder),
});
const hub = await openHub({ settings });

process.stdout.write(`A chain and a hub on it, all of it play:

  hub        ${hub.url}   (network base, ${settings.chain?.facts.confirmations ?? 0} confirmations)
  chain      ${chain.url}   (id ${settings.chain?.facts.chainId ?? 0}, a block every ${BLOCK_SECONDS} s)
  token      ${chain.token}   (USDC of the tests, 6 decimals)
  hot wallet ${TREASURY.address}
  wallets    of the phrase "${MNEMONIC}",
             each with ${FUNDS / 1_000_000n} USDC and coin for gas:
${FUNDED.map((n) => `             ${n}  ${accountAt(n).address}`).join('\n')}

Try:
  GET  ${hub.url}/api/v1/networks                               what is watched, and how high
  POST ${hub.url}/api/v1/wallet/{owner}/deposit-address   (signed) where to pay in
  send the token there from one of the wallets above, then look:
  GET  ${hub.url}/api/v1/wallet/{owner}/movements          (signed) seen, confirming, credited
  POST ${hub.url}/api/v1/wallet/{owner}/withdraw           (signed) to one of the wallets above

Ctrl+C ends it.
`);

let ending = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (ending) process.exit(1);
    ending = true;
    void (async () => {
      await hub.close();
      await chain.stop();
      rmSync(folder, { recursive: true, force: true });
      process.exit(0);
    })();
  });
}
