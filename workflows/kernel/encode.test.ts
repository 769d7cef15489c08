import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { parseInstant } from '../../domain/instant.ts';
import {
  eachOperation,
  resolve,
  type Document,
  type Response,
  type Schema,
} from '../../tools/generate/document.ts';
import { encode, encodeAnswer, encodeReply } from './encode.ts';

const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Document;

/** A value of the wire as a handler gives it: moments as numbers, amounts as integers. */
function asGiven(schema: Schema, value: unknown): unknown {
  const target = resolve<Schema>(document, schema);
  const { 'x-brand': brand, properties = {}, items, additionalProperties: others } = target;
  if (typeof value === 'string' && brand === 'Instant') return parseInstant(value);
  if (typeof value === 'string' && AMOUNTS.includes(brand ?? '')) return BigInt(value);
  if (Array.isArray(value)) return value.map((each: unknown) => asGiven(items ?? {}, each));
  if (typeof value !== 'object' || value === null) return value;
  const branch = branchOf(target, value);
  if (branch !== undefined) return asGiven(branch, value);
  const other = typeof others === 'object' ? (others as Schema) : {};
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, asGiven(properties[name] ?? other, each)]),
  );
}

function branchOf({ discriminator }: Schema, value: object): Schema | undefined {
  if (discriminator === undefined) return undefined;
  const { propertyName, mapping } = discriminator as {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, string>>;
  };
  const kind = String((value as Readonly<Record<string, unknown>>)[propertyName]);
  return { $ref: mapping[kind] ?? '' };
}

const AMOUNTS = ['Atomic', 'Sum', 'Chips'];

const asSent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Times of the wire may have other digits behind the second than the hub writes. */
const asHubWrites = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value).replace(
      /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)"/g,
      (_, at: string) => JSON.stringify(new Date(at).toISOString()),
    ),
  );

describe('answers', () => {
  it('are written as the contract of every operation shows them', () => {
    let changed = 0;
    for (const { operation } of eachOperation(document)) {
      for (const [status, reference] of Object.entries(operation.responses)) {
        const { content = {} } = resolve<Response>(document, reference);
        const { schema, example } = content['application/json'] ?? {};
        if (!status.startsWith('2') || schema === undefined || example === undefined) continue;
        const { operationId } = operation;
        const body = asGiven(schema, example);
        const sent = encodeReply(operationId, { status: Number(status), body }).body;
        assert.deepEqual(asHubWrites(asSent(sent)), asHubWrites(example), operationId);
        if (sent !== body) changed += 1;
      }
    }
    assert.ok(changed > 100, `${changed}`);
  });

  it('are as they are when they are text already', () => {
    const at = '2026-11-20T10:15:30.000Z';
    const pulse = encode('Money', { amount: '1', display: '0.1', asset: 'USDC', network: 'play' });
    assert.equal(pulse.amount, '1');
    const first = encodeAnswer('wallet.pay', { at, amount: 7n });
    assert.deepEqual(encodeAnswer('wallet.pay', first), first);
  });

  it('have moments as Date writes them', () => {
    const written = (at: number): unknown =>
      (encodeAnswer('wallet.pay', { at }) as { readonly at: unknown }).at;
    const most = 8_640_000_000_000_000;
    const near = [0, -1, 1, 999, 86_399_999, 86_400_000, most, -most, 253_402_300_800_000];
    for (const at of near) assert.equal(written(at), new Date(at).toISOString());
    fc.assert(
      fc.property(
        fc.integer({ min: -most, max: most }),
        fc.integer({ max: 86_400_000, min: 0 }),
        (at, more) => {
          for (const one of [at, Math.min(at + more, most)]) {
            assert.equal(written(one), new Date(one).toISOString());
          }
        },
      ),
    );
    assert.throws(() => written(Number.NaN), RangeError);
  });

  it('have the members of the contract and no other', () => {
    const row = { amount: 5n, display: '0.000005', asset: 'USDC', network: 'play', secret: 's' };
    const sent = encode('Money', { ...row, asset: 'USDC' });
    assert.deepEqual(Object.keys(sent), ['amount', 'display', 'asset', 'network']);
    assert.equal(sent.amount, '5');
  });

  it('are written item by item when they are streamed, and end their source', async () => {
    let ended = false;
    async function* items() {
      try {
        yield { id: 'one', at: 0 };
        yield { id: 'two', at: 1 };
      } finally {
        ended = true;
      }
    }
    const type = 'application/x-ndjson';
    const { body } = encodeReply('registry.feed', { status: 200, type, body: items() });
    for await (const item of body as AsyncIterable<unknown>) {
      assert.ok(item !== undefined);
      break;
    }
    assert.ok(ended);
  });

  it('have no encoder for a component without a moment or an amount', () => {
    assert.throws(
      () => encode('HttpCall', { method: 'GET', path: '/' }),
      /nothing that is encoded/,
    );
  });
});
