import assert from 'node:assert/strict';
import { JSON_MEMBERS_MAX, scanJson, type JsonFault } from './jsonScan.ts';

const BIG = '9223372036854775807';
const LONE = 'a string holds a lone surrogate or U+0000';
const inOneGo = (text: string, membersMax = JSON_MEMBERS_MAX): JsonFault | 'more' | 'clear' =>
  scanJson(text, membersMax).step(text.length);
const fault = (why: string, pointer?: string): JsonFault =>
  pointer === undefined ? { ok: false, why } : { ok: false, why, pointer };
const beyond = (quoted: string, pointer: string): JsonFault =>
  fault(`the number ${quoted} is beyond ±(2^53−1); send it as a string`, pointer);
const twice = (key: string): string => `{"${key}":1,"${key}":2}`;

describe('the scan of a JSON text', () => {
  it('says in whole sentences what it refuses, and where', () => {
    assert.deepEqual(inOneGo('"\\ud800"'), fault(LONE));
    assert.deepEqual(inOneGo('[[1],{"a":[2]},"\\u0000"]'), fault(LONE, '/2'));
    assert.deepEqual(inOneGo('{"a":1,"b":{"\\ud800":1}}'), fault(LONE, '/b'));
    assert.deepEqual(inOneGo(twice('a')), fault('the key "a" appears twice in one object', '/a'));
    const proto = 'the key "__proto__" is not accepted';
    assert.deepEqual(inOneGo('{"__proto__":1}'), fault(proto, '/__proto__'));
    assert.equal(inOneGo('["__proto__","__proto__"]'), 'clear');
  });

  it('quotes 40 characters, and no half of a pair', () => {
    const of = (key: string): string => `the key "${key}" appears twice in one object`;
    const whole = 'k'.repeat(40);
    for (const [key, quoted] of [
      [whole, whole],
      [`${whole}k`, `${whole}…`],
      [`${whole.slice(1)}😀`, `${whole.slice(1)}…`],
      [`${whole.slice(2)}😀k`, `${whole.slice(2)}😀…`],
    ] as const) {
      assert.deepEqual(inOneGo(twice(key)), fault(of(quoted), `/${key}`));
    }
    assert.deepEqual(inOneGo(`[${'9'.repeat(41)}]`), beyond(`${'9'.repeat(40)}…`, '/0'));
  });

  it('points at what it refuses with 256 characters, or not at all', () => {
    for (const [length, points] of [
      [255, true],
      [256, false],
    ] as const) {
      const key = 'k'.repeat(length);
      const found = inOneGo(`{"${key}":"\\ud800"}`);
      assert.deepEqual(found, points ? fault(LONE, `/${key}`) : fault(LONE));
    }
  });

  it('takes numbers of 1000 characters', () => {
    const number = (length: number): string => `0.${'1'.repeat(length - 2)}`;
    assert.equal(inOneGo(`[${number(1_000)}]`), 'clear');
    const why = 'a number has over 1000 characters';
    assert.deepEqual(inOneGo(`[${number(1_001)}]`), fault(why, '/0'));
  });

  it('takes bounds of 64 bits in an acceptance rule, and nowhere else', () => {
    const rule = (name: string, value = BIG): string =>
      `{"acceptance":{"schema":{"${name}":${value}}}}`;
    for (const name of ['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum']) {
      assert.equal(inOneGo(rule(name)), 'clear');
      assert.equal(inOneGo(`[${rule(name)}]`), 'clear');
      const place = `/acceptance/schema/${name}`;
      assert.deepEqual(inOneGo(rule(name, '1e400')), beyond('1e400', place));
      assert.deepEqual(inOneGo(rule(name, `[${BIG}]`)), beyond(BIG, `${place}/0`));
      assert.deepEqual(inOneGo(`{"other":{"${name}":${BIG}}}`), beyond(BIG, `/other/${name}`));
    }
    assert.deepEqual(inOneGo(rule('const')), beyond(BIG, '/acceptance/schema/const'));
    assert.deepEqual(inOneGo(BIG), fault(beyond(BIG, '').why));
  });

  it('takes 400000 escapes, and any number where members are not counted', () => {
    const text = (escapes: number): string => `["${'\\n'.repeat(escapes)}"]`;
    assert.equal(inOneGo(text(400_000)), 'clear');
    const over = text(400_001);
    assert.deepEqual(inOneGo(over), fault('the body has more than 400000 escapes'));
    assert.equal(inOneGo(over, Infinity), 'clear');
  });

  it('finds the same however short its steps are', () => {
    const texts = [
      '{"a\\n" : [1,-2, 3e1,-4.5,"x\\u00e9y"],"b":"\\ud83d\\ude00" ,"c":{}}',
      '[1,2,{"a":"\\\\","a" :3}]',
      '{"a":[1,9007199254740992]}',
      '["\\n\\n\\ud800\\n"]',
      '{"a":{"\\ud800\\n" :1}}',
      '["never ends',
    ];
    for (const text of texts) {
      for (const characters of [1, 2, 3, 7]) {
        const scan = scanJson(text, JSON_MEMBERS_MAX);
        let seen = scan.step(characters);
        let steps = 1;
        for (; seen === 'more'; steps += 1) seen = scan.step(characters);
        assert.deepEqual(seen, inOneGo(text), text);
        assert.ok(steps <= Math.ceil(text.length / characters), `${steps} steps of ${text}`);
      }
    }
  });

  it('stops within a list of numbers, a string of escapes and white space', () => {
    for (const text of [
      `[${'1,'.repeat(500)}1]`,
      `["${'\\n'.repeat(500)}"]`,
      `["${'\\u00e9'.repeat(170)}"]`,
      `[${' '.repeat(1_000)}]`,
    ]) {
      const scan = scanJson(text, JSON_MEMBERS_MAX);
      let steps = 1;
      while (scan.step(10) === 'more') steps += 1;
      assert.ok(steps > 80, `${text.slice(0, 8)}: ${steps} steps`);
    }
  });
});
