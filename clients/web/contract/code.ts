import { valueOf, type Callable, type Parameter } from './operation.ts';
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

const LINK_LETTERS_MAX = 6_000;

/** The address of this form with its values; without them where it would be too long to share. */
export function linkTo({ operation, values, content }: FilledCall): Record<string, string> {
  const query = { operation: operation.id };
  const fields = given(operation.parameters, values).map((field) => [
    `${PREFIX}${field.name}`,
    valueOf(field, values),
  ]);
  const body = content === undefined ? {} : { body: JSON.stringify(content) };
  const whole: Record<string, string> = {
    ...query,
    ...(Object.fromEntries(fields) as object),
    ...body,
  };
  return JSON.stringify(whole).length > LINK_LETTERS_MAX ? query : whole;
}

const PREFIX = 'v.';

/** The values of a form that a link has. */
export function linkedValues(query: Readonly<Record<string, string>>): {
  readonly values: Readonly<Record<string, string>>;
  readonly body: string | undefined;
} {
  const own = Object.entries(query).filter(([name]) => name.startsWith(PREFIX));
  const values = Object.fromEntries(own.map(([name, value]) => [name.slice(PREFIX.length), value]));
  return { values, body: query['body'] };
}
