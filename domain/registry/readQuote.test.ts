import assert from 'node:assert/strict';
import { quotedNetwork, readA2aQuote, readHttpQuote, readMcpQuote } from './readQuote.ts';

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

describe('a price that is quoted', () => {
  const quoteOf = (accept: object, version = 1) => {
    const verdict = http({ x402Version: version, accepts: [accept] });
    return verdict?.kind === 'quote' ? verdict.quote : undefined;
  };

  it('is in USDC of a network that the hub knows, by either name of it', () => {
    const networks = [
      ['base', 'eip155:8453', BASE],
      ['base-sepolia', 'eip155:84532', SEPOLIA],
      ['ethereum', 'eip155:1', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
      ['polygon', 'eip155:137', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'],
      ['avalanche', 'eip155:43114', '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'],
      [
        'solana',
        'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
        'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      ],
    ] as const;
    for (const [name, caip, asset] of networks) {
      for (const network of [name, caip]) {
        const { price, x402Version } = quoteOf(v1('7', { network, asset })) ?? {};
        assert.deepEqual(price, { amount: 7n, asset: 'USDC', network: name, payTo });
        assert.equal(x402Version, network === name ? 1 : 2);
      }
      assert.equal(quotedNetwork(caip), name);
      assert.equal(quotedNetwork(name), name);
      assert.equal(quoteOf(v1('7', { network: name, asset: `${asset}0` })), undefined);
    }
    assert.equal(quotedNetwork('eip155:5'), 'eip155:5');
  });

  it('is stored in the form of its version, without members that no payer reads', () => {
    const first = v1('10', { description: 'A call', mimeType: 'text/plain', junk: 1 });
    assert.deepEqual(quoteOf(first), {
      x402Version: 1,
      scheme: 'exact',
      price: { amount: 10n, asset: 'USDC', network: 'base', payTo },
      accept: {
        scheme: 'exact',
        asset: BASE,
        payTo,
        maxTimeoutSeconds: 60,
        extra: { name: undefined, version: undefined },
        network: 'base',
        maxAmountRequired: '10',
        resource: 'https://a.example/x',
        description: 'A call',
        mimeType: 'text/plain',
      },
    });
    const second = v2('10', { maxTimeoutSeconds: 86_400, extra: { name: 'USDC', version: '2' } });
    assert.deepEqual(quoteOf(second, 2)?.accept, {
      scheme: 'exact',
      asset: SEPOLIA,
      payTo,
      maxTimeoutSeconds: 86_400,
      extra: { name: 'USDC', version: '2' },
      network: 'eip155:84532',
      amount: '10',
    });
  });

  it('has a minute to be paid where it names no time of up to a day', () => {
    const cases = [
      [1, 1],
      [1.6, 2],
      [86_400, 86_400],
      [86_401, 60],
      [0, 60],
      ['30', 60],
    ] as const;
    for (const [given, kept] of cases) {
      const { accept } = quoteOf(v2('1', { maxTimeoutSeconds: given }), 2) ?? {};
      assert.equal(accept?.['maxTimeoutSeconds'], kept, String(given));
    }
  });

  it('is the cheapest of the first fifty ways, and never nothing', () => {
    const many = Array.from({ length: 60 }, (_, nth) => v1(`${100 - nth}`));
    assert.deepEqual(priced(http({ accepts: many })), [1, '51', 'base']);
    const free = { accepts: [v1('0'), v1('9')] };
    assert.deepEqual(priced(http(free)), [1, '9', 'base']);
    assert.equal(priced(http({ accepts: [v1('0')] })), 'no-price');
  });

  it('is of the header before the body, and of the body when the header has none', () => {
    const both = http({ x402Version: 1, accepts: [v1('3')] }, header({ accepts: [v1('8')] }));
    assert.deepEqual(priced(both), [1, '8', 'base']);
    const unknown = header({ x402Version: 2, accepts: [v2('8', { scheme: 'upto' })] });
    assert.deepEqual(priced(http({ accepts: [v1('3')] }, unknown)), [1, '3', 'base']);
  });

  it('is missing with the reason for it', () => {
    const none = 'without an `accepts` list that can be read.';
    const unknown =
      'with no way to pay that the hub knows: scheme exact, USDC, a whole amount above 0 and a payTo.';
    const upto = { x402Version: 1, accepts: [v1('1', { scheme: 'upto' })] };
    const waiting = (required: unknown) => ({
      status: {
        message: {
          metadata: {
            'x402.payment.status': 'payment-required',
            'x402.payment.required': required,
          },
        },
      },
    });
    const cases = [
      [http('pay'), `It answered 402 ${none}`, false],
      [http(upto), `It answered 402 ${unknown}`, true],
      [readMcpQuote({ error: { code: 402 } }), `It answered error 402 ${none}`, false],
      [
        readMcpQuote({ result: { isError: true, structuredContent: upto } }),
        `Its refusal asks for payment ${unknown}`,
        true,
      ],
      [readA2aQuote(waiting(7)), `Its task waits for payment ${none}`, false],
      [readA2aQuote(waiting(upto)), `Its task waits for payment ${unknown}`, true],
    ] as const;
    for (const [verdict, message, isX402] of cases) {
      assert.equal(verdict?.kind, 'no-price');
      assert.deepEqual([verdict.message, verdict.isX402], [message, isX402]);
    }
  });
});
