import { valueOf, type Callable, type Parameter } from './operation.ts';
import { linkFor } from './link.ts';
import { called, literal, methodOf, modelOf, snake } from './pythonWords.ts';

/** A call of the form, before it is written in one language. */
export interface FilledCall {
  readonly operation: Callable;
  readonly values: Readonly<Record<string, string>>;
  /** The path with its query. */
  readonly address: string;
  /** The JSON body; undefined when there is none. */
  readonly content: Readonly<Record<string, unknown>> | undefined;
  readonly baseUrl: string;
  /** The account of the browser. */
  readonly own: string | undefined;
}

export type CodeLanguage = 'curl' | 'typescript' | 'python' | 'mcp';

/** The same call in each language. There is no MCP where the door has no tool for it. */
export function codeOf(call: FilledCall): Readonly<Partial<Record<CodeLanguage, string>>> {
  const tool = mcp(call);
  return {
    curl: curl(call),
    typescript: typescript(call),
    python: python(call),
    ...(tool !== undefined && { mcp: tool }),
  };
}

/** Signed by the function `hub` of the quickstart. The shell makes the idempotency key. */
function curl({ operation, address, content, baseUrl }: FilledCall): string {
  const { method, auth, key } = operation;
  const keyed = key === undefined ? content : { ...content, [key]: KEY };
  const body =
    content === undefined
      ? []
      : [quoted(JSON.stringify(keyed)).replaceAll(KEY, `'"$(openssl rand -hex 16)"'`)];
  if (auth === 'signed') return ['hub', method, quoted(address), ...body].join(' ');
  const words = [`curl -sS -X ${method} ${quoted(baseUrl + address)}`];
  if (auth === 'api-key') words.push(`-H "authorization: Bearer $HUB_API_KEY"`);
  if (content !== undefined) words.push(`-H 'content-type: application/json'`, '--data-raw');
  return [...words, ...body].join(' ');
}

const KEY = 'a-fresh-key-of-idempotency';
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function typescript({ operation, values, content }: FilledCall): string {
  const { method, path, auth, parameters } = operation;
  const placed = (place: string): object =>
    Object.fromEntries(
      given(parameters, values)
        .filter((field) => field.in === place)
        .map((field) => [field.name, typed(field, values)]),
    );
  const params = Object.fromEntries(
    ['path', 'query']
      .map((place) => [place, placed(place)] as const)
      .filter(([, fields]) => Object.keys(fields).length > 0),
  );
  const headers = { authorization: 'Bearer hub_your-api-key' };
  const init = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(content !== undefined && { body: content }),
    ...(auth === 'api-key' && { headers }),
  };
  const more = Object.keys(init).length === 0 ? '' : `, ${JSON.stringify(init, null, 2)}`;
  return `const answer = unwrap(await hub.${method}('${path}'${more}));`;
}

function python({ operation, values, content, own }: FilledCall): string {
  const { id, auth, parameters, owner, isShaped } = operation;
  const body =
    content === undefined
      ? []
      : [isShaped ? `models.${modelOf(id)}.model_validate(${literal(content)})` : literal(content)];
  const isOwn = (field: Parameter): boolean =>
    auth !== 'public' && owner === `${field.in}.${field.name}` && valueOf(field, values) === own;
  const words = given(parameters, values)
    // The client fills in its own account.
    .filter((field) => !isOwn(field))
    .map((field) => `${snake(field.name)}=${literal(typed(field, values))}`);
  return `answer = ${called(methodOf(id), [...body, ...words])}`;
}

function mcp({ operation, values, content }: FilledCall): string | undefined {
  const { tool, parameters } = operation;
  if (tool === undefined) return undefined;
  const fields = given(parameters, values).map((field) => [field.name, typed(field, values)]);
  const params = {
    name: tool,
    arguments: { ...(Object.fromEntries(fields) as object), ...content },
  };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  return JSON.stringify(message, null, 2);
}

/** The parameters that have a value. */
function given(
  parameters: readonly Parameter[],
  values: FilledCall['values'],
): readonly Parameter[] {
  return parameters.filter((field) => field.required || valueOf(field, values) !== '');
}

function typed(field: Parameter, values: FilledCall['values']): unknown {
  const text = valueOf(field, values);
  if (field.type === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) {
    return Number(text);
  }
  return field.type === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text;
}

/**
 * The address of this form with its values. The account of the browser is left out, so that
 * another browser fills in its own.
 */
export function linkTo({ operation, values, content, own }: FilledCall): Record<string, string> {
  const { id, parameters, owner } = operation;
  const isOwn = (place: string, value: unknown): boolean => owner === place && value === own;
  const fields = given(parameters, values)
    .map((field) => [field, valueOf(field, values)] as const)
    .filter(([field, value]) => !isOwn(`${field.in}.${field.name}`, value))
    .map(([{ name }, value]) => [name, value] as const);
  const body =
    content && Object.entries(content).filter((each) => !isOwn(`body.${each[0]}`, each[1]));
  return linkFor(id, Object.fromEntries(fields), body && Object.fromEntries(body));
}
