import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { openS3 } from '../../workflows/kernel/files/s3.ts';
import { bundle } from '../../tools/bundle.mjs';

/** Package and image have no folder of modules beside them, so the client must be in the program. */
describe('the program of an operator', () => {
  it('stores files in a bucket, far from any installed package', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hub-bundled-'));
    const stored = new Map<string, Buffer>();
    const server = createServer((request, response) => {
      void (async () => {
        const path = String(request.url).split('?')[0] ?? '';
        const body = await buffer(request);
        if (request.method === 'PUT') stored.set(path, body);
        if (request.method === 'DELETE') stored.delete(path);
        response.end(request.method === 'GET' ? stored.get(path) : undefined);
      })();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const root = process.cwd();
      await bundle({ root, entries: ['workflows/kernel/files/s3.ts'], folder, extension: '.mjs' });
      writeFileSync(join(folder, 'content'), 'bytes of a file');
      const address = pathToFileURL(join(folder, 'workflows/kernel/files/s3.mjs')).href;
      const made = (await import(address)) as { readonly openS3: typeof openS3 };
      const files = made.openS3(
        {
          bucket: 'b',
          region: 'us-east-1',
          endpoint: `http://127.0.0.1:${port}`,
          prefix: 'p/',
          credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
        },
        folder,
      );
      await files.put('one', join(folder, 'content'));
      assert.deepEqual([...stored.keys()], ['/b/p/one']);
      await files.copy('one', join(folder, 'copy'));
      assert.equal(readFileSync(join(folder, 'copy'), 'utf8'), 'bytes of a file');
      await files.remove('one');
      assert.equal(stored.size, 0);
      await files.close();
    } finally {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true });
    }
  });
});
