// openapi-backend over the same document, on plain node:http.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { ANSWER, document, PATH, port } from './shared.mjs';

const peers = createRequire(new URL('../package.json', import.meta.url));
const { OpenAPIBackend } = peers('openapi-backend');
const { security: _, ...post } = document.paths[PATH].post;
const api = new OpenAPIBackend({
  definition: { ...document, paths: { [PATH]: { post } } },
  quick: true,
  ajvOpts: { strict: false },
  handlers: {
    'wallet.credit': async () => ({ status: 200, body: ANSWER }),
    validationFail: async () => ({ status: 400, body: { error: 'bad request' } }),
    notFound: async () => ({ status: 404, body: { error: 'not found' } }),
  },
});
await api.init();
createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const [path, query] = request.url.split('?');
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const reply = await api.handleRequest({
      method: request.method,
      path,
      query,
      body,
      headers: request.headers,
    });
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply.body));
  });
}).listen(port, '127.0.0.1', () => process.send('ready'));
