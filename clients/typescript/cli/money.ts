import { UsageError } from './command.ts';

/** Amounts are USDC on the command line, or atomic units with `--atomic`; the hub counts units. */
const DIGITS = 6;
const SCALE = 10n ** BigInt(DIGITS);

/** Atomic units of an amount in USDC, or of one in units. Throws UsageError. */
export function atomic(text: string, isAtomic: boolean): string {
  if (isAtomic) {
    if (/^(0|[1-9]\d{0,30})$/.test(text)) return text;
    throw new UsageError(`"${text}" is no whole number of atomic units`);
  }
  const [, whole, fraction = ''] = /^(\d{1,24})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === undefined) throw new UsageError(`"${text}" is no amount in USDC, such as 0.25`);
  return String(BigInt(whole) * SCALE + BigInt(fraction.padEnd(DIGITS, '0')));
}

/** An amount in USDC: `0.25` of `250000`. */
export function usdc(units: string): string {
  if (!/^-?\d+$/.test(units)) return units;
  const value = BigInt(units);
  const size = value < 0n ? -value : value;
  const fraction = String(size % SCALE)
    .padStart(DIGITS, '0')
    .replace(/0+$/, '');
  const sign = value < 0n ? '-' : '';
  return `${sign}${size / SCALE}.${fraction.padEnd(2, '0')}`;
}
