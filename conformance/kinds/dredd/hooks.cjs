const { readFileSync, writeFileSync } = require('node:fs');
const hooks = require('hooks');
const { firstEventOf } = require('./relay.cjs');
const { draft07 } = require('./schemas.cjs');
const { signatureHeaders } = require('../../harness/arranger/account.mjs');
const { openArranger } = require('../../harness/arranger/arranger.mjs');

/**
 * Turns each of Dredd's transactions into the request that its status calls for, and hands the
 * validator the contract's own schema. What ran and what was left out goes to a file: Dredd itself
 * is content with a run that skipped everything.
 */
const contract = JSON.parse(readFileSync(process.env.DREDD_CONTRACT, 'utf8'));
const url = process.env.DREDD_HUB;
const arranger = openArranger({ url, pair: process.env.DREDD_JUDGE });
const outcomes = [];
const answered = [];

/** Statuses that this run cannot bring about; every other one is driven. */
const UNDRIVEN = {
  402: 'needs a priced call and an empty wallet',
  409: 'needs the same call while it is under way',
  410: 'needs a retired leaf',
  429: 'the rate limits are off',
  503: 'needs a provider that fails',
};
/** Operations that this run cannot bring about a success of. */
const UNARRANGED = { 'wallet.appeal': 'needs a decision of the operator' };
const NOT_ASKED = 'was not asked for';
const asked = (process.env.DREDD_OPERATIONS ?? '').split(' ').filter((id) => id !== '');
const LEFT_OUT = 'leaves unknown names of a query out, as the official registry does';
const STILL_GOING_ON = 'needs work that is still going on';
const ABSENT_ID = '00000000-0000-4000-8000-000000000000';
/** Names of a path that is no id, and of which nothing is there. */
const ABSENT = { rest: '999' };
const NO_MODEL = 'no/such:generateContent';
const UNKNOWN_QUERY = 'no-such-name=1';
const NO_SIGNATURE = `sig1=:${Buffer.alloc(64).toString('base64')}:`;
/** The accounts that the contract's examples act as and pay to. */
const EXAMPLE_KEYS = {
  '3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt': arranger.alice.keyId,
  '8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR': arranger.bob.keyId,
};

const operations = new Map(
  Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, raw]) => [
      raw.operationId,
      { path, method: method.toUpperCase(), raw },
    ]),
  ),
);

hooks.beforeAll((transactions, done) => {
  arranger.open().then(
    () => done(),
    (error) => {
      for (const each of transactions) each.fail = error.message;
      done();
    },
  );
});

hooks.beforeEach((transaction, done) => {
  const [, operationId, status, type] = transaction.name.split(' > ');
  const kind = { operationId, status: Number(status), type };
  const why = asked.length > 0 && !asked.includes(operationId) ? NOT_ASKED : undriven(kind);
  transaction.skip = why !== undefined;
  transaction.kind = { ...kind, ...(why !== undefined && { skipped: why }) };
  if (why !== undefined) {
    outcomes.push(transaction.kind);
    return done();
  }
  prepare(transaction, kind).then(
    () => done(),
    (error) => {
      transaction.fail = error.message;
      done();
    },
  );
});

hooks.afterEach((transaction) => {
  if (transaction.skip) return;
  const code = refusedWith(transaction);
  const { raw } = operations.get(transaction.kind.operationId);
  const isOfNoOperation = code === 'no-route';
  if (code !== undefined && !isOfNoOperation && !raw['x-errors'].includes(code)) {
    transaction.fail = `${code} is not in the x-errors of ${raw.operationId}`;
  }
  outcomes.push({ ...transaction.kind, ...(code !== undefined && { code }) });
  const status = Number(transaction.real?.statusCode);
  if (isSuccess(status) && status === transaction.kind.status) {
    answered.push(asShown(transaction));
  }
});

/** An answer in the names of the contract's examples; agents of this run have a name of no machine. */
function asShown({ kind, real }) {
  const names = [...Object.entries(EXAMPLE_KEYS), ['127.0.0.1:4020', new URL(url).host]];
  const body = names
    .reduce((at, [shown, meant]) => at.replaceAll(meant, shown), real?.body ?? '')
    // An address within a query of an address is escaped.
    .replaceAll(
      /(http(?::\/\/|%3A%2F%2F))?127\.0\.0\.1(?::|%3A)(?!4020\b)\d+/g,
      (_, scheme) => `${scheme?.replace('http', 'https') ?? ''}agent.example.com`,
    );
  return { ...kind, body };
}

hooks.afterAll((transactions, done) => {
  writeFileSync(process.env.DREDD_OUTCOMES, JSON.stringify(outcomes));
  if (process.env.DREDD_ANSWERS !== undefined) {
    writeFileSync(process.env.DREDD_ANSWERS, JSON.stringify(answered));
  }
  done();
});

