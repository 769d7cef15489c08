import { isObject, type JsonObject } from '../jsonObject.ts';
import { TASK_FILES_MAX } from '../tasks/limits.ts';
import { badRule, type AcceptanceRule, type FileCheck, type FilesRule } from './rule.ts';
import type { RuleRefusal } from './rule.ts';
import { defined } from '../defined.ts';

/** The parts of the static check that a rule about files shares with the other kinds. */
export interface CheckTools {
  readonly strange: (
    value: JsonObject,
    known: readonly string[],
    at: string,
  ) => RuleRefusal | undefined;
  readonly count: (more: number, at: string) => RuleRefusal | undefined;
  readonly inner: (
    value: unknown,
    at: string,
  ) => { readonly rule: AcceptanceRule; readonly refused?: never } | RuleRefusal;
}

type Part = { readonly rule: FilesRule; readonly refused?: never } | RuleRefusal;

const FILE_BYTES_MAX = 33_554_432;
const MEDIA_TYPES_MAX = 10;
const NAME = /^[A-Za-z0-9 ._@+=-]{1,255}$/;
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/;

export function checkFiles(value: JsonObject, at: string, tools: CheckTools): Part {
  const strange = tools.strange(value, ['kind', 'min', 'max', 'checks'], at);
  if (strange !== undefined) return strange;
  const bounds = boundsIn(value, ['min', 'max'], TASK_FILES_MAX, at);
  if ('refused' in bounds) return bounds;
  const { checks: listed } = value;
  if (listed === undefined) {
    if (Object.keys(bounds).length > 0) return { rule: { kind: 'files', ...bounds } };
    return badRule(at, 'has min, max or checks');
  }
  if (!Array.isArray(listed) || listed.length < 1) {
    return badRule(`${at}/checks`, 'is a list of one or more checks');
  }
  const crowded = tools.count(listed.length, `${at}/checks`);
  if (crowded !== undefined) return crowded;
  const checks: FileCheck[] = [];
  for (const [nth, item] of (listed as readonly unknown[]).entries()) {
    const check = checkFile(item, `${at}/checks/${nth}`, tools);
    if ('refused' in check) return check;
    checks.push(check);
  }
  return { rule: { kind: 'files', ...bounds, checks } };
}

function checkFile(item: unknown, at: string, tools: CheckTools): FileCheck | RuleRefusal {
  if (!isObject(item)) return badRule(at, 'is an object');
  const known = ['name', 'mediaTypes', 'minBytes', 'maxBytes', 'contents'];
  const strange = tools.strange(item, known, at);
  if (strange !== undefined) return strange;
  if (Object.keys(item).length === 0)
    return badRule(at, `asks for nothing; known are ${known.join(', ')}`);
  const { name, mediaTypes, contents } = item;
  if (name !== undefined && (typeof name !== 'string' || !NAME.test(name))) {
    return badRule(`${at}/name`, 'is the name of a file without its folders');
  }
  const types = typesIn(mediaTypes, `${at}/mediaTypes`, tools);
  if (types !== undefined && 'refused' in types) return types;
  const bounds = boundsIn(item, ['minBytes', 'maxBytes'], FILE_BYTES_MAX, at);
  if ('refused' in bounds) return bounds;
  const check = {
    ...defined({ name }),
    ...(types !== undefined && { mediaTypes: types }),
    ...bounds,
  };
  if (contents === undefined) return check;
  const inner = tools.inner(contents, `${at}/contents`);
  if (inner.refused !== undefined) return inner;
  return { ...check, contents: inner.rule };
}

function typesIn(
  value: unknown,
  at: string,
  tools: CheckTools,
): readonly string[] | RuleRefusal | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length < 1 || value.length > MEDIA_TYPES_MAX) {
    return badRule(at, `is a list of 1 to ${MEDIA_TYPES_MAX} media types`);
  }
  const crowded = tools.count(value.length, at);
  if (crowded !== undefined) return crowded;
  const types: string[] = [];
  for (const [nth, type] of (value as readonly unknown[]).entries()) {
    if (typeof type !== 'string' || !MEDIA_TYPE.test(type)) {
      return badRule(`${at}/${nth}`, 'is a media type in lower case without parameters');
    }
    types.push(type);
  }
  return types;
}

/** The two bounds of one value, the least first. */
function boundsIn<Name extends string>(
  value: JsonObject,
  names: readonly [Name, Name],
  most: number,
  at: string,
): { readonly [Each in Name]?: number } | RuleRefusal {
  const bounds: { [Each in Name]?: number } = {};
  for (const name of names) {
    const bound = value[name];
    if (bound === undefined) continue;
    if (typeof bound !== 'number' || !Number.isInteger(bound) || bound < 0 || bound > most) {
      return badRule(`${at}/${name}`, `is a whole number from 0 to ${most}`);
    }
    bounds[name] = bound;
  }
  const [least, last] = names.map((name) => bounds[name]);
  if (least !== undefined && last !== undefined && least > last) {
    return badRule(`${at}/${names[0]}`, `is at most ${names[1]}`);
  }
  return bounds;
}
