import { createHash } from 'node:crypto';
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesToHex } from 'viem';
import { HDKey, mnemonicToAccount } from 'viem/accounts';
import { readSettings } from '../../../server/boot/config.ts';
import { openHub, type OpenOptions, type RunningHub } from '../../../server/boot/open.ts';
import { fakeClock } from '../clock.ts';
import { openFixture, type Fixture } from '../fixture.ts';
import type { TestHub, TestHubOptions } from '../hub.ts';
import { accountAt, CHAIN_ID, MNEMONIC, startChain, type Chain } from './anvil.ts';

/** Accounts of the phrase: 0 mints, 9 is the hub's hot wallet, the rest are free. */
export const TREASURY = accountAt(9);
const CONFIRMATIONS = 5;

/** Where deposit addresses of the tests come from: a branch of the same phrase, far from 0 to 9. */
const DEPOSIT_PATH = "m/44'/60'/7'/0" as const;

/** The key of an account's deposit address, whose public half the hub has; tests sweep with it. */
export function depositKeyOf(account: string): ReturnType<typeof mnemonicToAccount> {
  const digest = createHash('sha256').update(`hub/deposit-address/v1\nbase\n${account}`).digest();
  const steps = [0, 4, 8, 12].map((at) => digest.readUInt32BE(at) % 2 ** 31);
  return mnemonicToAccount(MNEMONIC, { path: `${DEPOSIT_PATH}/${steps.join('/')}` as never });
}

function depositXpub(): string {
  const branch = mnemonicToAccount(MNEMONIC, { path: DEPOSIT_PATH }).getHdKey();
  return HDKey.fromExtendedKey(branch.publicExtendedKey).publicExtendedKey;
}

export interface ChainFixture extends Fixture {
  readonly chain: Chain;
  /** Blocks on top after which money counts. */
  readonly confirmations: number;
  /** The environment of the hub's chain, for another process on it. */
  readonly env: Readonly<Record<string, string>>;
  /** A job as often as it takes for what is mined now to count. */
  settle(job: string): Promise<void>;
}

export interface ChainFixtureOptions extends TestHubOptions {
  /** Custody that is not loaded. */
  readonly without?: readonly ('HUB_TREASURY_KEY' | 'HUB_DEPOSIT_XPUB')[];
}

/** A chain of its own and a hub on network `base` that follows it, with a funded hot wallet. */
export async function openChainFixture(options: ChainFixtureOptions = {}): Promise<ChainFixture> {
  const chain = await startChain();
  const folder = mkdtempSync(join(tmpdir(), 'hub-chain-'));
  const env = chainEnv(chain, folder);
  for (const name of options.without ?? []) delete env[name];
  const fixture = await openFixture({
    clock: fakeClock(Date.now()),
    ...options,
    env: { HUB_NETWORK: 'base', ...env, ...options.env },
  });
  return {
    ...fixture,
    chain,
    env,
    confirmations: CONFIRMATIONS,
    async settle(job) {
      await fixture.hub.runJob(job);
      await chain.mine(CONFIRMATIONS + 2);
      await fixture.hub.runJob(job);
    },
    async close() {
      try {
        await fixture.close();
      } finally {
        await chain.stop();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Settings that point a hub at a chain of the tests; the hot wallet's key is in `folder`. */
export function chainEnv(
  chain: Pick<Chain, 'url' | 'token'>,
  folder: string,
): Record<string, string> {
  const key = TREASURY.getHdKey().privateKey;
  if (key === null) throw new Error('the phrase has keys');
  const file = join(folder, 'treasury.key');
  writeFileSync(file, bytesToHex(key), { mode: 0o600 });
  return {
    HUB_CHAIN_RPC: chain.url,
    HUB_CHAIN_ID: String(CHAIN_ID),
    HUB_CHAIN_TOKEN: chain.token,
    HUB_CHAIN_CONFIRMATIONS: String(CONFIRMATIONS),
    HUB_TREASURY_KEY: file,
    HUB_DEPOSIT_XPUB: depositXpub(),
  };
}

/** Another process on the database, chain and clock of a hub; its jobs run when a test runs them. */
export async function openBeside(
  { url, clock, running }: TestHub,
  env: Readonly<Record<string, string>>,
  wrapChain?: OpenOptions['wrapChain'],
): Promise<RunningHub> {
  const { databaseUrl, dataDir } = running.hub.settings;
  const settings = readSettings({
    ...env,
    HUB_PORT: '0',
    HUB_BASE_URL: url,
    HUB_DATABASE_URL: databaseUrl,
    HUB_DATA_DIR: dataDir,
    HUB_LOG: 'fatal',
  });
  return openHub({ settings, clock, runJobs: false, ...(wrapChain && { wrapChain }) });
}
