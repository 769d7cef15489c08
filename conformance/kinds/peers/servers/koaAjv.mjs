// The stack that one would write by hand: Koa, its router and body parser, Ajv compiled at start.
import { createRequire } from 'node:module';
import Router from '@koa/router';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import Koa from 'koa';
import { ANSWER, bodySchema, paramsSchema, port } from './shared.mjs';

const peers = createRequire(new URL('../package.json', import.meta.url));
const { bodyParser } = await import(peers.resolve('@koa/bodyparser'));
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
const checkBody = ajv.compile(bodySchema);
const checkParams = ajv.compile(paramsSchema);

const app = new Koa();
const router = new Router();
router.post('/api/v1/wallet/:owner/credit', (ctx) => {
  if (!checkParams(ctx.params) || !checkBody(ctx.request.body)) {
    ctx.status = 400;
    ctx.body = { error: 'bad request' };
    return;
  }
  ctx.body = ANSWER;
});
app.use(bodyParser({ enableTypes: ['json'] }));
app.use(router.routes());
app.listen(port, '127.0.0.1', () => process.send('ready'));
process.on('SIGINT', () => process.exit(0));
