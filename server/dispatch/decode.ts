import { parseAccount, parseKeyId } from '../../domain/account.ts';
import { parseInstant } from '../../domain/instant.ts';
import { parseAtomic } from '../../domain/money.ts';
import type { ErrorCode } from '../../generated/errors.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type {
  BodySpec,
  BrandName,
  OperationSpec,
  ParameterSpec,
} from '../../workflows/kernel/operation.ts';
import { scalarIn } from './scalar.ts';
import { validate } from './validation.ts';
import { head } from '../../domain/text.ts';

/** The edge: text becomes what the contract says it is, once. */
export type Values = Readonly<Record<string, unknown>>;

const NONE: Values = Object.freeze({});

/** How the parameters of one place are read; made once for each operation. */
export interface Reader {
  (given: Readonly<Record<string, unknown>>): Values;
}

/**
 * Reads one place: decodes, fills defaults, lowers what is above its cap, validates, parses brands.
 * Of the headers only those of the contract are looked at; an unknown path or query name is refused,
 * but for operations that follow a standard in which it is left out.
 */
export function createReader(spec: OperationSpec, place: ParameterSpec['in']): Reader {
  const parameters = spec.parameters.filter((each) => each.in === place);
  const plain = parameters.length === 0;
  const isKnownAlone = place === 'header' || (place === 'query' && spec.ignoresUnknown === true);
  if (plain && isKnownAlone) return () => NONE;
  return (given) => {
    if (plain && Object.keys(given).length === 0) return NONE;
    const values: Record<string, unknown> = isKnownAlone ? {} : { ...given };
    for (const parameter of parameters) {
      const text = given[parameter.name];
      if (text !== undefined) values[parameter.name] = scalarIn(parameter, text);
      else if (parameter.default !== undefined) values[parameter.name] = parameter.default;
    }
    validate(spec, place, values);
    for (const { name, brand } of parameters) {
      if (brand !== undefined && values[name] !== undefined) {
        values[name] = branded(brand, values[name], `${place}.${name}`);
      }
    }
    return values;
  };
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
    // A path may have the account's name, whose schema says so; no other place takes the prefix.
    parse: (text) => parseKeyId(text.replace(/^key:/, '')),
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
      error: `${field} must be ${brander.form}; got ${JSON.stringify(head(value, 80))}.`,
      field,
    })
  );
}

/** Parses branded text and lowers what is above its cap, in a copy: the wire body stays as sent. */
export function brandBody(spec: BodySpec, body: unknown): unknown {
  if (spec.brands.length === 0 && spec.clamps.length === 0) return body;
  const out = copied(body);
  if (!isRecord(out)) return body;
  for (const { name, cap } of spec.clamps) {
    const value = out[name];
    if (typeof value === 'number' && value > cap) out[name] = cap;
  }
  for (const { at, brand } of spec.brands) brandAt(out, at, 0, brand, 'body');
  return out;
}

/** Follows `at` inside a copy, copying each container on the way before it is written to. */
function brandAt(
  container: Record<string, unknown>,
  at: readonly string[],
  depth: number,
  brand: BrandName,
  field: string,
): void {
  const step = at[depth] ?? '';
  const names = step === '*' ? Object.keys(container) : [step];
  for (const name of names) {
    const value = container[name];
    if (value === undefined) continue;
    const here = step === '*' ? `${field}[${name}]` : `${field}.${name}`;
    if (depth === at.length - 1) {
      container[name] = branded(brand, value, here);
    } else {
      const inside = copied(value);
      if (!isRecord(inside)) continue;
      container[name] = inside;
      brandAt(inside, at, depth + 1, brand, here);
    }
  }
}

function copied(value: unknown): unknown {
  if (Array.isArray(value)) return [...(value as unknown[])];
  return typeof value === 'object' && value !== null ? { ...value } : value;
}

/** True of lists as well: both are written to by name. */
function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
