import assert from 'node:assert/strict';
import {
  contentDigest,
  isKnownComponent,
  signatureBase,
  splitTarget,
  type Message,
} from './base.ts';

const message: Message = {
  method: 'GET',
  target: '/p?',
  path: '/p',
  query: '',
  scheme: 'https',
  authority: undefined,
  hasBody: false,
  field: (name) => (name === 'x-note' ? 'one\ntwo' : undefined),
};

describe('splitTarget', () => {
  const table: readonly (readonly [string, string, string?])[] = [
    ['/', '/'],
    ['/p?', '/p', ''],
    ['/p?a?b=c', '/p', 'a?b=c'],
    ['/a%2Fb/../c;d=e', '/a%2Fb/../c;d=e'],
    ['/p//q?//', '/p//q', '//'],
    ['/?', '/', ''],
  ];
  for (const [target, path, query] of table) {
    it(`leaves ${target} as it came`, () => {
      assert.deepEqual(splitTarget(target), { path, query });
    });
  }

  for (const target of [
    '',
    '*',
    'p',
    '?q',
    '//p',
    '//',
    'http://h/p',
    '/p#f',
    '/p q',
    '/é',
    '/p\n',
  ]) {
    it(`refuses ${JSON.stringify(target)}`, () => {
      assert.equal(splitTarget(target), undefined);
    });
  }
});

describe('signatureBase', () => {
  it('names the covered component that has no value, or none that fits on a line', () => {
    assert.deepEqual(signatureBase(message, ['@method', '@authority'], '()'), {
      ok: false,
      missing: '@authority',
    });
    assert.deepEqual(signatureBase(message, ['x-note'], '()'), { ok: false, missing: 'x-note' });
    assert.deepEqual(signatureBase(message, ['x-gone'], '()'), { ok: false, missing: 'x-gone' });
  });

  it('joins lines with a line feed and ends with the parameters, without one', () => {
    assert.deepEqual(signatureBase(message, ['@query', '@method'], '("@query" "@method")'), {
      ok: true,
      text: '"@query": ?\n"@method": GET\n"@signature-params": ("@query" "@method")',
    });
  });

  it('knows only the components it can compute', () => {
    for (const name of ['@method', '@target-uri', 'x-payment', 'content-digest']) {
      assert.ok(isKnownComponent(name), name);
    }
    for (const name of ['@query-param', '@status', '@toString', '', 'X-Payment', 'a b', 'a"']) {
      assert.ok(!isKnownComponent(name), name);
    }
  });

  it('writes the Content-Digest header', () => {
    const empty = Buffer.from('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', 'base64');
    assert.equal(contentDigest(empty), 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:');
  });
});
