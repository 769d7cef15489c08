import { parseAccount, parseKeyId } from '../domain/account.ts';
import { parseInstant } from '../domain/instant.ts';
import { parseAtomic } from '../domain/money.ts';
import type { ErrorCode } from '../generated/errors.ts';
import { refuse } from './errors.ts';
import type { BodySpec, BrandName, OperationSpec, ParameterSpec } from './operation.ts';

/**
 * The edge: text becomes what the contract says it is, once. Numbers and booleans are decoded only
 * from their exact spelling; anything else stays text and the validator refuses it, quoting it.
 */
export type Values = Readonly<Record<string, unknown>>;

const INTEGER = /^-?(?:0|[1-9][0-9]{0,15})$/;

/** Decodes the parameters of one place, fills defaults and lowers what is above its cap. */
export function decodeParameters(
  spec: OperationSpec,
  place: ParameterSpec['in'],
  given: Readonly<Record<string, unknown>>,
): Values {
  const values: Record<string, unknown> = { ...given };
  for (const parameter of spec.parameters) {
    if (parameter.in !== place) continue;
    const text = values[parameter.name];
    if (text === undefined) {
      if (parameter.default !== undefined) values[parameter.name] = parameter.default;
    } else {
      values[parameter.name] = clamped(parameter, scalar(parameter, text));
    }
  }
  return values;
}

function scalar(parameter: ParameterSpec, text: unknown): unknown {
  if (typeof text !== 'string') return text;
  if (parameter.type === 'integer' && INTEGER.test(text)) {
    const value = Number(text);
    return Number.isSafeInteger(value) ? value : text;
  }
  if (parameter.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function clamped(parameter: ParameterSpec, value: unknown): unknown {
  const cap = parameter.clamp;
  return cap !== undefined && typeof value === 'number' && value > cap ? cap : value;
}

interface Brander {
  readonly parse: (text: string) => unknown;
  readonly code: ErrorCode;
  readonly form: string;
}
const BRANDERS: Readonly<Record<BrandName, Brander>> = {
  Atomic: {
    parse: parseAtomic,
    code: 'bad-amount',
    form: 'a decimal string of atomic units from "0" to "1000000000000000"',
  },
  Account: {
    parse: parseAccount,
    code: 'bad-account',
    form: 'key:<base58 of a 32-byte ed25519 public key>',
  },
  KeyId: {
    parse: parseKeyId,
    code: 'bad-account',
    form: 'the base58 of a 32-byte ed25519 public key',
  },
  Instant: {
    parse: parseInstant,
    code: 'bad-request',
    form: 'an ISO 8601 time such as 2026-11-20T10:15:30Z',
  },
};

function branded(brand: BrandName, value: unknown, field: string): unknown {
  if (typeof value !== 'string') return value;
  const brander = BRANDERS[brand];
  return (
    brander.parse(value) ??
    refuse(brander.code, {
      error: `${field} must be ${brander.form}; got ${JSON.stringify(value.slice(0, 80))}.`,
      field,
    })
  );
}

/** Parses branded parameters; the validator has already accepted their spelling. */
export function brandParameters(
  spec: OperationSpec,
  place: ParameterSpec['in'],
  values: Values,
): Values {
  const named = spec.parameters.filter((each) => each.in === place && each.brand !== undefined);
  if (named.length === 0) return values;
  const out: Record<string, unknown> = { ...values };
  for (const { name, brand } of named) {
    if (brand !== undefined && out[name] !== undefined) {
      out[name] = branded(brand, out[name], `${place}.${name}`);
    }
  }
  return out;
}

/** Parses branded text and lowers what is above its cap, in a copy: the wire body stays as sent. */
export function brandBody(spec: BodySpec, body: unknown): unknown {
  let out = body;
  for (const { name, cap } of spec.clamps) {
    const value = (out as Values)[name];
    if (typeof value === 'number' && value > cap) out = { ...(out as Values), [name]: cap };
  }
  for (const { at, brand } of spec.brands) out = replaceAt(out, at, brand, 'body');
  return out;
}

function replaceAt(
  value: unknown,
  at: readonly string[],
  brand: BrandName,
  field: string,
): unknown {
  const [step, ...rest] = at;
  if (step === undefined) return branded(brand, value, field);
  if (step === '*') {
    if (!Array.isArray(value)) return value;
    return value.map((item, index) => replaceAt(item, rest, brand, `${field}[${index}]`));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const inside = (value as Record<string, unknown>)[step];
  if (inside === undefined) return value;
  return { ...value, [step]: replaceAt(inside, rest, brand, `${field}.${step}`) };
}
