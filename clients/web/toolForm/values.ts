import { isRecord } from '../publish/conditions.ts';
import type { FormNode, Leaf } from './nodes.ts';

/** The value of a field as text, and back; what is no value of its type stays the text. */
export function textOf(field: Leaf, value: unknown): string {
  if (value === undefined) return '';
  if (field.kind === 'lines' && Array.isArray(value)) return value.map(plain).join('\n');
  return plain(value);
}

const plain = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** Undefined leaves the field out of the arguments. */
export function valueOf(field: Leaf, text: string): unknown {
  if (text === '') return undefined;
  switch (field.kind) {
    case 'text':
      return text;
    case 'number':
      return numberOr(text);
    case 'flag':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'choice': {
      const place = field.options.findIndex((option) => plain(option) === text);
      return place < 0 ? text : field.options[place];
    }
    case 'lines': {
      const lines = text.split('\n');
      return field.of === 'number' ? lines.filter((line) => line !== '').map(numberOr) : lines;
    }
    case 'json':
      try {
        return JSON.parse(text) as unknown;
      } catch {
        return text;
      }
  }
}

function numberOr(text: string): number | string {
  const value = Number(text);
  return text.trim() !== '' && Number.isFinite(value) ? value : text;
}

/** A copy of the arguments with one member set, or removed by undefined. */
export function withMember(
  values: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
): Record<string, unknown> {
  const others = Object.entries(values).filter(([each]) => each !== name);
  const isNew = others.length === Object.keys(values).length;
  if (value === undefined) return Object.fromEntries(others);
  if (isNew) return Object.fromEntries([...others, [name, value]]);
  return Object.fromEntries(
    Object.entries(values).map(([each, old]) => [each, each === name ? value : old]),
  );
}

export const memberOf = (values: unknown, name: string): unknown =>
  isRecord(values) && Object.hasOwn(values, name) ? values[name] : undefined;

export type Fault = 'missing' | 'number' | 'whole' | 'choice' | 'object';

/** Checks the value of one field by its type and its options; undefined when it can be sent. */
export function faultOf(field: FormNode, value: unknown): Fault | undefined {
  if (value === undefined)
    return field.isRequired && field.kind !== 'group' ? 'missing' : undefined;
  switch (field.kind) {
    case 'number':
      if (typeof value !== 'number') return 'number';
      return field.isWhole && !Number.isInteger(value) ? 'whole' : undefined;
    case 'flag':
      return typeof value === 'boolean' ? undefined : 'choice';
    case 'choice':
      return field.options.some((option) => option === value) ? undefined : 'choice';
    case 'lines':
      if (!Array.isArray(value) || field.of === 'text') return undefined;
      return value.every((each) => typeof each === 'number') ? undefined : 'number';
    case 'group':
      return isRecord(value) ? undefined : 'object';
    case 'text':
    case 'json':
      return undefined;
  }
}

/** The first field that must be changed before the call can be sent. */
export function firstFault(
  fields: readonly FormNode[],
  values: unknown,
): { readonly field: FormNode; readonly fault: Fault } | undefined {
  for (const field of fields) {
    const value = memberOf(values, field.name);
    const fault = faultOf(field, value);
    if (fault !== undefined) return { field, fault };
    const isInside = field.kind === 'group' && (field.isRequired || value !== undefined);
    const inner = isInside ? firstFault(field.fields, value ?? {}) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}
