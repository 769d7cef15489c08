import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';

it('fails before it closes what it opened', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  assert.equal(server.listening, false);
  server.close();
});
