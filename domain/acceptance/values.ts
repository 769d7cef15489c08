import { GOT_CHARS_MAX } from './rule.ts';
import { isObject } from '../jsonObject.ts';
import { head, shorten } from '../text.ts';

/**
 * Bounded checks of untrusted JSON values. Invariant: no function here does more work than its
 * input is long, nor recurses deeper than its limit.
 */
export interface Measure {
  readonly nodes: number;
  /** Containers inside one another; a scalar has depth 0. */
  readonly depth: number;
}

/** Counts values and nesting; stops early once either limit is passed. */
export function measure(root: unknown, nodesMax: number, depthMax: number): Measure {
  let nodes = 0;
  let depth = 0;
  let level: unknown[] = [root];
  while (level.length > 0 && nodes <= nodesMax && depth <= depthMax) {
    nodes += level.length;
    const inner: unknown[] = [];
    let containers = false;
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      containers = true;
      for (const member of Object.values(value)) inner.push(member);
    }
    if (containers) depth += 1;
    level = inner;
  }
  return { nodes, depth };
}

/** Whether two values have the same canonical text (RFC 8785), at the cost of the smaller one. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, at) => jsonEqual(item, b[at]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && jsonEqual(own(a, key), own(b, key)));
}

function own(value: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

/** A text that is equal for JSON-equal values alone; it never throws, whatever the strings hold. */
export function identity(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(identity).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${identity(own(value, key))}`).join(',')}}`;
}

/** All strings but member names, in document order; a string is its own only leaf. */
export function stringLeaves(root: unknown): readonly string[] {
  const leaves: string[] = [];
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'string') leaves.push(value);
    else if (typeof value === 'object' && value !== null) {
      const members: unknown[] = Object.values(value);
      for (let at = members.length - 1; at >= 0; at -= 1) waiting.push(members[at]);
    }
  }
  return leaves;
}

/** The JSON text of a value, cut at `max` characters; a cut text ends in an ellipsis. */
export function preview(value: unknown, max: number = GOT_CHARS_MAX): string {
  return shorten(write(value, max), max);
}

/** Writes hardly more than `room` characters; each level spends one, which bounds the depth. */
function write(value: unknown, room: number): string {
  // Two UTF-16 units at most to a character, so this slice still shows more than fits.
  if (typeof value === 'string') return JSON.stringify(head(value, 2 * room + 2));
  if (typeof value !== 'object' || value === null) return String(value);
  const list = Array.isArray(value);
  let text = list ? '[' : '{';
  for (const [key, member] of Object.entries(value)) {
    if (text.length > room) break;
    if (text.length > 1) text += ',';
    if (!list) text += `${JSON.stringify(head(key, 2 * room + 2))}:`;
    if (text.length <= room) text += write(member, room - text.length);
  }
  return text + (list ? ']' : '}');
}
