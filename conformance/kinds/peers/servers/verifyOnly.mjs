// A Koa route that does nothing but verify the same signatures with the same verifier.
import { createHash } from 'node:crypto';
import Koa from 'koa';
import { inspect } from '../../../../dist/domain/httpsig/inspect.js';
import { createVerify } from '../../../../dist/workflows/kernel/keys/ed25519.js';
import { port } from './shared.mjs';

const fixed = {
  maxAgeSeconds: 300,
  origins: [`http://127.0.0.1:${port}`],
  sha256: (bytes) => createHash('sha256').update(bytes).digest(),
  sha512: (bytes) => createHash('sha512').update(bytes).digest(),
  verify: createVerify(),
};
const app = new Koa();
app.use(async (ctx) => {
  const chunks = [];
  for await (const chunk of ctx.req) chunks.push(chunk);
  const request = {
    method: ctx.req.method,
    target: ctx.req.url,
    headers: ctx.req.rawHeaders,
    body: Buffer.concat(chunks),
  };
  const found = inspect(request, { ...fixed, now: Date.now() });
  ctx.status = found.kind === 'verified' ? 200 : 401;
  ctx.body = { kind: found.kind };
});
app.listen(port, '127.0.0.1', () => process.send('ready'));
