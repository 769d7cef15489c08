/** A field of an operation, as the command line needs it of the contract, with its help. */
export interface ContractField {
  readonly name: string;
  readonly in: 'path' | 'query' | 'body';
  readonly required: boolean;
  /** `json` takes any JSON; text and numbers are written as they are. */
  readonly type: 'text' | 'number' | 'boolean' | 'json';
  readonly says: string;
}

export interface ContractOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly auth: string;
  /** The field that is the signer's account unless another is given, such as `body.requester`. */
  readonly owner?: string;
  readonly summary: string;
  readonly says: string;
  readonly fields: readonly ContractField[];
}

type Json = Readonly<Record<string, unknown>>;

const PLACES = ['path', 'query'] as const;
const METHODS = ['get', 'post'];

export function contractOf(document: unknown): readonly ContractOperation[] {
  const root = asJson(document);
  return Object.entries(asJson(root['paths'])).flatMap(([path, methods]) =>
    Object.entries(asJson(methods))
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => operationOf(root, method, path, asJson(operation))),
  );
}

function operationOf(root: Json, method: string, path: string, operation: Json): ContractOperation {
  const parameters = listOf(operation['parameters']).map((one) => resolved(root, one));
  const content = asJson(asJson(resolved(root, operation['requestBody'])['content']));
  const body = resolved(root, asJson(content['application/json'])['schema']);
  const fields = [
    ...parameters.flatMap((one) => parameterField(root, one)),
    ...bodyFields(root, body),
  ];
  // A public call about an account's wallet is most often about one's own.
  const wallet = fields.find((field) => field.in === 'path' && field.name === 'owner');
  const owner = operation['x-owner'] ?? (wallet && 'path.owner');
  return {
    id: text(operation['operationId']),
    method: method.toUpperCase(),
    path,
    auth: text(operation['x-auth']),
    ...(typeof owner === 'string' && { owner }),
    summary: text(operation['summary']),
    says: text(operation['description']),
    fields,
  };
}

function parameterField(root: Json, parameter: Json): readonly ContractField[] {
  const place = PLACES.find((known) => known === parameter['in']);
  if (place === undefined) return [];
  const schema = resolved(root, parameter['schema']);
  const says = text(parameter['description']) || text(schema['description']);
  const required = parameter['required'] === true;
  return [{ name: text(parameter['name']), in: place, required, type: typeOf(schema), says }];
}

/** The members of an object, also where it is put together of several schemas. */
function bodyFields(root: Json, schema: Json): readonly ContractField[] {
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((name) =>
    listOf(schema[name]).flatMap((part) => bodyFields(root, resolved(root, part))),
  );
  const required = listOf(schema['required']);
  const own = Object.entries(asJson(schema['properties'])).map(([name, given]): ContractField => {
    const one = resolved(root, given);
    return {
      name,
      in: 'body',
      required: required.includes(name),
      type: typeOf(one),
      says: text(one['description']),
    };
  });
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...parts.filter(({ name }) => !names.has(name))];
}

function typeOf({ type }: Json): ContractField['type'] {
  if (type === 'string') return 'text';
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'boolean' ? 'boolean' : 'json';
}

/** The value behind a `$ref`; what stands beside the reference goes over it. */
export function resolved(root: Json, given: unknown): Json {
  const one = asJson(given);
  const { $ref: reference, ...beside } = one;
  if (typeof reference !== 'string') return one;
  const target = reference
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => asJson(at)[name], root);
  return { ...resolved(root, target), ...beside };
}

function asJson(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
