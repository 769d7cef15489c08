import assert from 'node:assert/strict';
import { keyIdOf } from '../account.ts';
import {
  domainProofs,
  hasRecords,
  isByDomain,
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
    const keys = Array.from({ length: 21 }, (_, n) => keyIdOf(new Uint8Array(32).fill(n + 1)));
    const twice = [...keys, ...keys].map(keyToken).join(' ');
    assert.deepEqual(keysInText(twice), keys.slice(0, 20));
    assert.deepEqual(keysInRecords(keys), keys.slice(0, 20));
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

  it('are read up to 20,000', () => {
    const list = (count: number) => Array.from({ length: count }, (_, n) => `${n}`);
    assert.equal(stringsIn(list(20_000)).length, 20_000);
    assert.equal(stringsIn(list(20_001)).length, 20_000);
  });

  it('are found in a value that is nested deep', () => {
    let deep: unknown = 'bottom';
    for (let n = 0; n < 50_000; n += 1) deep = [deep];
    assert.deepEqual(stringsIn(deep), ['bottom']);
  });
});

describe('the proofs of a domain for a key', () => {
  const document = (origin: string) => ({
    method: 'well-known',
    where: `${origin}/.well-known/hub.json`,
    value: `{"key":"${KEY}"}`,
  });

  it('are a record at the host without its port, or a document at the origin', () => {
    const origin = 'https://agent.example.com:8443';
    const where = '_agent.agent.example.com';
    assert.deepEqual(domainProofs(origin, KEY), [
      { method: 'dns', where, value: `hub-key=${KEY}` },
      document(origin),
    ]);
  });

  it('are the document alone where no record can be', () => {
    for (const origin of ['https://9.9.9.9', 'http://[::1]:4030', 'http://localhost:4030']) {
      assert.deepEqual(domainProofs(origin, KEY), [document(origin)]);
    }
  });

  it('hold a listing, and a text at its endpoint does not', () => {
    assert.deepEqual(['dns', 'well-known'].map(isByDomain), [true, true]);
    assert.deepEqual(['text', '', undefined, ['dns']].map(isByDomain), Array(4).fill(false));
  });
});

describe('hosts with records', () => {
  it('are names with a domain', () => {
    assert.deepEqual(['agent.example.com', 'a.lan', '1a.example'].map(hasRecords), [
      true,
      true,
      true,
    ]);
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', '']) {
      assert.equal(hasRecords(host), false, host);
    }
  });
});
