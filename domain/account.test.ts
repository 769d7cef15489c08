import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  accountClass,
  houseAccount,
  keyAccount,
  keyBytes,
  keyIdOf,
  parseAccount,
  parseKeyId,
} from './account.ts';

const BYTES = Uint8Array.from({ length: 32 }, (_, place) => place + 1);
const KEY = '4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw';
/** Another reader would take each of them for the same key, or for a shorter one. */
const NO_KEYS = [
  ...['', 'x', KEY.slice(0, -1), `1${KEY}`, ` ${KEY}`, `${KEY} `],
  ...[`0${KEY.slice(1)}`, `O${KEY.slice(1)}`, `l${KEY.slice(1)}`, '1'.repeat(31), '1'.repeat(33)],
  ...['z'.repeat(44), '1'.repeat(45), `key:${KEY}`],
];

describe('the id of a key', () => {
  it('is the base58 of its 32 bytes', () => {
    assert.equal(keyIdOf(BYTES), KEY);
    assert.deepEqual(keyBytes(KEY), BYTES);
    assert.deepEqual(keyBytes(KEY), BYTES, 'the second time too');
    assert.equal(parseKeyId(KEY), KEY);
    const [zeros, ones] = [new Uint8Array(32), new Uint8Array(32).fill(255)];
    assert.equal(keyIdOf(zeros), '1'.repeat(32));
    assert.deepEqual(keyBytes('1'.repeat(32)), zeros);
    assert.deepEqual(keyBytes(keyIdOf(ones)), ones);
  });

  it('leads back to its bytes, whichever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const id = keyIdOf(bytes);
        assert.deepEqual([keyBytes(id), keyBytes(id)], [bytes, bytes]);
        assert.equal(parseKeyId(id), id);
        assert.equal(parseAccount(id), keyAccount(id));
      }),
    );
  });

  it('is the only text of its bytes', () => {
    const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
    const unit = fc.constantFrom(...letters);
    let keys = 0;
    fc.assert(
      fc.property(fc.string({ unit, minLength: 42, maxLength: 44 }), (text) => {
        const bytes = keyBytes(text);
        if (bytes === undefined) return;
        keys += 1;
        assert.equal(keyIdOf(bytes), text);
      }),
    );
    assert.ok(keys > 10, `${keys} keys`);
  });

  it('is not looked for in a long text', () => {
    assert.equal(keyBytes('z'.repeat(60_000)), undefined);
  });

  it('is no other text', () => {
    for (const text of NO_KEYS) {
      assert.equal(keyBytes(text), undefined, text);
      assert.equal(parseKeyId(text), undefined, text);
    }
  });

  it('is made of 32 bytes alone', () => {
    for (const length of [0, 31, 33]) {
      const make = (): unknown => keyIdOf(new Uint8Array(length));
      assert.throws(make, new RangeError('a public key has 32 bytes'));
    }
  });
});

describe('the name of an account', () => {
  const WALLET = `evm:0x${'0123456789abcdef'.repeat(2)}01234567`;

  it('is canonical, and that of a bare key id too', () => {
    const account = keyAccount(keyIdOf(BYTES));
    assert.equal(account, `key:${KEY}`);
    for (const text of [KEY, `key:${KEY}`]) assert.equal(parseAccount(text), account);
    const house = ['hub:fees', 'hub:a-1', 'external:chain:base', 'external:x:A-1:b'];
    for (const text of [WALLET, ...house]) assert.equal(parseAccount(text), text);
  });

  it('is no other text', () => {
    const wrong = [
      ...['', 'alice', 'key:', `Key:${KEY}`, `key: ${KEY}`, `key:key:${KEY}`, 'did:x:y', 'hub'],
      ...['evm:', `${WALLET}0`, WALLET.slice(0, -1), WALLET.toUpperCase(), `x${WALLET}`],
      ...[WALLET.replace('0x', ''), WALLET.replace('f', 'g'), `${WALLET}\n`],
      ...['hub:', 'hub:Fees', 'hub:1', 'hub:fees:', 'hub:fees x', 'xhub:fees', 'hub:fees\n'],
      ...['hub:fees:_', 'external:', 'internal:x', 'hub::fees'],
    ];
    for (const text of [...wrong, ...NO_KEYS.slice(0, -1)]) {
      assert.equal(parseAccount(text), undefined, JSON.stringify(text));
    }
  });

  it('belongs to the house, to the outside or to a user', () => {
    assert.equal(accountClass(houseAccount('hub:fees')), 'hub');
    assert.equal(accountClass(houseAccount('external:chain:base')), 'external');
    for (const text of [WALLET, KEY]) {
      const account = parseAccount(text);
      assert.ok(account !== undefined);
      assert.equal(accountClass(account), 'user');
    }
  });

  it('is a bug when it is of the house and none of its names', () => {
    const make = (): unknown => houseAccount('hub:Fees');
    assert.throws(make, new RangeError('not a house account: hub:Fees'));
  });
});