/** An operation that only ever answers 202 is asked for that. */
function undriven({ operationId, status }) {
  const { responses, 'x-unknown-query': unknown } = operations.get(operationId).raw;
  if (status === 400 && unknown === 'ignored') return LEFT_OUT;
  if (status === 202 && '200' in responses) return STILL_GOING_ON;
  return (isSuccess(status) ? UNARRANGED[operationId] : undefined) ?? UNDRIVEN[status];
}

function refusedWith({ real, kind }) {
  return kind.status >= 400 && real?.body ? JSON.parse(real.body).code : undefined;
}

async function prepare(transaction, { operationId, status, type }) {
  const operation = operations.get(operationId);
  const arranged = isSuccess(status) ? await arranger.arrange(operationId, type) : {};
  const body = bodyOf(operation.raw, arranged);
  const target = targetOf(operation, status, arranged);
  const headers = { Accept: type, ...(body !== '' && { 'Content-Type': 'application/json' }) };
  const request = { method: operation.method, host: new URL(url).host, target, body };
  Object.assign(headers, await authority(operation.raw, status, request));
  transaction.fullPath = target;
  if (arranged.isEndless) Object.assign(transaction, await firstEventOf(url));
  Object.assign(transaction.request, { uri: target, body, headers });
  transaction.expected = expected(operation.raw, status, type);
}

const isSuccess = (status) => status < 300;

/** A text of the contract with the accounts of this run. */
function inThisRun(text) {
  return Object.entries(EXAMPLE_KEYS).reduce(
    (at, [shown, meant]) => at.replaceAll(shown, meant),
    text,
  );
}

/** The example of the contract, in the names of this run, with what the setup knows. */
function bodyOf(raw, { body = {} }) {
  const example = raw.requestBody?.content['application/json'].example;
  if (example === undefined) return '';
  const text = inThisRun(JSON.stringify(example));
  const whole = { ...JSON.parse(text), ...body };
  if (whole.idempotencyKey !== undefined) whole.idempotencyKey = arranger.unused();
  return JSON.stringify(whole);
}

/** 404 asks for an id that was never minted, or where there is no id for no route at all. */
function targetOf({ path, raw }, status, { path: known = {}, query: asked }) {
  const values = Object.fromEntries(
    pathParameters(raw).map(({ name, example, schema }) => {
      const shown = known[name] ?? example ?? schema.examples?.[0];
      return [name, EXAMPLE_KEYS[String(shown).replace(/^key:/, '')] ?? shown];
    }),
  );
  const ids = Object.keys(values).filter((name) => isId(raw, name));
  const absent = Object.keys(values).filter((name) => name in ABSENT);
  if (status === 404) {
    if (ids.length > 0) values[ids.at(-1)] = ABSENT_ID;
    for (const name of absent) values[name] = path.startsWith('/v1beta') ? NO_MODEL : ABSENT[name];
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name]));
  if (status === 400) return `${filled}?${UNKNOWN_QUERY}`;
  if (status === 404 && ids.length + absent.length === 0) return `${filled}/no/such/route`;
  const query = new URLSearchParams(asked ?? requiredQuery(raw));
  return query.size === 0 ? filled : `${filled}?${query}`;
}

/** The examples of the query names that the contract requires, in the names of this run. */
function requiredQuery(raw) {
  const required = (raw.parameters ?? [])
    .map(resolved)
    .filter((each) => each.in === 'query' && each.required);
  return required.map(({ name, example }) => [name, inThisRun(String(example))]);
}

function isId(raw, name) {
  return pathParameters(raw).some((each) => each.name === name && each.schema.format === 'uuid');
}

function pathParameters(raw) {
  return (raw.parameters ?? [])
    .map(resolved)
    .filter((each) => each.in === 'path')
    .map((each) => ({ ...each, schema: resolved(each.schema) }));
}

/** A request without authority for a 401: unsigned, or badly signed where a visitor is welcome. */
async function authority(raw, status, request) {
  if (raw['x-auth'] === 'api-key' && status !== 401) {
    return { Authorization: `Bearer ${await arranger.apiKey()}` };
  }
  if (raw['x-auth'] !== 'signed' && raw['x-auth'] !== 'optional') return {};
  const headers = signatureHeaders(arranger.alice, request);
  if (status !== 401) return headers;
  return raw['x-auth'] === 'signed' ? {} : { ...headers, Signature: NO_SIGNATURE };
}

function expected(raw, status, type) {
  const response = resolved(raw.responses[String(status)]);
  const required = Object.entries(response.headers ?? {})
    .filter(([, header]) => resolved(header).required === true)
    .map(([name]) => [name, 'any']);
  const schema = response.content?.[type]?.schema;
  return {
    statusCode: String(status),
    headers: { 'Content-Type': type, ...Object.fromEntries(required) },
    ...(type === 'application/json' && { bodySchema: draft07(contract, schema) }),
  };
}

function resolved(value) {
  if (value?.$ref === undefined) return value;
  return resolved(
    value.$ref
      .split('/')
      .slice(1)
      .reduce((at, step) => at[step], contract),
  );
}
