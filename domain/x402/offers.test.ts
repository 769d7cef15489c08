import assert from 'node:assert/strict';
import type { JsonObject } from '../jsonObject.ts';
import { chainHash } from '../rails/evm.ts';
import { mcpToolBazaar, postBazaar } from './bazaar.ts';
import { AMOUNT, payloadV1, RAIL } from './fixture.ts';
import { readPayment } from './payment.ts';
import { envelope, openEnvelope } from './envelope.ts';
import { chainNameV1, chainNameV2 } from './rail.ts';
import { receiptHeaders } from './receipt.ts';
import { offerV1, offerV2, paymentRequiredV2 } from './terms.ts';
import { receiveTypedData, transferTypedData } from './typedData.ts';

const TERMS = { rail: RAIL, amount: AMOUNT, resource: 'https://hub.example/p', description: 'P.' };
const OFFER = {
  scheme: 'exact',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  maxTimeoutSeconds: 120,
  extra: { name: 'USD Coin', version: '2' },
};

describe('the terms of a 402', () => {
  it('name chain, token and receiver as each version writes them', () => {
    assert.deepEqual(offerV1(TERMS), {
      ...OFFER,
      network: 'base',
      maxAmountRequired: '10000',
      resource: 'https://hub.example/p',
      description: 'P.',
      mimeType: 'application/json',
    });
    assert.deepEqual(offerV2(TERMS), { ...OFFER, network: 'eip155:8453', amount: '10000' });
  });

  it('say in version 2 why there is no answer yet, and how it is called when that is known', () => {
    const required = {
      x402Version: 2,
      error: 'Pay first.',
      resource: { url: 'https://hub.example/p', description: 'P.', mimeType: 'application/json' },
      accepts: [{ ...OFFER, network: 'eip155:8453', amount: '10000' }],
    };
    assert.deepEqual(paymentRequiredV2(TERMS, 'Pay first.'), required);
    const bazaar = postBazaar({ a: 1 });
    assert.deepEqual(paymentRequiredV2({ ...TERMS, bazaar }, 'Pay first.'), {
      ...required,
      extensions: { bazaar },
    });
  });

  it('name a chain without a word of version 1 by its number', () => {
    const names: readonly (readonly [number, string])[] = [
      [84_532, 'base-sepolia'],
      [137, 'polygon'],
      [31_337, 'eip155:31337'],
    ];
    for (const [chainId, name] of names) assert.equal(chainNameV1({ chainId }), name);
    assert.equal(chainNameV2({ chainId: 31_337 }), 'eip155:31337');
  });
});

const schema = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { input: { type: 'object', properties, required, additionalProperties: false } },
  required: ['input'],
});

describe('the description of what is paid for', () => {
  it('names a tool of MCP with its schema', () => {
    const inputSchema = { type: 'object', required: ['from'] };
    assert.deepEqual(mcpToolBazaar({ name: 'convert', description: 'Converts.', inputSchema }), {
      info: {
        input: {
          type: 'mcp',
          toolName: 'convert',
          description: 'Converts.',
          transport: 'streamable-http',
          inputSchema,
        },
      },
      schema: schema(
        {
          type: { type: 'string', const: 'mcp' },
          toolName: { type: 'string' },
          description: { type: 'string' },
          transport: { type: 'string', enum: ['streamable-http', 'sse'] },
          inputSchema: { type: 'object' },
        },
        ['type', 'toolName', 'inputSchema'],
      ),
    });
  });

  it('fits into a header: a text of 200 characters and a schema of 1,500', () => {
    const inputOf = (description: string, inputSchema?: JsonObject): JsonObject =>
      mcpToolBazaar({ name: 'a', description, ...(inputSchema && { inputSchema }) }).info.input;
    assert.equal(inputOf('x'.repeat(201))['description'], 'x'.repeat(200));
    const sized = (length: number): JsonObject => {
      const rest = JSON.stringify({ type: 'object', title: '' }).length;
      return { type: 'object', title: 'x'.repeat(length - rest) };
    };
    assert.deepEqual(inputOf('A.', sized(1_500))['inputSchema'], sized(1_500));
    assert.deepEqual(inputOf('A.', sized(1_501))['inputSchema'], { type: 'object' });
    assert.deepEqual(inputOf('A.')['inputSchema'], { type: 'object' });
  });

  it('names an operation that takes JSON, with an example', () => {
    assert.deepEqual(postBazaar({ operation: 'look' }), {
      info: {
        input: { type: 'http', method: 'POST', bodyType: 'json', body: { operation: 'look' } },
      },
      schema: schema(
        {
          type: { type: 'string', const: 'http' },
          method: { type: 'string', enum: ['POST'] },
          bodyType: { type: 'string', enum: ['json'] },
          body: { type: 'object' },
        },
        ['type', 'method', 'bodyType', 'body'],
      ),
    });
  });
});

describe('the receipt of a payment', () => {
  const opened = (headers: Readonly<Record<string, string>>) =>
    Object.entries(headers).map(([name, text]) => {
      const held = openEnvelope(text);
      return [name, held.ok ? held.value : held.why];
    });
  const payer = '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a';

  it('names the transaction of one that settled, in the words of both versions', () => {
    const transaction = chainHash(`0x${'ab'.repeat(32)}`);
    const settled = { success: true, transaction, payer };
    const receipt = { rail: RAIL, payer, transaction, amount: '10000' };
    assert.deepEqual(opened(receiptHeaders(receipt)), [
      ['x-payment-response', { ...settled, network: 'base' }],
      ['payment-response', { ...settled, network: 'eip155:8453', amount: '10000' }],
    ]);
  });

  it('names the reason of one that was refused, and an empty transaction', () => {
    const fault = 'insufficient_funds';
    const refused = { success: false, errorReason: fault, transaction: '', payer };
    assert.deepEqual(opened(receiptHeaders({ rail: RAIL, payer, fault })), [
      ['x-payment-response', { ...refused, network: 'base' }],
      ['payment-response', { ...refused, network: 'eip155:8453' }],
    ]);
  });
});

describe('the data that a wallet signs', () => {
  const fields = [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ];
  const signed = {
    domain: {
      name: 'USD Coin',
      version: '2',
      chainId: 8_453,
      verifyingContract: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    },
    message: {
      from: '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a',
      to: '0x209693bc6afc0c5328ba36faf03c514ef312287c',
      value: 10_000n,
      validAfter: 1_740_672_089n,
      validBefore: 1_740_672_154n,
      nonce: '0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480',
    },
  };

  it('is one order of EIP-3009 in the domain of the token, for any sender or for the receiver', () => {
    const read = readPayment({ v1: envelope(payloadV1()), v2: undefined });
    assert.ok(read !== undefined && 'authorization' in read);
    const { authorization } = read;
    assert.deepEqual(transferTypedData(RAIL, authorization), {
      types: { TransferWithAuthorization: fields },
      primaryType: 'TransferWithAuthorization',
      ...signed,
    });
    assert.deepEqual(receiveTypedData(RAIL, authorization), {
      types: { ReceiveWithAuthorization: fields },
      primaryType: 'ReceiveWithAuthorization',
      ...signed,
    });
  });
});
