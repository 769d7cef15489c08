import { isObject, listOf, type JsonObject } from '../jsonObject.ts';
import { cut } from '../text.ts';

/**
 * Returns the arguments of a tool in one line (interface, callWith), each as `name: type` with `*`
 * after a required name, the required ones first; empty when it takes none. The schema is
 * untrusted: an unclear type is `any`, and no reference in it is followed.
 */
const LINE_LENGTH_MAX = 4000;
const ARGUMENTS_MAX = 100;
const NAME_LENGTH_MAX = 100;
const TYPES_MAX = 4;

export function argumentLine(schema: JsonObject | undefined): string {
  const properties = schema?.['properties'];
  if (!isObject(properties)) return '';
  const required = new Set(listOf(schema?.['required']));
  const names = Object.keys(properties).slice(0, ARGUMENTS_MAX);
  const ordered = [
    ...names.filter((name) => required.has(name)),
    ...names.filter((name) => !required.has(name)),
  ];
  let line = '';
  for (const name of ordered) {
    const mark = required.has(name) ? '*' : '';
    const shown = `${cut(name, NAME_LENGTH_MAX)}${mark}: ${typeOf(properties[name])}`;
    const longer = line === '' ? shown : `${line}, ${shown}`;
    if (longer.length > LINE_LENGTH_MAX) break;
    line = longer;
  }
  return line;
}

function typeOf(schema: unknown): string {
  if (!isObject(schema)) return 'any';
  const { type, items, anyOf, oneOf } = schema;
  const alternatives = listOf(anyOf).concat(listOf(oneOf));
  if (alternatives.length > 0) {
    const types = alternatives.slice(0, TYPES_MAX).map(plainType);
    return [...new Set(types)].join('|');
  }
  if (type === 'array') return `${isObject(items) ? plainType(items) : 'any'}[]`;
  return plainType(schema);
}

function plainType(schema: unknown): string {
  if (!isObject(schema)) return 'any';
  const types = (Array.isArray(schema['type']) ? schema['type'] : [schema['type']]) as unknown[];
  const known = types.filter((each) => KNOWN.some((name) => name === each)).slice(0, TYPES_MAX);
  return known.length === 0 ? 'any' : known.join('|');
}

const KNOWN = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
