import assert from 'node:assert/strict';
import { sha256 } from '../digest.ts';
import type { JsonObject } from '../jsonObject.ts';
import { bytesOf, readSdJwt, writeSdJwt, type SdJwt } from './sdJwt.ts';

const SIGNATURE = Uint8Array.from({ length: 64 }, (_, place) => place);
const BY = {
  issuer: 'https://hub.example',
  keyId: 'a key',
  salt: Uint8Array.from({ length: 16 }, () => 7),
  sign: () => SIGNATURE,
};
const CONTENT = { vct: 'a type', constraints: [] };

const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const digestOf = (text: string): string => Buffer.from(sha256(text)).toString('base64url');
const signature = Buffer.from(SIGNATURE).toString('base64url');

/** An SD-JWT of these parts, whatever they are. */
function textOf(
  payload: unknown,
  disclosures: readonly string[] = [],
  header: object = {},
): string {
  const head = encoded({ alg: 'EdDSA', typ: 'dc+sd-jwt', ...header });
  return [`${head}.${encoded(payload)}.${signature}`, ...disclosures, ''].join('~');
}

function mustRead(text: string): SdJwt {
  const read = readSdJwt(text);
  assert.ok(typeof read !== 'string', String(read));
  return read;
}

const mustFail = (text: string, why: RegExp): void => assert.match(String(readSdJwt(text)), why);

describe('writeSdJwt', () => {
  const text = writeSdJwt(CONTENT, BY);

  it('discloses the content behind the signature of its digest', () => {
    const [jwt = '', disclosure = '', end] = text.split('~');
    const [head = '', body = '', tail] = jwt.split('.');
    const parse = (part: string): unknown =>
      JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    assert.deepEqual(parse(head), { alg: 'EdDSA', kid: 'a key', typ: 'mandate+sd-jwt' });
    assert.deepEqual(parse(body), {
      iss: 'https://hub.example',
      delegate_payload: [{ '...': digestOf(disclosure) }],
      _sd_alg: 'sha-256',
    });
    assert.deepEqual(parse(disclosure), ['BwcHBwcHBwcHBwcHBwcHBw', CONTENT]);
    assert.deepEqual([tail, end], [signature, '']);
  });

  it('is read with its content in place, and the bytes that were signed', () => {
    const { payload, signed, signature: read } = mustRead(text);
    assert.deepEqual(payload['delegate_payload'], [CONTENT]);
    assert.equal(Buffer.from(signed).toString(), text.slice(0, text.lastIndexOf('.')));
    assert.deepEqual(Buffer.from(read), Buffer.from(SIGNATURE));
  });
});

