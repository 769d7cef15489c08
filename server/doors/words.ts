import {
  a2aSkills,
  callPlaces,
  mcpThrough,
  mcpTools,
  refusalPlaces,
} from '../../generated/doors.ts';
import type { OperationId } from '../../generated/operations.ts';
import { isObject } from '../../domain/jsonObject.ts';
import type { OperationSpec } from '../../workflows/kernel/operation.ts';
import type { Routes } from '../http/routes.ts';
import type { Arguments } from './arguments.ts';
import type { Outcome } from './operations.ts';

/**
 * Adds the tool or skill and its arguments beside every call that an answer or refusal names as
 * HTTP. The places come from the contract (`callPlaces`), so no untrusted text is taken for a call.
 */
export interface Words {
  /** The outcome of an operation with the door's names added; the given one is not changed. */
  spoken(spec: OperationSpec, outcome: Outcome): Outcome;
}

interface Naming {
  /** The name of the field beside `method` and `path`, and in hints the word before the name. */
  readonly word: 'tool' | 'skill';
  readonly names: ReadonlyMap<string, string>;
}

/** `POST /api/v1/tasks/tsk_1/fail`, in backticks or not, with a JSON object or without. */
const CALL_IN_TEXT = /(GET|POST) (\/(?:api\/)?v1[^\s`'",;)]*[^\s`'",;).:])(?: (\{[^`{}]*\}))?`?/g;

export function mcpWords(routes: Routes): Words {
  return openWords({ word: 'tool', names: toolNames() }, routes);
}

/** A skill goes before the tool of the same operation; both are names that the door takes. */
export function a2aWords(routes: Routes): Words {
  const names = new Map([...toolNames(), ...namesOf(a2aSkills)]);
  return openWords({ word: 'skill', names }, routes);
}

/** Every operation that a tool calls, by the tool's name. */
function toolNames(): ReadonlyMap<string, string> {
  const besides = Object.entries(mcpThrough).flatMap(([name, each]) =>
    each.map(({ operation }) => [operation, name] as const),
  );
  return new Map([...namesOf(mcpTools), ...besides]);
}

function namesOf(table: Readonly<Record<string, OperationId>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(table).map(([name, operation]) => [operation, name]));
}

function openWords(naming: Naming, routes: Routes): Words {
  const change = (value: unknown): unknown => {
    if (typeof value === 'string') return inText(naming, routes, value);
    return isObject(value) ? { ...value, ...callOf(naming, routes, value) } : value;
  };
  const everywhere = (body: unknown, places: readonly string[]): unknown =>
    places.reduce((value, place) => changedAt(value, place.split('.'), change), body);
  return {
    spoken(spec, outcome) {
      if (outcome.kind === 'refusal') {
        const { refusal } = outcome;
        const body = everywhere(refusal.body, refusalPlaces) as typeof refusal.body;
        return { kind: 'refusal', refusal: { ...refusal, body } };
      }
      const places = callPlaces[spec.id as OperationId] ?? [];
      if (places.length === 0) return outcome;
      const { reply } = outcome;
      return { kind: 'reply', reply: { ...reply, body: everywhere(reply.body, places) } };
    },
  };
}

/** A copy in which what stands at the place is changed; what is not there stays away. */
function changedAt(
  value: unknown,
  [step, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  if (step === undefined) return change(value);
  if (step === '*') {
    return Array.isArray(value) ? value.map((each) => changedAt(each, rest, change)) : value;
  }
  if (!isObject(value) || value[step] === undefined) return value;
  return { ...value, [step]: changedAt(value[step], rest, change) };
}

/** The name and arguments of a call; nothing where the door has no name for its operation. */
function callOf(
  { word, names }: Naming,
  routes: Routes,
  { method, path, body }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (typeof method !== 'string' || typeof path !== 'string') return {};
  const found = argumentsOf(routes, method, path);
  const name = found && names.get(found.operation);
  if (found === undefined || name === undefined) return {};
  return { [word]: name, arguments: { ...found.given, ...(isObject(body) && body) } };
}

function inText(naming: Naming, routes: Routes, text: string): string {
  return text.replaceAll(CALL_IN_TEXT, (whole, method: string, path: string, json?: string) => {
    const call = callOf(naming, routes, { method, path, body: objectIn(json) });
    const name = call[naming.word];
    if (typeof name !== 'string') return whole;
    return `${whole} (${naming.word} ${name} ${JSON.stringify(call['arguments'])})`;
  });
}

function objectIn(json: string | undefined): unknown {
  if (json === undefined) return undefined;
  try {
    return JSON.parse(json) as unknown;
  } catch {
    // A sketch for readers, such as {"id": <n>}, is none; they fill it in by what stands there.
    return undefined;
  }
}

/** The operation that a call names, and its path and query as one flat object. */
function argumentsOf(
  routes: Routes,
  method: string,
  target: string,
): { readonly operation: string; readonly given: Arguments } | undefined {
  const [path = '', query = ''] = target.split('?', 2);
  const found = routes.find(path);
  const spec = found?.methods.get(method);
  if (found === undefined || spec === undefined) return undefined;
  const asked = [...new URLSearchParams(query)].map(([name, text]) => {
    const type = spec.parameters.find((each) => each.name === name)?.type;
    return [name, scalar(type, text)] as const;
  });
  const places = Object.entries(found.path).map(([name, text]) => [name, decoded(text)] as const);
  return { operation: spec.id, given: Object.fromEntries([...places, ...asked]) };
}

function scalar(type: string | undefined, text: string): unknown {
  if (type === 'integer' && /^\d+$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  return text;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
