import assert from 'node:assert/strict';
import {
  hasRecords,
  keyInDocument,
  keysInRecords,
  keysInText,
  keyToken,
  stringsIn,
} from './proof.ts';

const KEY = '3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt';
const OTHER = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM';

describe('texts that prove a key', () => {
  it('are tokens of their own', () => {
    const whole = [
      keyToken(KEY),
      `(${keyToken(KEY)})`,
      `Ask.\n${keyToken(KEY)}\nMore.`,
      `v=1;${keyToken(KEY)};p=2`,
    ];
    for (const text of whole) assert.deepEqual(keysInText(text), [KEY], text);
    const none = [`x${keyToken(KEY)}`, `-${keyToken(KEY)}`, `${keyToken(KEY)}x`, 'hub-key=', KEY];
    for (const text of none) assert.deepEqual(keysInText(text), [], text);
    assert.deepEqual(keysInText(keyToken(KEY.slice(0, 40))), [], 'no key of 32 bytes');
    assert.deepEqual(keysInText(`${keyToken(OTHER)} ${keyToken(KEY)} ${keyToken(OTHER)}`), [
      OTHER,
      KEY,
    ]);
  });

  it('are bounded, however many there are', () => {
    const tokens = Array.from({ length: 40 }, (_, n) => keyToken(KEY.slice(0, -1) + 'abcd'[n % 4]));
    assert.ok(keysInText(tokens.join(' ')).length <= 20);
  });

  it('stand in a record as a token or as the whole of it, and in no record of AID', () => {
    assert.deepEqual(keysInRecords([` ${KEY} `]), [KEY]);
    assert.deepEqual(keysInRecords(['v=spf1', `a=1 ${keyToken(OTHER)}`, KEY]), [OTHER, KEY]);
    assert.deepEqual(keysInRecords([`v=aid2;k=1;${keyToken(KEY)}`, `key ${KEY}`]), []);
  });

  it('are the key of the document and nothing else in it', () => {
    assert.equal(keyInDocument({ key: KEY, note: OTHER }), KEY);
    for (const wrong of [undefined, null, KEY, [KEY], {}, { key: 1 }, { key: `${KEY} ` }]) {
      assert.equal(keyInDocument(wrong), undefined);
    }
  });
});

describe('strings of a JSON value', () => {
  it('are all found, in whatever they lie', () => {
    const value = { a: 'one', b: [{ c: ['two', null, 3] }, 'three'], d: false };
    assert.deepEqual([...stringsIn(value)].sort(), ['one', 'three', 'two']);
    assert.deepEqual(stringsIn(null), []);
  });

  it('are found in a value that is nested deep', () => {
    let deep: unknown = 'bottom';
    for (let n = 0; n < 50_000; n += 1) deep = [deep];
    assert.deepEqual(stringsIn(deep), ['bottom']);
  });
});

describe('hosts with records', () => {
  it('are names with a domain', () => {
    assert.deepEqual(['agent.example.com', 'a.lan', '1a.example'].map(hasRecords), [
      true,
      true,
      true,
    ]);
    assert.deepEqual(['127.0.0.1', '[::1]', 'localhost'].map(hasRecords), [false, false, false]);
  });
});
