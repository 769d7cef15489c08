import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import {
  createTestClient,
  defineChain,
  http,
  publicActions,
  walletActions,
  type Address,
  type Hex,
} from 'viem';
import { mnemonicToAccount, type HDAccount } from 'viem/accounts';
import { until } from '../waiting.ts';
import { testDollar } from './compile.ts';

/** Anvil's published phrase: its accounts hold 10,000 test ether each and are worth nothing. */
export const MNEMONIC = 'test test test test test test test test test test test junk';
export const CHAIN_ID = 84_539;
const START_MS_MAX = 20_000;
const ANSWER_MS_MAX = 60_000;

export interface ChainOptions {
  /** Another chain id than that of the tests, for clients that know few. */
  readonly chainId?: number;
  /** Seconds between blocks; without it each transaction is mined at once, in a block of its own. */
  readonly blockTime?: number;
  readonly port?: number;
}

/** A chain of its own for one test file: Anvil from npm with the token of the tests. */
export type Chain = Awaited<ReturnType<typeof startChain>>;

const accounts = new Map<number, HDAccount>();

/** The n-th funded account. 0 deploys and mints; tests give the rest their roles. */
export function accountAt(addressIndex: number): HDAccount {
  // A phrase takes 30 ms to become a key.
  const account = accounts.get(addressIndex) ?? mnemonicToAccount(MNEMONIC, { addressIndex });
  accounts.set(addressIndex, account);
  return account;
}

export async function startChain({ blockTime, chainId = CHAIN_ID, port = 0 }: ChainOptions = {}) {
  const { url, stop } = await startAnvil({ blockTime, chainId, port });
  const client = clientOf(url, chainId);
  const { abi, bytecode } = testDollar();
  const deployer = accountAt(0);
  const hash = await client.deployContract({ abi, bytecode, account: deployer });
  if (blockTime === undefined) await client.mine({ blocks: 1 });
  const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 });
  const token = receipt.contractAddress ?? undefined;
  if (token === undefined) throw new Error('The token was not deployed.');

  /**
   * Calls a function of a token. Anvil answers before it mines, so the receipt is awaited where each
   * transaction is mined at once: time that a test lets pass then comes after the transaction.
   */
  const write = async (
    account: HDAccount,
    functionName: string,
    args: readonly unknown[],
    address: Address = token,
  ): Promise<Hex> => {
    const hash = await client.writeContract({ address, abi, functionName, args, account });
    if (await client.getAutomine()) {
      const { status } = await client.waitForTransactionReceipt({ hash });
      if (status !== 'success') throw new Error(`${functionName} was reverted.`);
    }
    return hash;
  };
  return {
    url,
    client,
    token,
    abi,
    stop,
    balanceOf: async (owner: Address): Promise<bigint> =>
      (await client.readContract({
        address: token,
        abi,
        functionName: 'balanceOf',
        args: [owner],
      })) as bigint,
    deploy: async (bytecode: Hex): Promise<Address> => {
      const sent = await client.deployContract({ abi: [], bytecode, account: deployer });
      const { contractAddress } = await client.waitForTransactionReceipt({ hash: sent });
      if (contractAddress === null || contractAddress === undefined)
        throw new Error('The contract was not deployed.');
      return contractAddress;
    },
    write,
    mint: (to: Address, value: bigint): Promise<Hex> => write(deployer, 'mint', [to, value]),
    transfer: (from: HDAccount, to: Address, value: bigint): Promise<Hex> =>
      write(from, 'transfer', [to, value]),
    /** Depth: empty blocks on top. */
    mine: (blocks: number): Promise<void> => client.mine({ blocks }),
    /** Waits for what others sent, which is mined at once, and that is after Anvil's answer. */
    mined: async (): Promise<void> => {
      if (!(await client.getAutomine())) return;
      await until(async () => (await client.getTxpoolStatus()).pending === 0);
    },
    /** Replaces the last `depth` blocks by empty ones: what they held is gone. */
    reorg: async (depth: number): Promise<void> => {
      await client.request({ method: 'anvil_reorg' as never, params: [depth, []] as never });
    },
  };
}

function clientOf(url: string, id: number) {
  const chain = defineChain({
    id,
    name: 'devnet',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
  // A request that is slow is not sent again: an hour of blocks is mined once.
  const transport = http(url, { timeout: ANSWER_MS_MAX, retryCount: 0 });
  return createTestClient({ mode: 'anvil', chain, transport, pollingInterval: 50 })
    .extend(publicActions)
    .extend(walletActions);
}

/** Safe is the latest block less 1, finalized less 2; it ends with this process. */
async function startAnvil({
  blockTime,
  chainId,
  port,
}: {
  readonly blockTime: number | undefined;
  readonly chainId: number;
  readonly port: number;
}): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const program = binary();
  const pace = blockTime === undefined ? [] : ['--block-time', String(blockTime)];
  const options = ['--port', String(port), '--chain-id', String(chainId)];
  const child = spawn(program, [...options, '--slots-in-an-epoch', '1', ...pace], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const lines = createInterface({ input: child.stdout });
  const timer = setTimeout(kill, START_MS_MAX);
  let address: string | undefined;
  for await (const line of lines) {
    address = /^Listening on (\S+)$/.exec(line)?.[1];
    if (address !== undefined) break;
  }
  clearTimeout(timer);
  child.stdout.resume();
  if (address === undefined) throw new Error('Anvil did not start.');
  child.unref();
  return {
    url: `http://${address}`,
    async stop() {
      process.off('exit', kill);
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      child.ref();
      await once(child, 'exit');
    },
  };
}

/** The binary itself: npm's wrapper would leave it running when the test dies. */
function binary(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const cpu = process.arch === 'x64' ? 'amd64' : process.arch;
  const suffix = platform === 'windows' ? '.exe' : '';
  const resolve = createRequire(import.meta.url).resolve;
  return resolve(`@foundry-rs/anvil-${platform}-${cpu}/bin/anvil${suffix}`);
}
