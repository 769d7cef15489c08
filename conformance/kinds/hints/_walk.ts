import type { Agent } from '../../harness/agents.ts';
import { deref, operations, type DeclaredOperation, type Json } from '../../harness/contract.ts';
import { at } from '../../harness/must.ts';

/** Requests that an operation refuses, made of the example that the contract gives of it. */
export interface Asked {
  readonly what: string;
  readonly path: string;
  readonly body?: Json;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: unknown;
  readonly schema?: unknown;
}

interface Shape {
  readonly type?: string | readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly oneOf?: readonly unknown[];
}

/** An id that no thing has. */
export const NOTHING = '01a1f866-0d00-70d6-bc9e-3977f7c4f1c7';

/** Things that are there, by the beginning of their path and by the field that names them. */
export type Things = Readonly<Record<string, string>>;
const WRONG = [7];
/** Values of fields that hold an amount. */
const AMOUNTS = [{}, '0', '900000000000000'];
const AMOUNT = /amount|price|stake|blind|buyin|reward|atomic/i;
const NETWORKS = ['moon', 'play', 'base'];

/** Operations that answer JSON and do not wait. */
export const WALKED: readonly DeclaredOperation[] = operations.filter(
  ({ path, raw }) =>
    path.startsWith('/api/v1/') && raw['x-stream'] === undefined && raw['x-wait'] === undefined,
);

/** With ids of things that are there where there are such, else with ids that nothing has. */
export function requestsOf(
  operation: DeclaredOperation,
  by: Agent,
  things: Things = {},
): readonly Asked[] {
  const { path, raw } = operation;
  const parameters = ((raw['parameters'] ?? []) as readonly unknown[]).map((each) =>
    deref<Parameter>(each),
  );
  const inPath = parameters.filter((each) => each.in === 'path');
  const thing = Object.entries(things).find(([place]) => path.startsWith(`${place}/{id}`))?.[1];
  const filled = inPath.reduce((text, each) => {
    const id = each.name === 'id' && thing !== undefined ? thing : idFor(each, by);
    return text.replace(`{${each.name}}`, encodeURIComponent(id));
  }, path);
  const shown = exampleOf(operation, by);
  const named = Object.entries(things).filter(([place]) => shown?.[place] !== undefined);
  const example = shown && { ...shown, ...Object.fromEntries(named) };
  const base: Asked = {
    what: 'as in the example',
    path: filled,
    ...(example && { body: example }),
  };
  const queries = parameters
    .filter((each) => each.in === 'query' && each.name !== 'wait')
    .flatMap(({ name }) =>
      (name === 'network' ? NETWORKS : ['no such value!']).map((value) => {
        const path = `${filled}?${name}=${encodeURIComponent(value)}`;
        return { ...base, what: `query ${name}=${value}`, path };
      }),
    );
  return [base, ...queries, ...bodiesOf(operation, base)].map(once);
}

let made = 0;

/** No request repeats another: where there is a key of idempotency, it is fresh. */
function once(asked: Asked): Asked {
  const { body } = asked;
  if (typeof body?.['idempotencyKey'] !== 'string') return asked;
  return { ...asked, body: { ...body, idempotencyKey: `walk-${(made += 1)}` } };
}

function bodiesOf(operation: DeclaredOperation, base: Asked): readonly Asked[] {
  const { body } = base;
  if (body === undefined) return [];
  const { properties = {} } = shapeOf(operation);
  const names = [...new Set([...Object.keys(properties), ...Object.keys(body)])];
  const without = Object.keys(body).map((name) => ({
    ...base,
    what: `without ${name}`,
    body: Object.fromEntries(Object.entries(body).filter(([each]) => each !== name)),
  }));
  const wrong = names.flatMap((name) =>
    valuesFor(name).map((value) => ({
      ...base,
      what: `${name}: ${JSON.stringify(value)}`,
      body: { ...body, [name]: value },
    })),
  );
  const strange = { ...base, what: 'an unknown field', body: { ...body, nosuch: 1 } };
  return [...without, ...wrong, strange];
}

function valuesFor(name: string): readonly unknown[] {
  if (name === 'network') return NETWORKS;
  if (name === 'networks') return [...WRONG, ...NETWORKS.map((network) => [network])];
  return AMOUNT.test(name) ? [...WRONG, ...AMOUNTS] : WRONG;
}

function shapeOf({ raw }: DeclaredOperation): Shape {
  const shape = deref<Shape>(at(raw, 'requestBody', 'content', 'application/json', 'schema') ?? {});
  const branches = (shape.oneOf ?? []).map((each) => deref<Shape>(each).properties ?? {});
  return { ...shape, properties: Object.assign({}, shape.properties, ...branches) as Json };
}

/** Returns the example with the caller in the place of the account that it names. */
function exampleOf({ raw }: DeclaredOperation, by: Agent): Json | undefined {
  if (raw['requestBody'] === undefined) return undefined;
  const media = at(raw, 'requestBody', 'content', 'application/json');
  const first = Object.values((at(media, 'examples') ?? {}) as Readonly<Record<string, Json>>)[0];
  const example = (at(media, 'example') ?? first?.['value'] ?? {}) as Json;
  const owner = String(raw['x-owner'] ?? '');
  const own = owner.startsWith('body.') && { [owner.slice('body.'.length)]: by.account };
  return { ...example, ...(own && mine(own, example, by)) };
}

/** A field may take an account or the id of a key, and the example says which. */
function mine(own: Json, example: Json, by: Agent): Json {
  return Object.fromEntries(
    Object.entries(own).map(([name]) => {
      const shown = example[name];
      const isKey = typeof shown === 'string' && !shown.startsWith('key:');
      return [name, isKey ? by.keyId : by.account];
    }),
  );
}

function idFor({ name, example, schema }: Parameter, by: Agent): string {
  if (name === 'owner' || name === 'account') return by.account;
  if (name === 'keyId') return by.keyId;
  const shown = String(example ?? deref<Parameter>(schema).example ?? NOTHING);
  return /^[0-9a-f]{8}-/.test(shown) ? NOTHING : shown;
}
