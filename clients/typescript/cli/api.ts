import { parseArgs } from 'node:util';
import { follow, type Hub } from '../index.ts';
import type { HttpCall } from '../index.ts';
import {
  COMMON,
  COMMON_HELP,
  isSet,
  textOf,
  UsageError,
  type Call,
  type Command,
  type ExitCode,
  type Options,
} from './command.ts';
import { contract } from './contract.ts';
import type { ContractField, ContractOperation } from './contractOf.ts';
import { folded, helpOf } from './help.ts';
import { jsonOf } from './input.ts';
import { openReader, openSession, ownerOf } from './session.ts';
import { jsonText, plain, show, table } from './show.ts';

/** `hub api OPERATION` calls any operation; the signer's account is filled in. */
export const api: Command = {
  usage: 'api [OPERATION [--FIELD VALUE ...]]',
  summary: 'calls any operation of the contract; alone, lists them',
  help: `Each parameter and each field of the body is an option; "hub api OPERATION --help" has them.
  --body JSON   the body, or what the options leave of it; @FILE reads it, - takes standard input
`,
  run: async (call) => {
    const [id, ...words] = call.words;
    const operations = contract();
    if (id === undefined || id.startsWith('-')) {
      const isAsked = id === '--help' || id === '-h';
      if (isAsked) call.io.out(helpOf(api));
      else list(withOptions(call, COMMON, call.words), operations);
      return 0;
    }
    const operation = operations.find((known) => known.id === id);
    if (operation === undefined) throw new UsageError(`there is no operation "${id}"${near(id)}`);
    const given = withOptions(call, optionsOf(operation), words);
    if (isSet(given, 'help')) {
      call.io.out(operationHelp(operation));
      return 0;
    }
    return send(given, operation);
  },
};

function withOptions(call: Call, options: Options, args: readonly string[]): Call {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [stray] = positionals;
    if (stray !== undefined) throw new UsageError(`"${stray}" is one word too many`);
    return { ...call, words: [], values };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function list(call: Call, operations: readonly ContractOperation[]): void {
  show(call, operations, () =>
    table(
      call.io,
      ['operation', 'signed', 'what it does'],
      operations.map(({ id, auth, summary }) => [id, auth === 'public' ? '' : auth, summary]),
    ),
  );
}

/** Fields whose name is one of the common options are set in --body, also those of path and query. */
export function fieldsOf({ fields }: ContractOperation): readonly ContractField[] {
  return fields.filter((field) => !isTaken(field));
}

function isTaken({ name }: ContractField): boolean {
  return Object.hasOwn(COMMON, name) || name === 'body';
}

function optionsOf(operation: ContractOperation): Options {
  const own = fieldsOf(operation).map(({ name, type }): readonly [string, Options[string]] => [
    name,
    { type: type === 'boolean' ? 'boolean' : 'string' },
  ]);
  return { ...Object.fromEntries(own), ...COMMON, body: { type: 'string' } };
}

function operationHelp(operation: ContractOperation): string {
  const { id, method, path, summary, says, auth, owner } = operation;
  const lines = fieldsOf(operation).map((field) => {
    const { name, type, required, in: place } = field;
    const isFilled = owner === `${place}.${name}`;
    const taken = type === 'boolean' ? '' : ` ${type.toUpperCase()}`;
    const mark = isFilled ? 'your account; ' : required ? 'required; ' : '';
    return `  --${name}${taken}\n      ${mark}${plain(field.says)}\n`;
  });
  return folded(`hub api ${id}

${summary} (${method} ${path}, ${auth}).

${says}

${lines.join('')}  --body JSON
      the body, or what the options leave of it; @FILE reads it, - takes standard input
${COMMON_HELP}`);
}

async function send(call: Call, operation: ContractOperation): Promise<ExitCode> {
  const isSigned = operation.auth === 'signed';
  const hub = isSigned ? (await openSession(call)).hub : await openReader(call);
  const request = await requestOf(call, operation, hub);
  const answer = await follow(hub, request);
  // Text, such as a page or lines of JSON, comes as it is.
  if (typeof answer === 'string') call.io.out(answer.endsWith('\n') ? answer : `${answer}\n`);
  else call.io.out(`${jsonText(answer, 2)}\n`);
  return 0;
}

async function requestOf(
  call: Call,
  { method, path, fields, owner }: ContractOperation,
  hub: Hub,
): Promise<HttpCall> {
  const whole = textOf(call, 'body');
  const written = whole === undefined ? {} : await jsonOf(call.io, whole, '--body');
  if (typeof written !== 'object' || written === null || Array.isArray(written)) {
    throw new UsageError('--body takes a JSON object');
  }
  const places = { path: {}, query: {}, body: { ...written } } as Record<
    ContractField['in'],
    Record<string, unknown>
  >;
  for (const field of fields) {
    const value = isTaken(field) ? places.body[field.name] : await valueOf(call, field);
    if (value === undefined) continue;
    if (isTaken(field)) delete places.body[field.name];
    places[field.in][field.name] = value;
  }
  const named = fields.find((field) => owner === `${field.in}.${field.name}`);
  if (named !== undefined && hub.account !== undefined) {
    places[named.in][named.name] ??= await ownerOf(hub);
  }
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = places.path[name];
    if (value === undefined) throw new UsageError(`it lacks --${name}`);
    return encodeURIComponent(String(value)).replaceAll('%3A', ':');
  });
  const query = new URLSearchParams(
    Object.entries(places.query).map(([name, value]) => [name, String(value)]),
  ).toString();
  const at = query === '' ? target : `${target}?${query}`;
  return method === 'GET'
    ? { method: 'GET', path: at }
    : { method: 'POST', path: at, body: places.body };
}

async function valueOf(call: Call, { name, type }: ContractField): Promise<unknown> {
  if (type === 'boolean') return isSet(call, name) ? true : undefined;
  const given = textOf(call, name);
  if (given === undefined || type === 'text') return given;
  if (type === 'number') {
    if (!/^-?\d+(\.\d+)?$/.test(given)) throw new UsageError(`--${name} takes a number`);
    return Number(given);
  }
  return jsonOf(call.io, given, `--${name}`);
}

/** Operations of the same area, for a name that was nearly right. */
function near(id: string): string {
  const area = id.split('.')[0] ?? '';
  const known = contract()
    .map((operation) => operation.id)
    .filter((other) => other.startsWith(`${area}.`));
  return known.length === 0 ? '; "hub api" lists them' : `; ${area} has ${known.join(', ')}`;
}
