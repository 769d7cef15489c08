import { defined } from '../defined.ts';
import type { ChainHash } from '../rails/evm.ts';
import { envelope } from './envelope.ts';
import { chainNameV1, chainNameV2, type Rail } from './rail.ts';

/** How a payment ended, as clients of both versions read it. */
export interface PaymentReceipt {
  readonly rail: Pick<Rail, 'chainId'>;
  readonly payer: string;
  readonly transaction?: ChainHash;
  /** Why it was refused, in x402's words; absent when it settled. */
  readonly fault?: string;
  readonly amount?: string;
}

/** The headers X-PAYMENT-RESPONSE (version 1) and PAYMENT-RESPONSE (version 2). */
export function receiptHeaders(receipt: PaymentReceipt): Readonly<Record<string, string>> {
  const { rail, payer, transaction = '', fault, amount } = receipt;
  const common = {
    success: fault === undefined,
    ...defined({ errorReason: fault }),
    transaction,
    payer,
  };
  const second = { ...common, network: chainNameV2(rail), ...defined({ amount }) };
  return {
    'x-payment-response': envelope({ ...common, network: chainNameV1(rail) }),
    'payment-response': envelope(second),
  };
}
