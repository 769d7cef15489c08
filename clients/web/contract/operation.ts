import {
  contractOf,
  resolved,
  type ContractField,
  type ContractOperation,
} from '../../typescript/cli/contractOf.ts';
import { isRecord } from '../publish/conditions.ts';

export interface Callable extends ContractOperation {
  readonly parameters: readonly Parameter[];
  /** The example of the body; undefined when the operation takes none as JSON. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** The field of the body that has the idempotency key, which the clients make. */
  readonly key: string | undefined;
  /** Whether the contract names fields of the body. */
  readonly isShaped: boolean;
  /** The tool of the MCP door. */
  readonly tool: string | undefined;
}

export interface Parameter extends ContractField {
  /** The initial value of the field: an example where the contract requires the parameter. */
  readonly first: string;
}

/** Finds an operation in the contract. `own` is the account that the call is about, if any. */
export function callable(
  document: unknown,
  id: string,
  own: string | undefined,
): Callable | undefined {
  const operation = contractOf(document).find((each) => each.id === id);
  if (operation === undefined || !isRecord(document)) return undefined;
  const { path, method, owner, fields } = operation;
  const described = member(document, 'paths', path, method.toLowerCase());
  const examples = new Map(
    listOf(member(described, 'parameters')).map((given) => {
      const { name, example } = resolved(document, given);
      return [String(name), example];
    }),
  );
  const parameters = fields
    .filter((field) => field.in !== 'body')
    .map((field) => {
      const isOwn = owner === `${field.in}.${field.name}` && own !== undefined;
      const example = field.required ? (examples.get(field.name) ?? '') : '';
      return { ...field, first: isOwn ? own : String(example) };
    });
  const json = member(described, 'requestBody', 'content', 'application/json');
  const tool = member(described, 'x-door', 'mcp');
  const shape = resolved(document, member(json, 'schema'));
  return {
    ...operation,
    parameters,
    key: /^body\.(.+)$/.exec(String(member(described, 'x-idempotency')))?.[1],
    isShaped: FIELDS.some((name) => name in shape),
    tool: typeof tool === 'string' ? tool : undefined,
    body: json === undefined ? undefined : bodyOf(json, described, operation, own),
  };
}

const FIELDS = ['properties', 'allOf', 'oneOf', 'anyOf', 'enum'];

/** The client makes the idempotency key, so no body has one. */
function bodyOf(
  json: unknown,
  described: unknown,
  { owner }: ContractOperation,
  own: string | undefined,
): Readonly<Record<string, unknown>> {
  const example = member(json, 'example');
  const [place, name = ''] = (owner ?? '').split('.');
  const key = String(member(described, 'x-idempotency') ?? '').replace(/^body\./, '');
  const kept = Object.entries(isRecord(example) ? example : {}).filter(([each]) => each !== key);
  const isOwn = place === 'body' && own !== undefined;
  return { ...Object.fromEntries(kept), ...(isOwn && { [name]: own }) };
}

export const valueOf = (field: Parameter, values: Readonly<Record<string, string>>): string =>
  values[field.name] ?? field.first;

export function addressOf(
  { path, parameters }: Callable,
  values: Readonly<Record<string, string>>,
): { readonly address: string } | { readonly missing: string } {
  const given = (field: Parameter): string => valueOf(field, values);
  const missing = parameters.find((field) => field.required && given(field) === '');
  if (missing !== undefined) return { missing: missing.name };
  const inPath = new Map(parameters.map((field) => [field.name, given(field)]));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(inPath.get(name) ?? '').replaceAll('%3A', ':'),
  );
  const query = new URLSearchParams(
    parameters
      .filter((field) => field.in === 'query' && given(field) !== '')
      .map((field) => [field.name, given(field)]),
  );
  return { address: query.size === 0 ? filled : `${filled}?${query.toString()}` };
}

function member(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (at, name) => (isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    value,
  );
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
