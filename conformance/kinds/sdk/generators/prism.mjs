import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { freePort, root } from '../../dredd/hub.mjs';

/**
 * Prism mocks the hub by its examples, and its answers must fit the schema. It writes no JSON
 * lines, so operations that answer in nothing else are left out.
 */
const CONTRACT = join(root, 'generated/openapi.json');
const START_MS_MAX = 120_000;

export async function prism({ npm }) {
  const contract = JSON.parse(readFileSync(CONTRACT, 'utf8'));
  const port = await freePort();
  const words = ['mock', CONTRACT, '-p', String(port), '--errors=false', '-v', 'error'];
  const mock = spawn(npm('prism'), words, { stdio: 'ignore' });
  try {
    const base = `http://127.0.0.1:${port}`;
    await answering(`${base}/api/v1`);
    const faults = [];
    for (const call of callsOf(contract).filter(isWritable)) {
      const fault = await asked(base, call, contract);
      if (fault !== undefined) faults.push(`${call.operation.operationId}: ${fault}`);
    }
    if (faults.length > 0) throw new Error(faults.join('\n'));
  } finally {
    const gone = once(mock, 'exit');
    mock.kill();
    await gone;
  }
}

const callsOf = ({ paths }) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );

function isWritable({ operation }) {
  const [[, answer]] = Object.entries(operation.responses);
  const types = Object.keys(answer.content ?? {});
  return types.some((type) => type !== 'application/x-ndjson') || types.length === 0;
}

async function asked(base, { path, method, operation }, contract) {
  const parameters = (operation.parameters ?? []).map((each) => deref(contract, each));
  const valueOf = ({ name, example, schema }) =>
    example ?? deref(contract, schema).examples?.[0] ?? (name === 'limit' ? 1 : 'x');
  const filled = parameters
    .filter((each) => each.in === 'path')
    .reduce((at, each) => at.replace(`{${each.name}}`, encodeURIComponent(valueOf(each))), path);
  const query = parameters.filter((each) => each.in === 'query' && each.required);
  const search = query.map((each) => `${each.name}=${encodeURIComponent(valueOf(each))}`).join('&');
  const media = operation.requestBody?.content['application/json'];
  const init = {
    method: method.toUpperCase(),
    headers: {
      'Signature-Input': 'sig1=()',
      Signature: 'sig1=::',
      Authorization: 'Bearer x',
      ...(media && { 'content-type': 'application/json' }),
    },
    ...(media && { body: JSON.stringify(media.example) }),
  };
  const answer = await fetch(`${base}${filled}${search && `?${search}`}`, init);
  const text = await answer.text();
  if (answer.status >= 300) return `${answer.status} ${text.slice(0, 300)}`;
  const [declared] = Object.entries(operation.responses).filter(([status]) => status < 300);
  const schema = deref(contract, declared[1]).content?.['application/json']?.schema;
  const type = answer.headers.get('content-type') ?? '';
  if (schema === undefined || !type.startsWith('application/json')) return undefined;
  return fitting(contract, schema)(JSON.parse(text));
}

const compiled = new Map();
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);

function fitting(contract, schema) {
  if (compiled.size === 0) ajv.addSchema(contract, 'contract');
  const key = JSON.stringify(schema);
  const local = JSON.parse(key, (name, value) => (name === '$ref' ? `contract${value}` : value));
  const check = compiled.get(key) ?? ajv.compile(local);
  compiled.set(key, check);
  return (value) => (check(value) ? undefined : ajv.errorsText(check.errors).slice(0, 300));
}

function deref(contract, value) {
  if (typeof value?.$ref !== 'string') return value;
  const [, , group, name] = value.$ref.split('/');
  return deref(contract, contract.components[group][name]);
}

async function answering(url) {
  const until = performance.now() + START_MS_MAX;
  while (performance.now() < until) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return;
    await sleep(200);
  }
  throw new Error('Prism did not start');
}
