import type { Hex } from '../../domain/rails/evm.ts';
import type { Authorization } from '../../domain/x402/payment.ts';
import * as column from '../batch/columns.ts';
import type { RowOf } from '../batch/described.ts';
import { addressColumn, wideColumn } from '../rails/columns.ts';

/** The columns of a signed order to move tokens once. */
export const AUTHORIZED = {
  payer: addressColumn(),
  payTo: addressColumn(),
  amount: column.amount(),
  validAfter: wideColumn(),
  validBefore: wideColumn(),
  nonce: column.text<Hex>(),
};
type Authorized = RowOf<typeof AUTHORIZED>;

export function authorizationOf({ payer, payTo, amount, ...row }: Authorized): Authorization {
  return { ...row, from: payer, to: payTo, value: amount };
}

export function authorized({ from, to, value, ...rest }: Authorization): Authorized {
  return { ...rest, payer: from, payTo: to, amount: value };
}
