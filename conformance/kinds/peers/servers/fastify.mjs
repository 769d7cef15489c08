// Fastify with its own schemas, for the request and for the answer.
import { createRequire } from 'node:module';
import { ANSWER, answerSchema, bodySchema, paramsSchema, port } from './shared.mjs';

const peers = createRequire(new URL('../package.json', import.meta.url));
const { default: fastify } = await import(peers.resolve('fastify'));
const app = fastify({ ajv: { customOptions: { strict: false } } });
app.post(
  '/api/v1/wallet/:owner/credit',
  { schema: { body: bodySchema, params: paramsSchema, response: { 200: answerSchema } } },
  async () => ANSWER,
);
await app.listen({ port, host: '127.0.0.1' });
process.send('ready');
