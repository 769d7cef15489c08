import { JSON_MEMBERS_MAX } from '../../domain/jsonScan.ts';
import { resolve, type Document, type Schema } from './document.ts';

/**
 * A body's size limit by its schema: every text at its longest and fully escaped, doubled for white
 * space and unknown members. What a schema leaves open (any JSON) has the hub's maximum.
 */
export interface BodyLimits {
  readonly limitBytes: number;
  readonly membersMax: number;
}

/** A body is at most so long unless `x-body-limit` says otherwise. */
const BYTES_MAX = 262_144;
/** So much costs nothing worth a limit. */
const BYTES_LEAST = 65_536;
const MEMBERS_LEAST = 1_024;
/** A code point outside of the first plane, as two \\uXXXX. */
const BYTES_A_CHARACTER = 12;
const BYTES_A_NUMBER = 32;
const DEPTH_MAX = 12;

export function bodyLimits(document: Document, schema: Schema, stated?: number): BodyLimits {
  const { bytes, members } = measured(document, schema, 0);
  return {
    limitBytes: stated ?? within(2 * bytes, BYTES_LEAST, BYTES_MAX),
    membersMax: within(2 * members, MEMBERS_LEAST, JSON_MEMBERS_MAX),
  };
}

interface Size {
  readonly bytes: number;
  readonly members: number;
}

const OPEN: Size = { bytes: Infinity, members: Infinity };

function measured(document: Document, given: Schema, depth: number): Size {
  if (depth > DEPTH_MAX) return OPEN;
  const schema = resolve<Schema>(document, given);
  const inside = (each: Schema): Size => measured(document, each, depth + 1);
  const branches = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].map(inside);
  const choice = branches.reduce(larger, { bytes: 0, members: 0 });
  if (branches.length > 0 && schema.properties === undefined) return choice;
  switch (schema.type) {
    case 'string':
      return { bytes: textBytes(schema), members: 1 };
    case 'integer':
    case 'number':
    case 'boolean':
      return { bytes: BYTES_A_NUMBER, members: 1 };
    case 'array': {
      if (schema.items === undefined || schema.maxItems === undefined) return OPEN;
      const item = inside(schema.items);
      const bytes = 2 + schema.maxItems * (item.bytes + 1);
      return { bytes, members: 1 + schema.maxItems * item.members };
    }
    case 'object':
      return objectSize(schema, inside, choice);
    case undefined:
    default:
      return OPEN;
  }
}

function textBytes({ enum: values, maxLength, format }: Schema): number {
  if (values !== undefined) return Math.max(...values.map((each) => JSON.stringify(each).length));
  if (maxLength !== undefined) return 2 + BYTES_A_CHARACTER * maxLength;
  return format === 'uuid' || format === 'date-time' ? 64 : Infinity;
}

function objectSize(schema: Schema, inside: (each: Schema) => Size, choice: Size): Size {
  if (schema['additionalProperties'] !== false) return OPEN;
  return Object.entries(schema.properties ?? {}).reduce(
    (sum, [name, property]) => {
      const { bytes, members } = inside(property);
      return { bytes: sum.bytes + name.length + 4 + bytes, members: sum.members + members };
    },
    add(choice, { bytes: 2, members: 1 }),
  );
}

function larger(a: Size, b: Size): Size {
  return { bytes: Math.max(a.bytes, b.bytes), members: Math.max(a.members, b.members) };
}

function add(a: Size, b: Size): Size {
  return { bytes: a.bytes + b.bytes, members: a.members + b.members };
}

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
