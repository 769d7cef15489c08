import {
  eachOperation,
  jsonBody,
  parametersOf,
  resolve,
  takesKey,
  type Auth,
  type Document,
  type ErrorCodeEntry,
  type Operation,
  type Placed,
  type Response,
  type Schema,
} from './document.ts';

/**
 * Expands the source's conventions, so each fact is written once and the published document is
 * complete: `x-auth`'s security, shared refusals, their statuses, the headers of every answer.
 */
export function expand(document: Document, codes: readonly ErrorCodeEntry[]): void {
  const retries = codes.flatMap(({ code, retry }) => (retry === undefined ? [] : [[code, retry]]));
  Object.assign(document.components.schemas['ErrorCode'] ?? {}, {
    enum: codes.map((c) => c.code),
    'x-retry': Object.fromEntries(retries) as unknown,
  });
  document.components.headers = { ...document.components.headers, ...HEADERS };
  document.components.responses = sharedResponses();
  Object.assign(document.components.parameters?.['Prefer'] ?? {}, { 'x-answer': PREVIEW });
  for (const placed of eachOperation(document)) {
    const { method, operation } = placed;
    if (method === 'post' && operation['x-auth'] !== 'api-key') addParameter(operation, 'Prefer');
    if (takesKey(method, operation)) addParameter(operation, 'KeyHeader');
    operation.security = securityOf(operation);
    operation['x-errors'] = errorsOf(document, { method, operation }, codes);
    addRefusals(placed, codes);
    addHeaders(operation);
  }
}

/**
 * The answer of a dry run, named by its parameter alone: as a second type of every answer, it would
 * make client generators return a union everywhere.
 */
const PREVIEW = {
  'application/vnd.hub.preview+json': { schema: { $ref: '#/components/schemas/Preview' } },
};

/**
 * Every call that changes something may be tried first (choices pipeline.preview), and is once-only
 * under a key of its signer (choices ledger.idempotency).
 */
function addParameter(operation: Operation, name: string): void {
  const added = { $ref: `#/components/parameters/${name}` };
  Object.assign(operation, { parameters: [...(operation.parameters ?? []), added] });
}

const SIGNED = { signatureInput: [], signature: [] };
const SECURITY: Readonly<Record<Auth, readonly Readonly<Record<string, readonly string[]>>[]>> = {
  public: [],
  signed: [SIGNED],
  optional: [{}, SIGNED],
  'api-key': [{ modelKey: [] }],
};

function securityOf(operation: Operation): NonNullable<Operation['security']> {
  const header = FORMS[operation['x-form'] ?? 'chat'].header;
  const usual = SECURITY[operation['x-auth']];
  return header === undefined ? usual : [{ [header]: [] }, ...usual];
}

function errorsOf(
  document: Document,
  { method, operation }: { readonly method: string; readonly operation: Operation },
  codes: readonly ErrorCodeEntry[],
): readonly string[] {
  const listed = operation['x-errors'] ?? [];
  const known = new Set(codes.map((c) => c.code));
  const unknown = listed.filter((code) => !known.has(code));
  if (unknown.length > 0)
    throw new Error(`${operation.operationId}: unknown codes ${unknown.join(', ')}`);
  // A value whose form has a code of its own may be refused with it, wherever it stands.
  const values = [
    ...parametersOf(document, operation).map(({ schema }) => schema),
    jsonBody(document, operation) ?? {},
  ];
  const valued = codesIn(document, values, new Set());
  const mayApply = (entry: ErrorCodeEntry): boolean => {
    if (valued.has(entry.code)) return true;
    switch (entry.applies) {
      case 'every':
        return true;
      case 'signed':
        return operation['x-auth'] === 'signed' || operation['x-auth'] === 'optional';
      case 'body':
        return operation.requestBody !== undefined;
      case 'owner':
        return operation['x-owner'] !== undefined;
      case 'spending':
        return operation['x-auth'] !== 'api-key' && listed.includes('insufficient-funds');
      case 'once':
        return takesKey(method, operation);
      case 'under-way':
        return takesKey(method, operation) && operation['x-once'] === 'answer';
      case 'specific':
        return operation['x-auth'] === 'api-key' && entry.code === 'api-key';
    }
  };
  const shared = codes.filter((entry) => mayApply(entry) && !listed.includes(entry.code));
  const before = shared.filter((entry) => entry.status < 500).map((entry) => entry.code);
  const after = shared.filter((entry) => entry.status >= 500).map((entry) => entry.code);
  return [...before, ...listed, ...after];
}

/** Every `x-code` in these schemas and in all that they refer to. */
function codesIn(
  document: Document,
  schemas: readonly Schema[],
  seen: Set<Schema>,
): ReadonlySet<string> {
  const codes = new Set<string>();
  for (const reference of schemas) {
    const schema = resolve<Schema>(document, reference);
    if (seen.has(schema)) continue;
    seen.add(schema);
    if (schema['x-code'] !== undefined) codes.add(schema['x-code']);
    const inside = [
      ...Object.values(schema.properties ?? {}),
      ...(schema.items === undefined ? [] : [schema.items]),
      ...(schema.oneOf ?? []),
    ];
    for (const code of codesIn(document, inside, seen)) codes.add(code);
  }
  return codes;
}

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'Refused',
  401: 'Unauthorized',
  402: 'MustPay',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'UnderWay',
  410: 'Gone',
  429: 'TooManyRequests',
};

