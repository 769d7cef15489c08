import { parseEventLogs, type Log, type TransactionReceipt } from 'viem';
import { parseAbi } from 'viem';
import { chainHash, evmAddress, type EvmAddress } from '../../../domain/rails/evm.ts';
import type { ChainBlock, ChainReceipt, TokenTransfer } from './port.ts';

/** From a node's answers to the port's values; what is not whole is left out or throws. */
const TRANSFER = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);

export function presentBlock(block: {
  readonly number: bigint | null;
  readonly hash: string | null;
  readonly parentHash: string;
  readonly timestamp: bigint;
}): ChainBlock {
  if (block.number === null || block.hash === null) throw new Error('the block is pending');
  return {
    number: height(block.number),
    hash: chainHash(block.hash),
    parentHash: chainHash(block.parentHash),
    timestamp: Number(block.timestamp),
  };
}

type TransferLog = Pick<
  Log,
  'address' | 'removed' | 'blockNumber' | 'blockHash' | 'transactionHash' | 'logIndex'
> & { readonly args: { readonly from: string; readonly to: string; readonly value: bigint } };

/** Undefined for what is not mined, was removed again, or is of another token. */
export function presentTransfer(log: TransferLog, token: EvmAddress): TokenTransfer | undefined {
  const { blockNumber, blockHash, transactionHash, logIndex } = log;
  const mined = blockNumber !== null && blockHash !== null && transactionHash !== null;
  if (!mined || logIndex === null || log.removed || evmAddress(log.address) !== token) {
    return undefined;
  }
  return {
    txHash: chainHash(transactionHash),
    logIndex,
    blockNumber: height(blockNumber),
    blockHash: chainHash(blockHash),
    from: evmAddress(log.args.from),
    to: evmAddress(log.args.to),
    amount: log.args.value,
  };
}

export function presentReceipt(receipt: TransactionReceipt, token: EvmAddress): ChainReceipt {
  const logs = parseEventLogs({ abi: TRANSFER, logs: receipt.logs, strict: true });
  return {
    txHash: chainHash(receipt.transactionHash),
    succeeded: receipt.status === 'success',
    blockNumber: height(receipt.blockNumber),
    blockHash: chainHash(receipt.blockHash),
    transfers: logs.flatMap((log) => presentTransfer(log, token) ?? []),
  };
}

function height(number: bigint): number {
  const value = Number(number);
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a height: ${number}`);
  return value;
}
