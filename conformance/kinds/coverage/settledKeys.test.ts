import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Data that a handler stores in a signer's name settles the signer's key (choices wallet.binding),
 * which `hub.act` and `hub.once` do. A plain write would leave a used account that its key may walk
 * away from, so each one is named here with its reason.
 */
const PLAIN: Readonly<Record<string, string>> = {
  'handlers/passport/verify.ts': 'settles by itself, unless the check is refused',
  'handlers/wallet/bindKey.ts': 'decides where a key is settled',
};

describe('handlers', () => {
  it('keep nothing in the name of a signer without settling its key', () => {
    const files = readdirSync('handlers', { recursive: true, encoding: 'utf8' })
      .map((file) => join('handlers', file).replaceAll('\\', '/'))
      .filter((file) => file.endsWith('.ts'));
    assert.ok(files.length > 100);
    const plain = files.filter((file) => readFileSync(file, 'utf8').includes('store.write('));
    assert.deepEqual(plain.sort(), Object.keys(PLAIN).sort());
  });
});
