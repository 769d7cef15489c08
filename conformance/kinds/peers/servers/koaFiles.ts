// Bare Koa routes that save and serve a file, as the same JSON with base64 or as plain bytes.
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Koa from 'koa';

const [, , port, folder = ''] = process.argv;
const path = join(folder, 'file');
const app = new Koa();
app.use(async (context) => {
  const asJson = context.path === '/json';
  if (context.method === 'GET' && asJson) {
    context.body = { key: 'file', contentBase64: (await readFile(path)).toString('base64') };
  } else if (context.method === 'GET') {
    context.body = createReadStream(path);
  } else if (asJson) {
    const chunks: Buffer[] = [];
    for await (const chunk of context.req) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { readonly contentBase64: string };
    await writeFile(path, Buffer.from(body.contentBase64, 'base64'));
    context.body = { key: 'file' };
  } else {
    await pipeline(context.req, createWriteStream(path));
    context.body = { key: 'file' };
  }
});
app.listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
process.on('disconnect', () => process.exit(0));
