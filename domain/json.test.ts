import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sha256Hex } from './digest.ts';
import { canonical, parseJson, parseJsonInSteps } from './json.ts';
import { JSON_DEPTH_MAX } from './jsonScan.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const parse = (text: string): unknown => JSON.parse(text);
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** text -> a word of the refusal, and the pointer it names. */
const REFUSED: readonly (readonly [string, string, string?])[] = [
  ['', 'not JSON'],
  ['{"a":1,}', 'not JSON'],
  ["{'a':1}", 'not JSON'],
  ['{"a":01}', 'not JSON'],
  ['{"a":NaN}', 'not JSON'],
  ['{"a":1} x', 'not JSON'],
  ['"tab\there"', 'not JSON'],
  ['\ufeff{}', 'BOM'],
  ['{"a":1,"a":1}', 'twice', '/a'],
  ['{"a":1,"\\u0061":2}', 'twice', '/a'],
  ['{"a" :1,"a"\n:2}', 'twice', '/a'],
  ['{"":1,"":2}', 'twice', '/'],
  ['{"x":[0,{"k/~":{"b":1,"b":2}}]}', 'twice', '/x/1/k~1~0/b'],
  ['{"a":"\\ud800"}', 'surrogate', '/a'],
  ['{"a":["x","\\udc00\\ud800"]}', 'surrogate', '/a/1'],
  ['{"a":"\\ud83d \\ude00"}', 'surrogate', '/a'],
  ['{"a":"\\ud800\\\\udc00"}', 'surrogate', '/a'],
  ['{"a":"\\udc01\\udc00"}', 'surrogate', '/a'],
  ['{"a":{"\\udfff":1}}', 'surrogate', '/a'],
  ['{"a":9007199254740992}', '2^53', '/a'],
  ['[1,-9007199254740992]', '2^53', '/1'],
  ['123456789012345678901234567890', '2^53'],
  ['[1,-2.5,3e1,9007199254740992]', '2^53', '/3'],
  ['{"a":[0.1,[2,1e400]]}', '2^53', '/a/1/1'],
  [`[0.5,1${'0'.repeat(310)}.5]`, '2^53', '/1'],
  ['[1,2.5,]', 'not JSON'],
  ['[1.2.3,4]', 'not JSON'],
  ['[1,,2]', 'not JSON'],
  ['[-,1]', 'not JSON'],
  ['{"a":1e400}', '2^53', '/a'],
  ['{"a":-1E+999}', '2^53', '/a'],
  ['{"__proto__":{"admin":true}}', '__proto__', '/__proto__'],
  ['{"\\u005f_proto__":1}', '__proto__', '/__proto__'],
  [`{"a":0.${'1'.repeat(1_000)}}`, '1000 characters', '/a'],
  ['{"a":"\\uzzzz"}', 'not JSON'],
  ['{"\\x":1}', 'not JSON'],
  ['{"a":"', 'not JSON'],
  [nested(JSON_DEPTH_MAX + 1), 'deeper', '/0'.repeat(JSON_DEPTH_MAX)],
  [nested(100_000), 'deeper', '/0'.repeat(JSON_DEPTH_MAX)],
];

const ACCEPTED: readonly string[] = [
  'null',
  ' [ ] ',
  '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
  '{"a":"a\\":","b":":","c":"{\\"a\\":1,\\"a\\":2}"}',
  '{"\\\\":1,"\\"":2,"\\\\\\"":3}',
  '{"a":"\\ud83d\\ude00","b":"😀","c":"\\\\ud800"}',
  '[9007199254740991,-9007199254740991,0.1,1e300,-0,1E-400,123456789.123456789012345]',
  '[0.1,-2 , 3,4.5e-7,{"a":[1,2]},"x",6]',
  `[1${'0'.repeat(290)}.5,-0.${'1'.repeat(290)}]`,
  '{"constructor":1,"toString":2,"hasOwnProperty":3}',
  nested(JSON_DEPTH_MAX),
];

describe('parseJson', () => {
  for (const [text, word, pointer] of REFUSED) {
    it(`refuses ${text.slice(0, 48)} (${word})`, () => {
      const parsed = parseJson(bytes(text));
      assert.ok(!parsed.ok);
      assert.ok(parsed.why.includes(word), parsed.why);
      assert.equal(parsed.pointer, pointer);
    });
  }

  for (const text of ACCEPTED) {
    it(`accepts ${text.slice(0, 48)} as JSON.parse reads it`, () => {
      assert.deepEqual(parseJson(bytes(text)), { ok: true, value: parse(text) });
    });
  }

  it('refuses bytes that are not UTF-8, overlong and surrogate forms included', () => {
    for (const bad of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
      const parsed = parseJson(Uint8Array.from([0x22, ...bad, 0x22]));
      assert.deepEqual(parsed, { ok: false, why: 'the body is not valid UTF-8' });
    }
  });

  it('says at which character a text stops being JSON, where the engine does', () => {
    const refused = (text: string): unknown => parseJson(bytes(text));
    const why = 'the body is not JSON';
    assert.deepEqual(refused('{"a":1} x'), { ok: false, why: `${why} (offset 8)` });
    assert.deepEqual(refused('[1,2,3,4,5,6] x'), { ok: false, why: `${why} (offset 14)` });
    assert.deepEqual(refused(''), { ok: false, why });
  });

  it('reads a long body as a short one, wherever a character is cut', () => {
    for (const shift of [0, 1]) {
      const text = 'x'.repeat(shift) + 'é'.repeat(40_000);
      const body = bytes(`"${text}"`);
      assert.deepEqual(parseJson(body), { ok: true, value: text });
      const cut = parseJson(body.subarray(0, 65_534 + shift));
      assert.deepEqual(cut, { ok: false, why: 'the body is not valid UTF-8' });
    }
  });

  it('accepts whatever JSON.stringify writes, and the value is the same', () => {
    const value = fc.jsonValue({ noUnicodeString: false, maxDepth: 6 });
    fc.assert(
      fc.property(value, fc.integer({ min: 0, max: 3 }), (sent, indent) => {
        const text = JSON.stringify(sent, null, indent);
        fc.pre(!text.includes('__proto__') && !/\\u(?:[dD][89a-fA-F]|0000)/.test(text));
        fc.pre(!/\d{16}/.test(text));
        assert.deepEqual(parseJson(bytes(text)), { ok: true, value: parse(text) });
      }),
    );
  });

  it('takes time in proportion to the body, whatever the body is made of', () => {
    const size = 1_000_000;
    const hostile = [
      `"${'\\\\'.repeat(size / 2)}"`,
      `[${'"",'.repeat(size / 3)}"\\n"]`,
      `"${'a'.repeat(size)}"`,
      `[${'1,'.repeat(size / 2)}1]`,
      `{${Array.from({ length: size / 10 }, (_, index) => `"${index}":0`).join(',')}}`,
      `{"a"${' '.repeat(size)}:1}`,
    ];
    for (const text of hostile) {
      const body = bytes(text);
      // Processor time, not the wall's: how busy the machine is says nothing about the code.
      const begun = process.cpuUsage();
      assert.ok(parseJson(body, Infinity).ok);
      const ms = process.cpuUsage(begun).user / 1000;
      assert.ok(ms < 1000, `${text.slice(0, 10)} took ${ms} ms`);
    }
  });
});

