import { keccak_256 } from '@noble/hashes/sha3';
import type { Brand } from '../brand.ts';

/**
 * Addresses and hashes of an EVM chain. An address is kept and compared in lower case and shown in
 * the EIP-55 form, whose capitals are a checksum; mixed case from outside must satisfy it.
 */
export type EvmAddress = Brand<`0x${string}`, 'EvmAddress'>;
/** Hash of a block or of a transaction, in lower case. */
export type ChainHash = Brand<`0x${string}`, 'ChainHash'>;
export type Hex = `0x${string}`;

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const HASH = /^0x[0-9a-fA-F]{64}$/;

export const ZERO_ADDRESS = `0x${'0'.repeat(40)}` as EvmAddress;

/** Has the form of an address; the checksum is not asked. */
export function isEvmAddress(value: unknown): value is string {
  return typeof value === 'string' && ADDRESS.test(value);
}

/** Lower case; throws RangeError unless it has the form. The checksum is not asked. */
export function evmAddress(text: string): EvmAddress {
  if (!ADDRESS.test(text)) throw new RangeError(`not an EVM address: ${text.slice(0, 60)}`);
  return text.toLowerCase() as EvmAddress;
}

export function chainHash(text: string): ChainHash {
  if (!HASH.test(text)) throw new RangeError(`not a hash of a chain: ${text.slice(0, 80)}`);
  return text.toLowerCase() as ChainHash;
}

/** The address in the form that people compare (EIP-55). */
export function checksummed(address: EvmAddress): `0x${string}` {
  const digits = address.slice(2);
  const hash = Buffer.from(keccak_256(digits)).toString('hex');
  const cased = [...digits].map((digit, at) =>
    Number.parseInt(hash[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join('')}`;
}

/**
 * Parses a typed address; undefined when it does not have the form, or is in mixed case and its
 * checksum does not hold. One case alone carries no checksum and is taken as it is.
 */
export function parseAddress(text: string): EvmAddress | undefined {
  if (!ADDRESS.test(text)) return undefined;
  const address = evmAddress(text);
  const digits = text.slice(2);
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return oneCase || checksummed(address) === text ? address : undefined;
}

const TRANSFER_SELECTOR = '0xa9059cbb';

/** The data of the token's `transfer(to, amount)`. */
export function transferCall(to: EvmAddress, amount: bigint): Hex {
  return `${TRANSFER_SELECTOR}${word(BigInt(to))}${word(amount)}`;
}

/** Returns the receiver and amount in such data; undefined for any other call. */
export function readTransferCall(
  data: Hex,
): { readonly to: EvmAddress; readonly amount: bigint } | undefined {
  const words = /^0xa9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/.exec(data.toLowerCase());
  if (words === null) return undefined;
  return { to: evmAddress(`0x${words[1]}`), amount: BigInt(`0x${words[2]}`) };
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}
