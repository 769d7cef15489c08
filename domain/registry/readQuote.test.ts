import assert from 'node:assert/strict';
import { readA2aQuote, readHttpQuote, readMcpQuote } from './readQuote.ts';

const BASE = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const SEPOLIA = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
const payTo = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const v1 = (amount: string, more = {}) => ({
  scheme: 'exact',
  network: 'base',
  maxAmountRequired: amount,
  asset: BASE,
  payTo,
  resource: 'https://a.example/x',
  ...more,
});
const v2 = (amount: string, more = {}) => ({
  scheme: 'exact',
  network: 'eip155:84532',
  amount,
  asset: SEPOLIA,
  payTo,
  maxTimeoutSeconds: 60,
  ...more,
});
const header = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
const http = (body: unknown, paymentRequired?: string, status = 402) =>
  readHttpQuote({ status, paymentRequired, body });
const priced = (verdict: ReturnType<typeof http>) =>
  verdict?.kind === 'quote'
    ? [verdict.quote.x402Version, String(verdict.quote.price.amount), verdict.quote.price.network]
    : verdict?.kind;

describe('x402 quotes', () => {
  it('reads version 1 in the body and version 2 in the header', () => {
    const first = { x402Version: 1, error: 'x', accepts: [v1('10000'), v1('900')] };
    assert.deepEqual(priced(http(first)), [1, '900', 'base']);
    const second = { x402Version: 2, accepts: [v2('77')] };
    assert.deepEqual(priced(http({}, header(second))), [2, '77', 'base-sepolia']);
    assert.deepEqual(priced(http(second)), [2, '77', 'base-sepolia'], 'in the body alone');
    assert.deepEqual(priced(http(first, '%%%not base64')), [1, '900', 'base'], 'broken header');
    assert.deepEqual(priced(http({}, header([v2('5')]))), [2, '5', 'base-sepolia'], 'bare list');
  });

  it('takes no price from what it does not know', () => {
    for (const accepts of [
      [],
      [v1('10', { scheme: 'upto' })],
      [v1('10', { asset: '0x00' })],
      [v1('10', { network: 'sandbox' })],
      [v1('1.5')],
      [v1('-1')],
      [v1('10', { payTo: undefined })],
      [v1('10', { maxAmountRequired: 10 })],
      [null, 7, 'x', [[]]],
    ]) {
      assert.equal(priced(http({ x402Version: 1, accepts })), 'no-price');
    }
    assert.equal(priced(http('payment please')), 'no-price');
    assert.equal(priced(http(undefined)), 'no-price');
    assert.equal(http({ x402Version: 1, accepts: [v1('10')] }, undefined, 200), undefined);
  });

  it('reads the three forms at an MCP door, and leaves a success alone', () => {
    const required = { x402Version: 2, accepts: [v2('8')] };
    const text = JSON.stringify(required);
    const content = [{ type: 'text', text }];
    const result = { isError: true, structuredContent: required, content };
    assert.deepEqual(priced(readMcpQuote({ result })), [2, '8', 'base-sepolia']);
    const bare = { isError: true, content };
    assert.deepEqual(priced(readMcpQuote({ result: bare })), [2, '8', 'base-sepolia']);
    const wild = JSON.stringify({ 'x402/error': { code: 402, data: required } });
    const odd = { isError: true, content: [{ type: 'text', text: wild }] };
    assert.deepEqual(priced(readMcpQuote({ result: odd })), [2, '8', 'base-sepolia']);
    const error = { code: 402, message: 'pay', data: { x402Version: 1, accepts: [v1('3')] } };
    assert.deepEqual(priced(readMcpQuote({ error })), [1, '3', 'base']);
    assert.equal(readMcpQuote({ result: { structuredContent: required, content } }), undefined);
    assert.equal(readMcpQuote({ result: { isError: true, content: [] } }), undefined);
    assert.equal(readMcpQuote({ error: { code: -32602, message: 'no' } }), undefined);
  });

  it('reads a task that waits for payment', () => {
    const metadata = {
      'x402.payment.status': 'payment-required',
      'x402.payment.required': { x402Version: 1, accepts: [v1('4')] },
    };
    const task = { status: { state: 'input-required', message: { metadata } } };
    assert.deepEqual(priced(readA2aQuote(task)), [1, '4', 'base']);
    assert.equal(readA2aQuote({ status: { state: 'completed' } }), undefined);
    assert.equal(readA2aQuote(null), undefined);
  });
});
