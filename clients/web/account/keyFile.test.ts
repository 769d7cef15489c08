import assert from 'node:assert/strict';
import { keyFileOf, lock, unlock } from './keyFile.ts';

const SECRET = Uint8Array.from({ length: 32 }, (_, place) => place);
const PASSPHRASE = 'a harbour at noon';

describe('files with a key', () => {
  it('are opened by the passphrase that locked them, and by no other', async () => {
    const text = await lock('key:a', SECRET, PASSPHRASE);
    assert.ok(!text.includes(Buffer.from(SECRET).toString('base64')));
    const found = keyFileOf(text);
    assert.ok(found.is === 'locked');
    assert.equal(found.file.account, 'key:a');
    assert.deepEqual(await unlock(found.file, PASSPHRASE), SECRET);
    assert.equal(await unlock(found.file, `${PASSPHRASE}!`), undefined);
    assert.equal(await unlock({ ...found.file, account: 'key:b' }, PASSPHRASE), undefined);
    assert.equal(await unlock({ ...found.file, secret: 'AAAA' }, PASSPHRASE), undefined);
  });

  it('are another each time, also of the same key', async () => {
    const texts = await Promise.all([1, 2].map(() => lock('key:a', SECRET, PASSPHRASE)));
    assert.notEqual(texts[0], texts[1]);
  });

  it('hold the secret of the command line as it is', () => {
    const secretKey = Buffer.from(SECRET).toString('base64');
    const found = keyFileOf(JSON.stringify({ keyId: 'x', secretKey }));
    assert.ok(found.is === 'plain');
    assert.deepEqual(found.secret, SECRET);
  });

  it('are not confused with other texts', () => {
    const locked = {
      kind: 'agent-exchange-key/v1',
      account: 'key:a',
      salt: '',
      iv: '',
      secret: '',
    };
    const others = [
      '',
      '{',
      'null',
      '"secretKey"',
      '{"secretKey":"AAAA"}',
      '{"secretKey":"no base64!"}',
      JSON.stringify(locked),
      JSON.stringify({ ...locked, iterations: 1e12 }),
      JSON.stringify({ ...locked, iterations: -1 }),
      JSON.stringify({ ...locked, iterations: 1, kind: 'other' }),
    ];
    for (const text of others) assert.equal(keyFileOf(text).is, 'none', text);
  });
});
