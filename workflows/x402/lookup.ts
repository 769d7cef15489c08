import type { IncomingPayment } from '../../db/x402/payments.ts';
import type { ChainHash, EvmAddress } from '../../domain/rails/evm.ts';
import type { Authorization } from '../../domain/x402/payment.ts';
import type { ChainPort } from '../kernel/chain/port.ts';

/**
 * The state of a signed authorization, by the chain and by nothing else: for any sender, the token
 * emits one event for its signer and nonce, in the transaction that moved the money.
 */
export type Fate =
  | { readonly kind: 'moved'; readonly transaction: ChainHash }
  /** Nothing moved so far; it may still. */
  | { readonly kind: 'open' }
  /** A final block is past its end, and it was not used: it never will be. */
  | { readonly kind: 'lapsed' }
  /** It was used for good, and not for this: its signer cancelled it. */
  | { readonly kind: 'cancelled' };

const BLOCKS_AT_ONCE_MAX = 2_000;

export type Sought = Pick<IncomingPayment, 'fromBlock'> & {
  readonly authorization: Pick<Authorization, 'from' | 'to' | 'value' | 'validBefore' | 'nonce'>;
};

/** Throws `ChainUnavailable` when no node answers; then nothing is known. */
export async function fateOf(port: ChainPort, sought: Sought): Promise<Fate> {
  const { from, nonce, validBefore } = sought.authorization;
  const head = await port.head();
  const last = await port.block('finalized');
  const isOver = last !== undefined && BigInt(last.timestamp) >= validBefore;
  // At a final block past the end the answer can change no more, whichever node gives it.
  const isUsed = await port.authorizationState(from, nonce, isOver ? last.number : undefined);
  if (!isUsed) return { kind: isOver ? 'lapsed' : 'open' };
  const transaction = await transactionOf(port, sought, head.number);
  if (transaction !== undefined) return { kind: 'moved', transaction };
  return { kind: isOver ? 'cancelled' : 'open' };
}

async function transactionOf(
  port: ChainPort,
  { fromBlock, authorization }: Sought,
  head: number,
): Promise<ChainHash | undefined> {
  const { from, to, value, nonce } = authorization;
  for (let first = fromBlock; first <= head; first += BLOCKS_AT_ONCE_MAX) {
    const last = Math.min(head, first + BLOCKS_AT_ONCE_MAX - 1);
    const hash = await port.authorizationUse(from, nonce, first, last);
    if (hash === undefined) continue;
    return (await moved(port, hash, { from, to, value })) ? hash : undefined;
  }
  return undefined;
}

async function moved(
  port: ChainPort,
  hash: ChainHash,
  wanted: { readonly from: EvmAddress; readonly to: EvmAddress; readonly value: bigint },
): Promise<boolean> {
  const receipt = await port.receipt(hash);
  if (receipt?.succeeded !== true) return false;
  return receipt.transfers.some(
    ({ from, to, amount }) => from === wanted.from && to === wanted.to && amount === wanted.value,
  );
}