describe('readSdJwt', () => {
  const item = encoded(['salt', 'hidden']);
  const member = encoded(['salt', 'name', { list: [1, 'two'] }]);

  it('puts disclosed items and members in their places, at every depth', () => {
    const inner = encoded(['salt', 'inner', [{ '...': digestOf(item) }, 'open']]);
    const payload = {
      list: ['first', { '...': digestOf(item) }, { plain: true }],
      _sd: [digestOf(member)],
      _sd_alg: 'sha-256',
    };
    assert.deepEqual(mustRead(textOf(payload, [item, member])).payload, {
      list: ['first', 'hidden', { plain: true }],
      name: { list: [1, 'two'] },
      _sd_alg: 'sha-256',
    });
    const nested = { outer: { _sd: [digestOf(inner)] } };
    const read = mustRead(textOf(nested, [item, inner]));
    assert.deepEqual(read.payload, { outer: { inner: ['hidden', 'open'] } });
  });

  it('takes a header with any type of SD-JWT but that of a key binding', () => {
    for (const typ of ['mandate+sd-jwt', 'dc+sd-jwt', 'vc+sd-jwt', 'xkb+sd-jwt']) {
      assert.equal(mustRead(textOf({}, [], { typ })).header['typ'], typ);
    }
    const why =
      /^Its header must have a `typ` that ends with "\+sd-jwt", such as "mandate\+sd-jwt"\.$/;
    for (const typ of [
      undefined,
      7,
      'JWT',
      'sd-jwt',
      'dc+sd-jwt2',
      'kb+sd-jwt',
      'kb-sd-jwt+sd-jwt',
    ]) {
      mustFail(textOf({}, [], { typ }), why);
    }
  });

  it('rejects a text that is cut, or has the proof of a holder behind it', () => {
    const why = /^It must end with "~", without the proof of a holder behind it\.$/;
    const whole = textOf({ list: [{ '...': digestOf(item) }] }, [item]);
    for (const text of ['', whole.slice(0, -1), `${whole}${whole.split('~', 1)[0]}`]) {
      mustFail(text, why);
    }
  });

  it('rejects another number of parts, and parts that are no object or no bytes', () => {
    const why = /^It must begin with a header, a payload and a signature in base64url\.$/;
    const [head, body] = [encoded({ typ: 'dc+sd-jwt' }), encoded({})];
    mustRead(`${head}.${body}.${signature}~`);
    for (const jwt of [
      `${head}.${body}`,
      `${head}.${body}.`,
      `${head}.${body}.${signature}.${signature}`,
      `${head}.${body}.a b`,
      `${head}.${body}.${signature}=`,
      `${head}.${encoded([])}.${signature}`,
      `${encoded('{"typ":')}.${body}.${signature}`,
      `${encoded('null')}.${body}.${signature}`,
    ]) {
      mustFail(`${jwt}~`, why);
    }
  });

  it('rejects headers and digests of which the hub knows nothing', () => {
    mustFail(textOf({}, [], { crit: ['exp'] }), /^Its header has `crit`, of which the hub knows/);
    mustRead(textOf({ _sd_alg: 'sha-256' }));
    for (const name of ['md5', 'sha-512', 7, null]) {
      mustFail(textOf({ _sd_alg: name }), /^Its `_sd_alg` must be "sha-256"\.$/);
    }
  });

  it('rejects what is not disclosed, not referred to or there twice', () => {
    const [listed, named] = [{ list: [{ '...': digestOf(item) }] }, { _sd: [digestOf(member)] }];
    const missing = /^Part of it is not disclosed; hand in all of it\.$/;
    for (const payload of [listed, named, { list: [{ '...': 7 }] }, { _sd: [null] }]) {
      mustFail(textOf(payload), missing);
    }
    // An item stands in a list, and a member in an object: neither is the other.
    mustFail(textOf({ _sd: [digestOf(item)] }, [item]), missing);
    mustFail(textOf({ list: [{ '...': digestOf(member) }] }, [member]), missing);
    mustFail(textOf({ list: [...listed.list, ...listed.list] }, [item]), missing);
    mustFail(textOf({}, [item]), /^It has a disclosure that nothing in it refers to\.$/);
    const broken = /^A disclosure is no list of exact JSON, or is there twice\.$/;
    for (const texts of [[item, item], [encoded({})], [encoded('[1')], ['a b'], ['']]) {
      mustFail(textOf(listed, texts), broken);
    }
  });

  it('rejects a member that replaces another, or has no name', () => {
    const why = /^A disclosure has no name, or the name of another member\.$/;
    for (const name of ['iss', '_sd', '...', 7, null]) {
      const text = encoded(['salt', name, 1]);
      mustFail(textOf({ iss: 'x', _sd: [digestOf(text)] }, [text]), why);
    }
    const [one, other] = [encoded(['a', 'name', 1]), encoded(['b', 'name', 2])];
    mustFail(textOf({ _sd: [digestOf(one), digestOf(other)] }, [one, other]), why);
    mustFail(textOf({ _sd: 'x' }), /^Its `_sd` must be a list\.$/);
  });

  it('reads 256 disclosures and no more', () => {
    const texts = Array.from({ length: 257 }, (_, nth) => encoded(['salt', nth]));
    const listing = (some: readonly string[]): string =>
      textOf({ list: some.map((text) => ({ '...': digestOf(text) })) }, some);
    const { payload } = mustRead(listing(texts.slice(1)));
    assert.equal((payload['list'] as readonly unknown[]).length, 256);
    mustFail(listing(texts), /^It has more than 256 disclosures\.$/);
    mustFail('~'.repeat(400), /^It must end with|^It has more than/);
  });

  it('reads what disclosures nest to 64 levels', () => {
    const nested = (levels: number): string => {
      let value: unknown = 1;
      const texts: string[] = [];
      for (let level = 0; level < levels; level += 1) {
        const text = encoded(['salt', value]);
        texts.push(text);
        value = [{ '...': digestOf(text) }];
      }
      return textOf({ list: value }, texts);
    };
    mustRead(nested(63));
    mustFail(nested(64), /^It is nested too deeply\.$/);
  });
});

describe('bytesOf', () => {
  it('decodes base64url in the one spelling that the bytes have', () => {
    assert.deepEqual(bytesOf('AQI')?.toString(), Buffer.of(1, 2).toString());
    for (const text of ['', 'AQJ', 'AQI=', 'AQ+/', 'A', ' AQI', 'AQI\n']) {
      assert.equal(bytesOf(text), undefined, JSON.stringify(text));
    }
  });
});

describe('JSON of a mandate', () => {
  it('is exact: a number that a double cannot hold makes the disclosure unreadable', () => {
    const text = encoded('["salt", 9007199254740993]');
    const payload: JsonObject = { list: [{ '...': digestOf(text) }] };
    mustFail(textOf(payload, [text]), /no list of exact JSON/);
  });
});
