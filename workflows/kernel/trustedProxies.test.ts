import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { parseTrustedProxies } from './trustedProxies.ts';

describe('callers behind proxies', () => {
  const caller = (list: string, peer: string, headers: IncomingMessage['headers']): string => {
    const proxies = parseTrustedProxies(list);
    assert.ok(proxies !== undefined, list);
    const socket = { remoteAddress: peer } as IncomingMessage['socket'];
    return proxies.callerOf({ headers, socket });
  };
  const PROXIES = '10.0.0.0/8, fd00::/8';

  const CASES: readonly (readonly [string, string, IncomingMessage['headers'], string])[] = [
    ['no address is believed without a list', '', { 'x-forwarded-for': '1.1.1.1' }, '10.0.0.1'],
    ['one hop', PROXIES, { 'x-forwarded-for': '203.0.113.9' }, '203.0.113.9'],
    [
      'what the caller put in front',
      PROXIES,
      { 'x-forwarded-for': '1.1.1.1, 203.0.113.9' },
      '203.0.113.9',
    ],
    [
      'two proxies',
      PROXIES,
      { 'x-forwarded-for': '1.1.1.1, 203.0.113.9, 10.9.9.9' },
      '203.0.113.9',
    ],
    ['proxies alone', PROXIES, { 'x-forwarded-for': '10.1.1.1, 10.2.2.2' }, '10.1.1.1'],
    ['a port', PROXIES, { 'x-forwarded-for': '203.0.113.9:4711' }, '203.0.113.9'],
    ['no address', PROXIES, { 'x-forwarded-for': '203.0.113.9, unknown' }, '10.0.0.1'],
    [
      'Forwarded',
      PROXIES,
      { forwarded: 'for=1.1.1.1, for="[2001:db8::7]:80";proto=https' },
      '2001:db8::7',
    ],
    [
      'Forwarded in version 4',
      PROXIES,
      { forwarded: 'proto=http;For=203.0.113.9;by=10.0.0.1' },
      '203.0.113.9',
    ],
    ['a mapped address', PROXIES, { 'x-forwarded-for': '::ffff:203.0.113.9' }, '203.0.113.9'],
    [
      'both headers',
      PROXIES,
      { forwarded: 'for=1.1.1.1', 'x-forwarded-for': '2.2.2.2' },
      '10.0.0.1',
    ],
    ['neither', PROXIES, {}, '10.0.0.1'],
  ];
  for (const [what, list, headers, expected] of CASES) {
    it(`are found: ${what}`, () => assert.equal(caller(list, '10.0.0.1', headers), expected));
  }

  it('are themselves without a proxy, whatever their headers name', () => {
    assert.equal(caller(PROXIES, '203.0.113.5', { 'x-forwarded-for': '1.1.1.1' }), '203.0.113.5');
  });

  it('are not looked for by a list with a typing error', () => {
    for (const list of [
      '10.0.0.0/33',
      '10.0.0',
      'proxy.lan',
      '10.0.0.1/8/8',
      '::1/129',
      '10.0.0.1/x',
    ]) {
      assert.equal(parseTrustedProxies(list), undefined, list);
    }
  });
});
