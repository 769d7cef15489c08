import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { base58 } from '@scure/base';
import { fileKeys, keys } from './node.ts';

describe('node', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'client-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  describe('keys', () => {
    it('come back from a file that its owner alone can read', async () => {
      const path = join(folder, 'agent.key');
      const made = await keys.loadOrGenerate(path);
      assert.equal((await stat(path)).mode & 0o777, 0o600);
      assert.deepEqual(await keys.load(path), made);
      assert.deepEqual(await keys.loadOrGenerate(path), made);
    });

    it('are never overwritten', async () => {
      const path = join(folder, 'kept.key');
      await keys.save(path, await keys.generate());
      const before = await readFile(path, 'utf8');
      await assert.rejects(keys.save(path, await keys.generate()), { code: 'EEXIST' });
      assert.equal(await readFile(path, 'utf8'), before);
    });

    it('are read from the PEM that the code of the quickstart writes', async () => {
      const path = join(folder, 'hub-key.pem');
      const pem = (kind: 'ed25519' | 'x25519'): string =>
        generateKeyPairSync(kind as 'ed25519')
          .privateKey.export({ type: 'pkcs8', format: 'pem' })
          .toString();
      const text = pem('ed25519');
      await writeFile(path, text, { mode: 0o600 });
      const key = await keys.load(path);
      const { d, x } = createPrivateKey(text).export({ format: 'jwk' });
      assert.deepEqual(Buffer.from(key.secretKey).toString('base64url'), d);
      assert.equal(key.keyId, base58.encode(Buffer.from(x ?? '', 'base64url')));
      assert.deepEqual(await keys.loadOrGenerate(path), key);
      await chmod(path, 0o644);
      await assert.rejects(keys.load(path), /chmod 600/);
      for (const other of [pem('x25519'), '-----BEGIN PRIVATE KEY-----\n', text.slice(0, 40)]) {
        const bad = join(folder, 'bad.pem');
        await writeFile(bad, other, { mode: 0o600 });
        await assert.rejects(keys.load(bad), /no ed25519 key in PEM/);
      }
    });

    it('are refused from a file that others can read, or that is not a key', async () => {
      const path = join(folder, 'open.key');
      const [one, other] = [await keys.generate(), await keys.generate()];
      await keys.save(path, one);
      await chmod(path, 0o640);
      await assert.rejects(keys.load(path), /chmod 600/);
      const mixed = join(folder, 'mixed.key');
      await keys.save(mixed, { keyId: other.keyId, secretKey: one.secretKey });
      await assert.rejects(keys.load(mixed), /is not the key/);
      for (const text of ['{"keyId":1}', '', 'secret', '[]', 'null']) {
        await writeFile(join(folder, 'bad.key'), text, { mode: 0o600 });
        await assert.rejects(keys.load(join(folder, 'bad.key')), /no key file/);
      }
    });
  });

  describe('fileKeys', () => {
    it('outlive the process until the outcome is known', async () => {
      const at = join(folder, 'pending');
      const store = await fileKeys(at);
      const call = { method: 'POST', path: '/p', body: { idempotencyKey: '../a/b' } } as const;
      await store.put('../a/b', call);
      await store.put('../a/b', call);
      const later = await fileKeys(at);
      assert.deepEqual(await later.pending(), [call]);
      assert.deepEqual(await later.begin?.('/p', call.body), { body: call.body, isRepeated: true });
      assert.deepEqual(await later.begin?.('/p', {}), { body: {}, isRepeated: false });
      await later.done('../a/b');
      await later.done('../a/b');
      assert.deepEqual(await store.pending(), []);
    });
  });
});