describe('parseJsonInSteps', () => {
  it('says the same as in one go, wherever its steps end', () => {
    const filler = [
      '"\\n",'.repeat(9_000),
      '"é😀",'.repeat(4_000),
      `"${'\\u00e9'.repeat(9_000)}",`,
      '-0.12345,'.repeat(9_000),
    ];
    for (const [text] of REFUSED.filter(([each]) => each.startsWith('{'))) {
      for (const long of filler) {
        const body = bytes(`[${long}${text}]`);
        const steps = parseJsonInSteps(body);
        let [count, last] = [0, steps.next()];
        for (; last.done !== true; last = steps.next()) count += 1;
        assert.ok(count > 0);
        assert.ok(!last.value.ok);
        assert.deepEqual(last.value, parseJson(body));
      }
    }
  });

  it('counts members of every depth and says how many it takes', () => {
    for (const text of ['[1,2,3]', '{"a":1,"b":[2]}', '[[[]]]']) {
      assert.ok(parseJson(bytes(text), 3).ok, text);
      const over = parseJson(bytes(text), 2);
      assert.deepEqual(over, { ok: false, why: 'the body has more than 2 members' });
    }
  });

  it('gives way again and again on the largest bodies, and stops at the first member over', () => {
    const size = 2_000_000;
    for (const [text, least, most] of [
      [`"${'\\n'.repeat(size / 2)}"`, 80, 100],
      [`["a"${' '.repeat(size)}]`, 100, 200],
      [`[${'{},'.repeat(size / 3)}{}]`, 60, 70],
    ] as const) {
      let count = 0;
      for (const step of parseJsonInSteps(bytes(text))) {
        assert.equal(step, undefined);
        count += 1;
      }
      assert.ok(count >= least && count <= most, `${text.slice(0, 8)}: ${count}`);
    }
  });
});

describe('canonical', () => {
  it('orders keys by UTF-16 code unit and writes RFC 8785 numbers and escapes', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    const order = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
    assert.deepEqual(parse(canonical(value)), value);
    assert.deepEqual(
      [...canonical(value).matchAll(/"([^"]+)":/g)].map((match) => parse(`"${match[1]}"`)),
      order,
    );
    assert.equal(
      canonical([333333333.33333329, 1e30, 4.5, 2e-3, 1e-27, -0, '€$\u000f\nA\'B"\\\\"/']),
      '[333333333.3333333,1e+30,4.5,0.002,1e-27,0,"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"]',
    );
  });

  it('gives the terms digest of choices tasks.terms', () => {
    const terms = {
      v: 1,
      id: '11111111-2222-4333-8444-555555555555',
      revision: 1,
      requester: 'hub:starter',
      mode: 'exclusive',
      title: 'Say hello',
      description: 'Deliver any text with the token.',
      requiredSkills: [],
      tags: ['starter'],
      input: null,
      reward: { amount: '50000', asset: 'USDC', network: 'sandbox' },
      fees: { judgesBps: 0, hubBps: 300 },
      verification: 'requester',
      acceptance: { kind: 'contains', mode: 'all', values: ['welcome-7'] },
      windows: { disputeWindowSeconds: 0, autoAcceptSeconds: 60 },
      target: null,
      conduct: null,
      maxAttempts: 3,
      deadline: '2026-12-01T00:00:00Z',
    };
    assert.equal(
      sha256Hex(canonical(terms)),
      '816d08f1ea030a1f5fafe61ee9b37a38faa4bdeca3d8566ff7155fbc0e72acce',
    );
  });

  it('throws on what JSON cannot carry instead of leaving it out', () => {
    for (const [value, why] of [
      [undefined, 'not a JSON value: undefined'],
      [NaN, 'not a JSON number: NaN'],
      [Infinity, 'not a JSON number: Infinity'],
      [1n, 'not a JSON value: bigint'],
      [() => 1, 'not a JSON value: function'],
      [{ a: undefined }, 'not a JSON value: undefined'],
      [['\ud800'], 'a string holds a lone surrogate'],
    ] as const) {
      assert.throws(() => canonical(value), new TypeError(why));
    }
    assert.equal(canonical([true, false, null, {}]), '[true,false,null,{}]');
  });
});
