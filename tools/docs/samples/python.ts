import { jsonBody, type Document } from '../../generate/document.ts';
import type { SampleCall, Values } from './call.ts';

const COLUMNS = 76;

export const SETUP = `from agent_exchange import FileKeys, Hub, Key, models

key = Key.load_or_generate("agent.key")
hub = Hub("http://127.0.0.1:4020", key, keep_keys=FileKeys("agent.pending"))
`;

/** The call with the generated method of the Python client, named as its `codegen.py` names it. */
export function python(document: Document, call: SampleCall): string {
  const { operation, values } = call;
  const [area = '', verb = ''] = operation.operationId.split('.');
  const body = bodyOf(document, call, `${title(area)}${title(verb)}Body`);
  const given = Object.entries({ ...values.path, ...values.query }).map(
    ([name, value]) => `${snake(name)}=${literal(value)}`,
  );
  const words = [...(body === undefined ? [] : [body]), ...given];
  return `answer = ${called(`hub.${snake(area)}.${snake(verb)}`, words)}\n`;
}

function bodyOf(document: Document, call: SampleCall, name: string): string | undefined {
  const { operation, values, hasBody } = call;
  if (!hasBody) return undefined;
  const schema = jsonBody(document, operation);
  // A body of which the contract says nothing more is a dict.
  if (!isShaped(schema)) return literal(values.body);
  // What is left is filled in by the client: the account and the idempotency key.
  if (Object.keys(values.body).length === 0) return undefined;
  // A choice of several forms has no fields of its own.
  return isFlat(values.body) && schema?.properties !== undefined
    ? called(`models.${name}`, namedWords(values.body))
    : `models.${name}.model_validate(${literal(values.body)})`;
}

function isShaped(schema: object | undefined): boolean {
  return ['properties', 'allOf', 'oneOf', 'anyOf', 'enum'].some((name) => name in (schema ?? {}));
}

/** Whether each value is one that a keyword argument takes as it is. */
function isFlat(values: Values): boolean {
  return Object.entries(values).every(
    ([name, value]) => !KEYWORDS.has(name) && (value === null || typeof value !== 'object'),
  );
}

function namedWords(values: Values): readonly string[] {
  return Object.entries(values).map(([name, value]) => `${name}=${literal(value)}`);
}

/** On one line where it fits; a single argument that does not stays with its bracket. */
function called(name: string, words: readonly string[]): string {
  const line = `${name}(${words.join(', ')})`;
  const isShort = line.length <= COLUMNS - 10 && !line.includes('\n');
  return isShort || (words.length === 1 && line.includes('\n'))
    ? line
    : `${name}${block('()', words)}`;
}

function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const [brackets, items] = Array.isArray(value)
    ? ['[]', value.map(literal)]
    : ['{}', Object.entries(value).map(([name, each]) => `${text(name)}: ${literal(each)}`)];
  const line = `${brackets[0] ?? ''}${items.join(', ')}${brackets[1] ?? ''}`;
  return line.length <= COLUMNS - 20 && !line.includes('\n') ? line : block(brackets, items);
}

function block(brackets: string, items: readonly string[]): string {
  const lines = items.map((item) => `    ${item.replaceAll('\n', '\n    ')},\n`);
  return `${brackets[0] ?? ''}\n${lines.join('')}${brackets[1] ?? ''}`;
}

function text(value: string): string {
  const written = JSON.stringify(value);
  const isQuoted = value.includes('"') && !/['\\\n]/.test(value);
  return isQuoted ? `'${value}'` : written;
}

const title = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

function snake(word: string): string {
  const name = word.replace(/(?<=[a-z0-9])([A-Z])/g, '_$1').toLowerCase();
  return KEYWORDS.has(name) ? `${name}_` : name;
}

/** Words of Python that name something in the contract, or might. */
const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally ' +
    'for from global if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);
