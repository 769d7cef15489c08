// The answers of every contract-layer server, so that only the layer differs.
import { readFileSync } from 'node:fs';

export const port = Number(process.argv[2]);
export const document = JSON.parse(
  readFileSync(new URL('../../../../generated/openapi.json', import.meta.url), 'utf8'),
);
export const PATH = '/api/v1/wallet/{owner}/credit';

export const ANSWER = {
  transferId: '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90',
  owner: 'key:3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt',
  amount: '1000000',
  asset: 'USDC',
  network: 'sandbox',
  leftToday: '9000000000',
  at: '2026-11-20T10:15:30.000Z',
  repeated: false,
};

const inline = (value) => {
  if (Array.isArray(value)) return value.map(inline);
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.$ref === 'string') {
    const [, , group, name] = value.$ref.split('/');
    const { $ref, ...beside } = value;
    return inline({ ...document.components[group][name], ...beside });
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !key.startsWith('x-'))
      .map(([key, each]) => [key, inline(each)]),
  );
};
const operation = inline(document.paths[PATH].post);
export const bodySchema = operation.requestBody.content['application/json'].schema;
export const paramsSchema = {
  type: 'object',
  required: ['owner'],
  properties: { owner: operation.parameters.find((each) => each.name === 'owner').schema },
};
export const answerSchema = operation.responses['200'].content['application/json'].schema;
