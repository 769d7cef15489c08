import type { ChainHash, EvmAddress, Hex } from '../../../domain/rails/evm.ts';

/** All calls to a chain. Each may throw `ChainUnavailable`; one node's answer is never a proof. */
export interface ChainPort {
  readonly facts: ChainFacts;
  /** The newest block that the nodes agree on having: with several, the second highest. */
  head(): Promise<ChainBlock>;
  /** By number or as the newest final one; undefined when the node has none. */
  block(which: number | 'finalized'): Promise<ChainBlock | undefined>;
  /** Transfers of the token to these addresses, or all, in blocks `from` to `to`, both included. */
  transfers(
    from: number,
    to: number,
    receivers: readonly EvmAddress[] | 'all',
  ): Promise<readonly TokenTransfer[]>;
  /** Undefined while it is not mined in the chain that the node follows. */
  receipt(hash: ChainHash): Promise<ChainReceipt | undefined>;
  /** Atomic units of the token at the newest block. */
  balanceOf(owner: EvmAddress): Promise<bigint>;
  /** Units of the chain's own coin, which pays for gas. */
  coinOf(owner: EvmAddress): Promise<bigint>;
  /** Whether an EIP-3009 authorization was used or cancelled, at the newest block or at that one. */
  authorizationState(authorizer: EvmAddress, nonce: Hex, at?: number): Promise<boolean>;
  /** The transaction that used it, in blocks `from` to `to`, both included. */
  authorizationUse(
    authorizer: EvmAddress,
    nonce: Hex,
    from: number,
    to: number,
  ): Promise<ChainHash | undefined>;
  /** Returns whether the contract at the address accepts a signature over the hash (EIP-1271). */
  acceptsSignature(address: EvmAddress, hash: Hex, signature: Hex): Promise<boolean>;
  /** Name and version of the token's EIP-712 domain, as its contract says them. */
  tokenDomain(): Promise<{ readonly name: string; readonly version: string }>;
  /** Transactions of the address up to the newest block, or up to the block of that number. */
  nonceOf(address: EvmAddress, at?: number): Promise<number>;
  /** The transaction of a sender and nonce that is mined in this block, if it is there. */
  minedIn(block: number, sender: EvmAddress, nonce: number): Promise<ChainHash | undefined>;
  /** The gas of a call, or for one that would revert, `reverts` with the contract's reason. */
  estimate(from: EvmAddress, call: ChainCall): Promise<{ gas: bigint } | { reverts: string }>;
  fees(): Promise<ChainFees>;
  send(raw: Hex): Promise<SendResult>;
}

/** Facts of a chain that are known without a request. */
export interface ChainFacts {
  readonly chainId: number;
  readonly token: EvmAddress;
  /** Blocks on top of a transfer after which it counts. */
  readonly confirmations: number;
}

export interface ChainBlock {
  readonly number: number;
  readonly hash: ChainHash;
  readonly parentHash: ChainHash;
  /** Unix seconds, as its maker said. */
  readonly timestamp: number;
}

export interface TokenTransfer {
  readonly txHash: ChainHash;
  readonly logIndex: number;
  readonly blockNumber: number;
  readonly blockHash: ChainHash;
  readonly from: EvmAddress;
  readonly to: EvmAddress;
  readonly amount: bigint;
}

export interface ChainReceipt {
  readonly txHash: ChainHash;
  readonly succeeded: boolean;
  readonly blockNumber: number;
  readonly blockHash: ChainHash;
  /** Transfers of this token alone. */
  readonly transfers: readonly TokenTransfer[];
}

export interface ChainCall {
  readonly to: EvmAddress;
  readonly data: Hex;
}

/** In the chain's own coin's units a gas. */
export interface ChainFees {
  readonly maxFee: bigint;
  readonly priorityFee: bigint;
}

/**
 * The answer of a node. `known` is as good as `taken`; `nonce-used` says that a transaction with
 * this nonce is mined, ours or another; `underpriced` asks for a higher fee, `no-gas` for coin.
 */
export type SendResult = 'taken' | 'known' | 'nonce-used' | 'underpriced' | 'no-gas' | 'refused';

/** No node answered in time, or none could be understood. What it was asked may have happened. */
export class ChainUnavailable extends Error {
  override readonly name = 'ChainUnavailable';
}
