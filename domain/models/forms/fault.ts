import { defined } from '../../defined.ts';
import { isObject, type JsonObject } from '../../jsonObject.ts';
import { nearestName } from '../../nearest.ts';
import type { Prompt } from '../prompt.ts';

/** A request in another form than the desk's own, as the desk takes it (choices models.translations). */
export interface FormedAsk {
  readonly prompt: Prompt;
  readonly maxTokens?: number;
}

/** A member that the form does not have, and the one that it may stand for. */
export interface StrangeMember {
  readonly field: string;
  readonly error: string;
  readonly nearest?: string;
}

/** A member of a request that the desk cannot hand on; it is refused by its name. */
export class FormFault extends Error {
  override readonly name = 'FormFault';
  readonly code: 'bad-request' | 'unsupported-parameter';
  readonly field: string;
  readonly hint: string | undefined;
  /** All members of the same object that the form does not have. */
  readonly strange: readonly StrangeMember[];

  constructor(
    code: FormFault['code'],
    field: string,
    error: string,
    hint?: string,
    strange: readonly StrangeMember[] = [],
  ) {
    super(error);
    this.code = code;
    this.field = field;
    this.hint = hint;
    this.strange = strange;
  }
}

export function unsupported(field: string, hint?: string, value?: unknown): never {
  const shown = typeof value === 'string' ? ` ${JSON.stringify(value.slice(0, 80))}` : '';
  const error = `No model here takes ${field}${shown}.`;
  throw new FormFault('unsupported-parameter', field, error, hint ?? 'Leave it out.');
}

export function wrong(field: string, is: string, hint = 'Send it as the protocol has it.'): never {
  throw new FormFault('bad-request', field, `${field} ${is}.`, hint);
}

export function objectAt(value: unknown, field: string): JsonObject {
  return isObject(value) ? value : wrong(field, 'is no object');
}

export function textAt(value: unknown, field: string): string {
  return typeof value === 'string' ? value : wrong(field, 'is no text');
}

export function listAt(value: unknown, field: string): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : wrong(field, 'is no list');
}

/** Refuses all members beyond those that are read; an unset one is null or absent. */
export function onlyKnown(value: JsonObject, names: readonly string[], field: string): void {
  const strange = Object.entries(value).flatMap(([name, each]) =>
    each === null || each === undefined || names.includes(name)
      ? []
      : [strangeAt(field, name, names)],
  );
  const [first] = strange;
  if (first === undefined) return;
  throw new FormFault('unsupported-parameter', first.field, first.error, 'Leave it out.', strange);
}

function strangeAt(at: string, name: string, names: readonly string[]): StrangeMember {
  const field = `${at}.${name}`;
  const nearest = nearestName(name, names);
  const meant = nearest === undefined ? '' : ` The nearest is ${nearest}.`;
  return { field, error: `No model here takes ${field}.${meant}`, ...defined({ nearest }) };
}

/** Text alone is sent as a text, which every provider takes; with others it is a list of parts. */
export function contentOf(parts: readonly JsonObject[]): string | readonly JsonObject[] {
  if (parts.every(({ type }) => type === 'text')) {
    return parts.map(({ text }) => text as string).join('\n\n');
  }
  return parts;
}

export const textPart = (text: string): JsonObject => ({ type: 'text', text });

/** A tool of the protocol, as chat completions have it. */
export function functionTool(given: {
  readonly name: string;
  readonly description?: unknown;
  readonly parameters?: unknown;
  readonly strict?: unknown;
}): JsonObject {
  const set = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  return { type: 'function', function: Object.fromEntries(set) };
}

export const namedTool = (name: string): JsonObject => ({ type: 'function', function: { name } });
