import {
  BaseError,
  BlockNotFoundError,
  createPublicClient,
  http,
  parseAbi,
  TransactionReceiptNotFoundError,
  type PublicClient,
} from 'viem';
import {
  chainHash,
  evmAddress,
  type EvmAddress,
  type Hex,
  type ChainHash,
} from '../../../domain/rails/evm.ts';
import { Redaction, secretsOfUrl } from '../../../domain/outbound/redaction.ts';
import { presentBlock, presentReceipt, presentTransfer } from './answers.ts';
import { ChainUnavailable, type ChainBlock, type ChainPort } from './port.ts';
import { revertOf, sendResultOf, wasUnreachable } from './failures.ts';
import type { ChainSettings } from './settings.ts';

/** How long one node may take for one answer. */
const ANSWER_MS_MAX = 10_000;

const TOKEN_ABI = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'function balanceOf(address owner) view returns (uint256)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
]);

/** Nodes over JSON-RPC: the one that answered last is asked first, the others when it fails. */
export function openPort({ facts, rpc }: ChainSettings): ChainPort {
  const nodes = rpc.map((url) => openNode(url, facts.chainId));
  const redaction = new Redaction(rpc.flatMap(secretsOfUrl));
  let preferred = 0;
  const ask = async <T>(question: (client: PublicClient) => Promise<T>): Promise<T> => {
    let last: unknown;
    for (let n = 0; n < nodes.length; n += 1) {
      const at = (preferred + n) % nodes.length;
      try {
        const answer = await question(await nodes[at]!());
        preferred = at;
        return answer;
      } catch (error) {
        last = error;
      }
    }
    throw unavailable(last, redaction);
  };
  const token = { address: facts.token, abi: TOKEN_ABI } as const;
  const askToken = (functionName: 'name' | 'version'): Promise<string> =>
    ask((client) => client.readContract({ ...token, functionName }));
  return {
    facts,
    head: () => headOf(nodes, redaction),
    block: (which) =>
      ask((client) =>
        orUndefined(
          client
            .getBlock(which === 'finalized' ? { blockTag: which } : { blockNumber: BigInt(which) })
            .then(presentBlock),
          BlockNotFoundError,
        ),
      ),
    transfers: (from, to, receivers) =>
      ask(async (client) => {
        const logs = await client.getLogs({
          address: facts.token,
          event: TOKEN_ABI[0],
          ...(receivers !== 'all' && { args: { to: [...receivers] } }),
          fromBlock: BigInt(from),
          toBlock: BigInt(to),
          strict: true,
        });
        return logs.flatMap((log) => presentTransfer(log, facts.token) ?? []);
      }),
    receipt: (hash) =>
      ask((client) =>
        orUndefined(
          client
            .getTransactionReceipt({ hash })
            .then((found) => presentReceipt(found, facts.token)),
          TransactionReceiptNotFoundError,
        ),
      ),
    balanceOf: (owner) =>
      ask((client) => client.readContract({ ...token, functionName: 'balanceOf', args: [owner] })),
    coinOf: (owner) => ask((client) => client.getBalance({ address: owner })),
    authorizationState: (authorizer, nonce, at) =>
      ask((client) =>
        client.readContract({
          ...token,
          functionName: 'authorizationState',
          args: [authorizer, nonce],
          ...(at !== undefined && { blockNumber: BigInt(at) }),
        }),
      ),
    authorizationUse: (authorizer, nonce, from, to) =>
      ask((client) =>
        usedIn(client, facts.token, { authorizer, nonce }, [BigInt(from), BigInt(to)]),
      ),
    acceptsSignature: (address, hash, signature) =>
      ask((client) => acceptsSignature(client, address, [hash, signature])),
    tokenDomain: async () => ({ name: await askToken('name'), version: await askToken('version') }),
    nonceOf: (address, at) =>
      ask((client) =>
        client.getTransactionCount(
          at === undefined ? { address } : { address, blockNumber: BigInt(at) },
        ),
      ),
    minedIn: (block, sender, nonce) =>
      ask(async (client) => {
        const asked = { blockNumber: BigInt(block), includeTransactions: true } as const;
        const { transactions } = await client.getBlock(asked);
        const found = transactions.find(
          (each) => each.nonce === nonce && evmAddress(each.from) === sender,
        );
        return found && chainHash(found.hash);
      }),
    estimate: (from, { to, data }) =>
      ask(async (client) => {
        try {
          return { gas: await client.estimateGas({ account: from, to, data }) };
        } catch (error) {
          const reverts = revertOf(error);
          if (reverts === undefined) throw error;
          return { reverts: redaction.text(reverts) };
        }
      }),
    fees: () =>
      ask(async (client) => {
        const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas();
        return { maxFee: maxFeePerGas, priorityFee: maxPriorityFeePerGas };
      }),
    send: (raw) =>
      ask(async (client) => {
        try {
          await client.sendRawTransaction({ serializedTransaction: raw });
          return 'taken' as const;
        } catch (error) {
          if (wasUnreachable(error)) throw error;
          return sendResultOf(error);
        }
      }),
  };
}