function addRefusals({ path, method, operation }: Placed, codes: readonly ErrorCodeEntry[]): void {
  const statusOf = new Map(codes.map((entry) => [entry.code, entry.status]));
  const statuses = new Set((operation['x-errors'] ?? []).map((code) => statusOf.get(code) ?? 500));
  // Refusals that clients of other protocols read have the form that they know.
  const isKeyed = operation['x-auth'] === 'api-key';
  const form = isKeyed ? FORMS[operation['x-form'] ?? 'chat'].prefix : '';
  for (const [status, name] of Object.entries(REFUSALS)) {
    if (statuses.has(Number(status)) && Number(status) !== 405) {
      const isFixed = name === 'NotFound' && !path.includes('{');
      const shared = isFixed ? 'NoRoute' : name;
      operation.responses[status] ??= { $ref: `#/components/responses/${form}${shared}` };
    }
  }
  const fault = method === 'get' ? 'ReadFault' : 'HubFault';
  operation.responses['5XX'] = { $ref: `#/components/responses/${form}${fault}` };
}

/** Forms of refusals of the operations that an API key opens, as the clients of each read them. */
const FORMS = {
  chat: { prefix: 'Compat', error: 'CompatError', header: undefined },
  messages: { prefix: 'Messages', error: 'MessagesError', header: 'messagesKey' },
  google: { prefix: 'Google', error: 'GoogleError', header: 'googleKey' },
} as const;

const HEADERS = {
  'x-request-id': {
    description: 'The id of this request, minted by the hub.',
    required: true,
    schema: { type: 'string', maxLength: 64 },
  },
  'x-ratelimit-limit': {
    description: 'Requests that the tightest policy allows in its window.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'x-ratelimit-remaining': {
    description: 'Requests left of them now.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'x-ratelimit-policy': {
    description: 'That policy: name, quota, window in seconds and partition.',
    required: true,
    schema: { type: 'string', maxLength: 200 },
    example: '"anon";q=300;w=60;pk=ip',
  },
  'retry-after': {
    description: 'Seconds to wait before the next try.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'payment-required': {
    description: 'The same price in the x402 shape of version 2, base64 of its JSON.',
    required: false,
    schema: { type: 'string', maxLength: 8192 },
  },
  'x-payment-response': {
    description: 'Why the payment of this request was refused, base64 of its JSON (version 1).',
    required: false,
    schema: { type: 'string', maxLength: 4096 },
  },
  'payment-response': {
    description: 'The same in the form of version 2.',
    required: false,
    schema: { type: 'string', maxLength: 4096 },
  },
};
/** The headers of a 402: quotes of version 2, and the result of a payment. */
const X402 = ['payment-required', 'x-payment-response', 'payment-response'];
const EVERY_ANSWER = [
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-policy',
];

function headerReferences(names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function addHeaders(operation: Operation): void {
  for (const response of Object.values(operation.responses)) {
    if (!('$ref' in response)) {
      response.headers = { ...response.headers, ...headerReferences(EVERY_ANSWER) };
    }
  }
}

function sharedResponses(): Record<string, Response> {
  const answer = (description: string, schema: string, more: readonly string[] = []): Response => ({
    description,
    headers: headerReferences([...EVERY_ANSWER, ...more]),
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  });
  return {
    Refused: answer('Understood and refused; nothing moved.', 'Refusal'),
    Unauthorized: answer(
      'No signature, or one that fails; the body names the missing piece.',
      'Refusal',
    ),
    MustPay: answer('Payment required, in the x402 shape.', 'PaymentRequired', X402),
    NotFound: answer(
      'Nothing has the id or name in this path; the hint names its list.',
      'Refusal',
    ),
    NoRoute: answer('The path is not exactly that of a route; the hint names the list.', 'Refusal'),
    UnderWay: answer('The first call under this key is not over yet.', 'Refusal', ['retry-after']),
    Gone: answer('It was there and is past its retention.', 'Refusal'),
    TooManyRequests: answer('Too many requests.', 'Refusal', ['retry-after']),
    HubFault: answer("The hub's own fault; send the call again with the same key.", 'Refusal'),
    ReadFault: answer("The hub's own fault; read again after a second.", 'Refusal'),
    ...Object.fromEntries(
      Object.values(FORMS).flatMap(({ prefix, error }) =>
        Object.entries({
          [`${prefix}Refused`]: answer('Understood and refused; nothing was charged.', error),
          [`${prefix}Unauthorized`]: answer(
            'No API key, or one that the hub does not know.',
            error,
          ),
          [`${prefix}NotFound`]: answer(
            'There is no model of this id; `GET /v1/models` lists them.',
            error,
          ),
          [`${prefix}NoRoute`]: answer('The path is not exactly that of a route.', error),
          [`${prefix}TooManyRequests`]: answer('Too many requests.', error, ['retry-after']),
          [`${prefix}HubFault`]: answer(
            "The hub's own fault; send the call again with the same key.",
            error,
          ),
          [`${prefix}ReadFault`]: answer("The hub's own fault; read again after a second.", error),
        }),
      ),
    ),
  };
}
