import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openBase64, roomFor } from './base64.ts';
import { openFieldSplitter } from './fieldSplitter.ts';

/** Cuts bytes at these places, as a network does. */
function cut(bytes: Buffer, step: number): readonly Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += step) pieces.push(bytes.subarray(at, at + step));
  return pieces;
}

function split(body: string, step: number): { readonly rest: string; readonly field: string } {
  const splitter = openFieldSplitter('file');
  let [rest, field] = ['', ''];
  for (const piece of cut(Buffer.from(body), step)) {
    for (const { is, bytes } of splitter.split(piece)) {
      if (is === 'rest') rest += bytes.toString('latin1');
      else field += bytes.toString('latin1');
    }
  }
  return { rest: Buffer.from(rest, 'latin1').toString(), field };
}

const STEPS = [1, 2, 3, 7, 64, 100_000];

describe('a field that is taken out of a body', () => {
  it('is the one at the top, wherever the network cuts', () => {
    const inside = { file: 'inside', list: [{ file: 'in a list' }] };
    const body = JSON.stringify({ a: 'x"}\\', inside, file: 'QUJD', z: ['"file":"no"', 1] });
    for (const step of STEPS) {
      assert.deepEqual(split(body, step), { rest: body.replace('QUJD', ''), field: 'QUJD' });
    }
  });

  it('is whole with escapes, spaces around it, and letters of several bytes before it', () => {
    for (const step of STEPS) {
      const body = '{ "ключ\\"" : "значение" ,\n"file"\t: "QU\\/J\\u0044" }';
      const { field, rest } = split(body, step);
      assert.equal(field, 'QU/JD');
      assert.deepEqual(JSON.parse(rest), { 'ключ"': 'значение', file: '' });
    }
  });

  it('is left where it is no text, comes twice, or stands in a list', () => {
    for (const body of [
      '{"file":7}',
      '{"file":{"file":"x"}}',
      '["file","x"]',
      '"file"',
      '{"x":"file","y":"z"}',
      '{"file":null,"other":"x"}',
    ]) {
      for (const step of STEPS) assert.deepEqual(split(body, step), { rest: body, field: '' });
    }
    assert.deepEqual(split('{"file":"one","file":"two"}', 5), {
      rest: '{"file":"","file":"two"}',
      field: 'one',
    });
  });

  it('says of an escape that no base64 has that it is wrong', () => {
    for (const escape of ['\\n', '\\u00e9', '\\"', '\\\\']) {
      assert.match(split(`{"file":"QU${escape}JD"}`, 3).field, /!/);
    }
  });

  it('loses nothing of any JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(...STEPS), (json, step) => {
        assert.deepEqual(split(json, step), { rest: json, field: '' });
      }),
    );
  });
});

describe('base64 that comes in pieces', () => {
  const decode = (text: string, step: number): Buffer | undefined => {
    const decoder = openBase64();
    const decoded = cut(Buffer.from(text), step).map((piece) => {
      const out = Buffer.alloc(7 + roomFor(piece));
      const count = decoder.decode(piece, out, 7);
      return out.subarray(7, 7 + count);
    });
    const bytes = Buffer.concat(decoded);
    assert.equal(decoder.length, bytes.length);
    return decoder.end() ? bytes : undefined;
  };

  it('is decoded wherever it is cut', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(...STEPS), (bytes, step) => {
        const text = Buffer.from(bytes).toString('base64');
        assert.deepEqual(decode(text, step), Buffer.from(bytes));
      }),
    );
  });

  it('is what a pattern says it is, and nothing else', () => {
    const strict =
      /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?$/;
    const letter = fc.constantFrom(...'AQz09+/', '=', '=', '-', '_', ' ', '\n', '\u00e9', '\0');
    const text = fc.oneof(fc.string({ unit: letter, maxLength: 24 }), fc.base64String());
    fc.assert(
      fc.property(text, fc.constantFrom(...STEPS), (given, step) => {
        assert.equal(decode(given, step) !== undefined, strict.test(given));
      }),
      { numRuns: 3_000 },
    );
  });

  it('is refused with another alphabet, blanks, missing or early padding, or half a group', () => {
    for (const wrong of [
      'QUI',
      'QQ',
      'Q',
      'QUJ_',
      'QU-D',
      'QUJD\n',
      ' QUJD',
      'QQ==QUJD',
      'Q===',
      '====',
      'QU=D',
    ]) {
      for (const step of STEPS) assert.equal(decode(wrong, step), undefined, `${wrong} by ${step}`);
    }
  });
});
