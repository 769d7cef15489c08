import type { ErrorObject } from 'ajv';
import { atBound, refusal } from '../../../domain/acceptance/judge.ts';
import { lookup, parsePointer, pointerStep } from '../../../domain/acceptance/path.ts';
import { REFUSAL_ITEMS_MAX } from '../../../domain/acceptance/rule.ts';
import type { Refusal } from '../../../domain/acceptance/rule.ts';
import { preview } from '../../../domain/acceptance/values.ts';

/**
 * Validator errors as refusal items: where, which keyword, what it wanted, what it met (choices
 * acceptance.refusals).
 */
const WRAPPERS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'if', 'contains']);
type Count = readonly [bound: 'at least' | 'at most', unit: string];
const COUNTED: Readonly<Record<string, Count>> = {
  minLength: ['at least', 'character'],
  maxLength: ['at most', 'character'],
  minItems: ['at least', 'item'],
  maxItems: ['at most', 'item'],
  items: ['at most', 'item'],
  additionalItems: ['at most', 'item'],
  minProperties: ['at least', 'member'],
  maxProperties: ['at most', 'member'],
};
/** Keywords that forbid a member by its name, and the parameter that holds the name. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  additionalProperties: 'additionalProperty',
  unevaluatedProperties: 'unevaluatedProperty',
};

export function explain(errors: readonly ErrorObject[], result: unknown): readonly Refusal[] {
  const leaves = errors.filter((error) => !WRAPPERS.has(error.keyword));
  const told = leaves.length > 0 ? leaves : errors;
  return told.slice(0, REFUSAL_ITEMS_MAX).map((error) => item(error, result));
}

function item(error: ErrorObject, result: unknown): Refusal {
  const { keyword, instancePath } = error;
  const rule = `json_schema.${keyword}`;
  const parameters: Readonly<Record<string, unknown>> = error.params;
  const missing = parameters['missingProperty'];
  if (typeof missing === 'string') {
    return refusal(instancePath + pointerStep(missing), rule, 'a value', 'nothing');
  }
  const strange = parameters[FORBIDDEN[keyword] ?? ''];
  const path = instancePath + (typeof strange === 'string' ? pointerStep(strange) : '');
  const got = error.propertyName === undefined ? valueAt(path, result) : error.propertyName;
  return refusal(path, rule, expectation(error, parameters), preview(got));
}

function valueAt(path: string, result: unknown): unknown {
  const { steps } = parsePointer(path);
  return steps === undefined ? undefined : lookup(result, steps)?.value;
}

function expectation(error: ErrorObject, parameters: Readonly<Record<string, unknown>>): string {
  const counted = COUNTED[error.keyword];
  const limit = parameters['limit'];
  if (counted !== undefined && typeof limit === 'number')
    return atBound(counted[0], limit, counted[1]);
  switch (error.keyword) {
    case 'type':
      return `type ${[parameters['type']].flat().join(' or ')}`;
    case 'enum':
      return `one of ${preview(parameters['allowedValues'], ENUM_CHARS_MAX)}`;
    case 'const':
      return preview(parameters['allowedValue']);
    case 'format':
      return `format ${String(parameters['format'])}`;
    case 'pattern':
      return `a match of ${preview(parameters['pattern'])}`;
    case 'uniqueItems':
      return 'no item twice';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'no such member';
    case 'false schema':
      return 'no value';
    default:
      return (error.message ?? error.keyword).replace(/^must (?:be )?/, '');
  }
}

const ENUM_CHARS_MAX = 160;
