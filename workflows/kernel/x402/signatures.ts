import type { EvmAddress, Hex } from '../../../domain/rails/evm.ts';
import type { Authorization } from '../../../domain/x402/payment.ts';
import type { TokenDomain } from '../../../domain/x402/typedData.ts';
import { openThread, type Thread } from '../threads/thread.ts';

/** Recovers signers in a worker, since it takes milliseconds and any caller may send payments. */
export interface PaymentSignatures {
  /** Starts the worker before the first payment comes, which would wait for it. */
  begin(): void;
  /** Undefined when the token would accept it from no account. */
  signerOf(
    domain: TokenDomain,
    authorization: Authorization,
    signature: Hex,
  ): Promise<EvmAddress | undefined>;
  close(): Promise<void>;
}

/** Too many payments wait to be looked at; nothing was done (503 `busy`). */
export class SignaturesBusy extends Error {
  override readonly name = 'SignaturesBusy';
}

/** A second or two of work. */
const WAITING_MAX = 512;

export interface SignatureTask {
  readonly domain: TokenDomain;
  readonly authorization: Authorization;
  readonly signature: Hex;
}

export function openPaymentSignatures(): PaymentSignatures {
  let thread: Thread<SignatureTask, EvmAddress | undefined> | undefined;
  const running = (): NonNullable<typeof thread> => {
    if (thread?.alive !== true) thread = openThread(import.meta.url, 'signature');
    return thread;
  };
  return {
    begin: () => void running(),
    async signerOf({ chainId, asset, token }, authorization, signature) {
      const { ask, waiting } = running();
      if (waiting >= WAITING_MAX) throw new SignaturesBusy();
      return ask({ domain: { chainId, asset, token }, authorization, signature });
    },
    async close() {
      await thread?.close();
    },
  };
}