const WALLET_ABI = parseAbi(['function isValidSignature(bytes32, bytes) view returns (bytes4)']);
const IS_VALID = '0x1626ba7e';

/** An address without a contract, and a contract that fails in any way, accepts nothing. */
async function acceptsSignature(
  client: PublicClient,
  address: EvmAddress,
  args: readonly [Hex, Hex],
): Promise<boolean> {
  const asked = { address, abi: WALLET_ABI, functionName: 'isValidSignature', args } as const;
  try {
    return (await client.readContract(asked)) === IS_VALID;
  } catch (error) {
    if (wasUnreachable(error)) throw error;
    return false;
  }
}

type Node = () => Promise<PublicClient>;

/** A node of another chain is worse than none: it is asked which it follows before anything. */
function openNode(url: string, chainId: number): Node {
  const transport = http(url, { retryCount: 0, timeout: ANSWER_MS_MAX });
  const client: PublicClient = createPublicClient({ transport, cacheTime: 0 });
  let checked = false;
  return async () => {
    if (!checked) {
      const found = await client.getChainId();
      if (found !== chainId) throw new Error(`a node follows chain ${found}, not ${chainId}`);
      checked = true;
    }
    return client;
  };
}

/** With several nodes a height counts when two of them have it, so that one alone cannot lie. */
async function headOf(nodes: readonly Node[], redaction: Redaction): Promise<ChainBlock> {
  const asked = await Promise.allSettled(
    nodes.map(async (node) => presentBlock(await (await node()).getBlock({ blockTag: 'latest' }))),
  );
  const heads = asked
    .flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    .sort((a, b) => b.number - a.number);
  const agreed = heads[1] ?? heads[0];
  if (agreed !== undefined) return agreed;
  const failed = asked.find((each) => each.status === 'rejected');
  throw unavailable(failed?.reason, redaction);
}

async function orUndefined<T>(
  asked: Promise<T>,
  absent: typeof BlockNotFoundError | typeof TransactionReceiptNotFoundError,
): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof absent) return undefined;
    throw error;
  }
}

/** A node's address may have a key, which its answers and the library's errors repeat. */
function unavailable(error: unknown, redaction: Redaction): ChainUnavailable {
  const text = error instanceof BaseError ? error.shortMessage || error.name : String(error);
  const why = redaction.text(text);
  return new ChainUnavailable(`no node of the chain answered: ${why}`, { cause: error });
}

const USED = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
])[0];

/** Returns the transaction in these blocks in which the token reports an authorization as used. */
async function usedIn(
  client: PublicClient,
  token: EvmAddress,
  args: { readonly authorizer: EvmAddress; readonly nonce: Hex },
  [fromBlock, toBlock]: readonly [bigint, bigint],
): Promise<ChainHash | undefined> {
  const asked = { address: token, event: USED, args, fromBlock, toBlock, strict: true } as const;
  const logs = await client.getLogs(asked);
  const [found] = logs.filter(({ removed }) => !removed);
  return found && chainHash(found.transactionHash);
}
