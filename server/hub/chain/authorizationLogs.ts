import { parseAbi, type PublicClient } from 'viem';
import { chainHash, type ChainHash, type EvmAddress, type Hex } from '../../../domain/rails/evm.ts';

const USED = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
])[0];

/** The transaction in these blocks in which the token says that an authorization was used. */
export async function usedIn(
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
