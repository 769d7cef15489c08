import { defined } from '../defined.ts';
import { isObject, listOf } from '../jsonObject.ts';
import { parseAtomic, type Atomic } from '../money.ts';
import { parseDepositPath, type DepositPath } from './depositPath.ts';
import { checksummed, evmAddress, isEvmAddress, type EvmAddress, type Hex } from './evm.ts';
import type { Authorization } from '../x402/payment.ts';
import type { TokenDomain } from '../x402/typedData.ts';

/**
 * The sweep of deposits to the hot wallet (choices rails.sweeping): orders that the hub writes, a
 * machine without network signs, and the hot wallet sends to the token. A file carries them.
 */
export interface SweepPlan extends TokenDomain {
  /** The hot wallet; only it can bring the orders. */
  readonly to: EvmAddress;
  readonly orders: readonly SweepOrder[];
}

export interface SweepOrder {
  /** Where the address lies under the extended key. */
  readonly path: DepositPath;
  readonly authorization: Authorization;
  readonly signature?: Hex;
}

export const ORDERS_MAX = 1_000;
const HASH = /^0x[0-9a-f]{64}$/;
const SIGNATURE = /^0x[0-9a-f]{130}$/;

export function writePlan({ chainId, asset, token, to, orders }: SweepPlan): string {
  const file = {
    chainId,
    asset: checksummed(asset),
    token,
    to: checksummed(to),
    orders: orders.map(({ path, authorization, signature }) => ({
      path,
      from: checksummed(authorization.from),
      value: `${authorization.value}`,
      validBefore: `${authorization.validBefore}`,
      nonce: authorization.nonce,
      ...defined({ signature }),
    })),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Undefined when it is no such file. */
export function readPlan(text: string): SweepPlan | undefined {
  const file = parsed(text);
  if (!isObject(file) || !isObject(file['token'])) return undefined;
  const { chainId } = file;
  const { name, version } = file['token'];
  const [asset, to] = [addressIn(file['asset']), addressIn(file['to'])];
  const given = listOf(file['orders']);
  const orders = given.flatMap((order) => readOrder(order, to) ?? []);
  if (typeof chainId !== 'number' || asset === undefined || to === undefined) return undefined;
  if (typeof name !== 'string' || typeof version !== 'string') return undefined;
  if (orders.length !== given.length || orders.length > ORDERS_MAX) return undefined;
  return { chainId, asset, token: { name, version }, to, orders };
}

function readOrder(order: unknown, to: EvmAddress | undefined): SweepOrder | undefined {
  if (!isObject(order) || to === undefined) return undefined;
  const { nonce, signature, validBefore } = order;
  const from = addressIn(order['from']);
  const value = typeof order['value'] === 'string' ? parseAtomic(order['value']) : undefined;
  const path = parseDepositPath(order['path']);
  if (path === undefined || from === undefined || value === undefined) return undefined;
  if (typeof nonce !== 'string' || !HASH.test(nonce)) return undefined;
  if (typeof validBefore !== 'string' || !/^[1-9]\d{0,15}$/.test(validBefore)) return undefined;
  const isSigned = typeof signature === 'string' && SIGNATURE.test(signature);
  if (signature !== undefined && !isSigned) return undefined;
  const authorization = {
    from,
    to,
    value,
    validAfter: 0n,
    validBefore: BigInt(validBefore),
    nonce: nonce as Hex,
  };
  return { path, authorization, ...(isSigned && { signature: signature as Hex }) };
}

export function planned({ orders }: SweepPlan): Atomic {
  return orders.reduce((sum, { authorization }) => sum + authorization.value, 0n) as Atomic;
}

function addressIn(value: unknown): EvmAddress | undefined {
  return isEvmAddress(value) ? evmAddress(value) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
