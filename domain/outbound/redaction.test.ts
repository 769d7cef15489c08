import assert from 'node:assert/strict';
import { Redaction, REDACTED, secretsOfHeaders, secretsOfUrl } from './redaction.ts';

const KEY = 'sk-Ab9/xY+zQ7wE5rT1==';
const PART = 8;

/** The longest part of the key that a text has. */
function longestPart(text: string): number {
  for (let length = KEY.length; length > 0; length -= 1) {
    for (let at = 0; at + length <= KEY.length; at += 1) {
      if (text.includes(KEY.slice(at, at + length))) return length;
    }
  }
  return 0;
}

describe('redaction', () => {
  it('removes a secret, every part of it from eight characters on, and nothing else', () => {
    const redaction = new Redaction([KEY]);
    for (let at = 0; at < KEY.length; at += 1) {
      for (let end = at + 1; end <= KEY.length; end += 1) {
        const part = KEY.slice(at, end);
        const expected = part.length < PART ? part : REDACTED;
        assert.equal(redaction.text(`key "${part}" is wrong`), `key "${expected}" is wrong`);
      }
    }
    assert.equal(redaction.text(`${KEY}${KEY} ${KEY}`), `${REDACTED} ${REDACTED}`);
    const words = 'An answer of 8 characters and more, über alles 👍, stays as it is.';
    assert.equal(redaction.text(words), words);
  });

  it('removes a secret in the forms that encoders of JSON and addresses give it', () => {
    const redaction = new Redaction([KEY]);
    const forms = [
      KEY.replaceAll('/', '\\/'),
      KEY.replace('+', '\\u002B'),
      encodeURIComponent(KEY),
      JSON.stringify({ authorization: `Bearer ${KEY}` }),
    ];
    for (const form of forms) assert.ok(redaction.text(form).includes(REDACTED), form);
    for (const form of forms) assert.ok(longestPart(redaction.text(form)) < PART, form);
  });

  it('finds a secret that is cut into pieces of any length', () => {
    const text = `before ${KEY} between ${KEY}${KEY} after`;
    for (let length = 1; length < text.length; length += 1) {
      const flow = new Redaction([KEY]).flow();
      const pieces: string[] = [];
      for (let at = 0; at < text.length; at += length) {
        pieces.push(flow(text.slice(at, at + length)));
      }
      const joined = pieces.join('');
      assert.ok(longestPart(joined) < PART, `${length}: ${joined}`);
      assert.ok(joined.startsWith('before ') && joined.endsWith(' after'), joined);
      assert.ok(joined.includes(' between '), joined);
    }
  });

  it('removes a short secret as a whole from an error alone', () => {
    const redaction = new Redaction(['k-12']);
    assert.equal(redaction.text('no key k-12'), `no key ${REDACTED}`);
    assert.equal(redaction.flow()('k-12 is a word'), 'k-12 is a word');
    assert.ok(new Redaction(['abc']).isEmpty);
  });

  it('takes credentials from headers, and no payment', () => {
    const basic = Buffer.from('name:password-1').toString('base64');
    assert.deepEqual(secretsOfHeaders({ authorization: 'Bearer abc', 'x-payment': 'p' }), ['abc']);
    assert.deepEqual(secretsOfHeaders({ authorization: `Basic ${basic}`, 'x-api-key': 'k' }), [
      basic,
      'name:password-1',
      'password-1',
      'k',
    ]);
  });

  it('takes keys from the user, the path and the query of an address', () => {
    const key = '0f3c9a7be4d2415f8a6b';
    const found = secretsOfUrl(
      `https://u:pass-word@node.example/v2/mainnet/${key}?key=abcdefgh&a=b`,
    );
    assert.deepEqual([...new Set(found)], [key, 'abcdefgh', 'pass-word']);
    assert.deepEqual(secretsOfUrl('https://x402.example/platform/facilitator-verification'), []);
    assert.deepEqual(secretsOfUrl('no address'), []);
  });
});
