/**
 * Numbers of JSON as exact decimals without their sign, read from their text: a double holds most
 * only nearly.
 */
interface Decimal {
  /** Without zeros at either end; empty for zero. */
  readonly digits: string;
  /** The value is `digits` times ten to this power. */
  readonly exponent: number;
}

const LITERAL = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const ZERO: Decimal = { digits: '', exponent: 0 };

/** Reads a number of JSON; throws a RangeError, a bug, on any other text. */
function decimalOf(text: string): Decimal {
  const [found, whole = '', fraction = '', power = '0'] = LITERAL.exec(text) ?? [];
  if (found === undefined) throw new RangeError(`no number of JSON: ${text.slice(0, 40)}`);
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = trimmed(all);
  if (digits === '') return ZERO;
  const exponent = Number(power) - fraction.length + all.length - digits.length;
  return { digits, exponent };
}

/** Trims trailing zeros. `replace(/0+$/, '')` would restart at every zero in the middle. */
function trimmed(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** Whether a double prints as the same decimal, so that nothing is lost by parsing the text. */
export function isExact(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  const [given, kept] = [decimalOf(text), decimalOf(String(value))];
  return given.digits === kept.digits && given.exponent === kept.exponent;
}

/** Whether a number is a whole multiple of another one, both as the decimals that they print as. */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const [a, b] = [decimalOf(String(value)), decimalOf(String(divisor))];
  if (a.digits === '') return true;
  const power = a.exponent - b.exponent;
  // The digits end in no zero, so they are no multiple of ten times others.
  if (power < 0) return false;
  return (BigInt(a.digits) * 10n ** BigInt(power)) % BigInt(b.digits) === 0n;
}
