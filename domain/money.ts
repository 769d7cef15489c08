import type { Brand } from './brand.ts';

/**
 * Whole atomic units (1 USDC = 1,000,000): a bigint in code, a decimal string on the wire, an
 * INTEGER in the database, never a float. Sums are plain bigints, which `atomic` checks again.
 */
export type Atomic = Brand<bigint, 'Atomic'>;

/** Basis points: 10,000 are the whole. */
export type Bps = Brand<number, 'Bps'>;

/** Largest single amount: 10^15 atomic units (1 billion USDC), choices ledger.amounts. */
export const AMOUNT_MAX = 1_000_000_000_000_000n;

/** Largest balance a database integer read by JavaScript still holds exactly: 2^53 - 1. */
export const BALANCE_MAX = 9_007_199_254_740_991n;

const USDC_DECIMALS = 6;
export const ZERO = 0n as Atomic;
const BPS_WHOLE = 10_000n;
const AMOUNT_GRAMMAR = /^(?:0|[1-9][0-9]{0,15})$/;

/** Brands a sum or difference; throws RangeError (a bug, never bad input) outside 0..2^53-1. */
export function atomic(value: bigint): Atomic {
  if (value < 0n || value > BALANCE_MAX) throw new RangeError(`amount out of range: ${value}`);
  return value as Atomic;
}

/** Parses a wire amount; undefined when it is not a plain decimal string of at most 10^15. */
export function parseAtomic(text: string): Atomic | undefined {
  if (!AMOUNT_GRAMMAR.test(text)) return undefined;
  const value = BigInt(text);
  return value <= AMOUNT_MAX ? (value as Atomic) : undefined;
}

export function bps(value: number): Bps {
  if (!Number.isInteger(value) || value < 0 || value > 10_000) {
    throw new RangeError(`basis points out of range: ${value}`);
  }
  return value as Bps;
}

/** Fees floor: they never take a unit they did not earn (choices ledger.rounding). */
export function bpsFloor(amount: Atomic, rate: Bps): Atomic {
  return atomic((amount * BigInt(rate)) / BPS_WHOLE);
}

/** Human text of an amount: 1234567 -> "1.234567", 1000000 -> "1". */
export function display(amount: Atomic, decimals: number = USDC_DECIMALS): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, -decimals);
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
