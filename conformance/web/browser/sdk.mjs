import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { root } from '../../kinds/dredd/hub.mjs';

/** The use of the official client in a page: it lists, chats, streams, and reads a refusal. */
const PROGRAM = `
  import OpenAI from 'openai';
  window.useSdk = async (baseURL, apiKey) => {
    const client = new OpenAI({ baseURL, apiKey, dangerouslyAllowBrowser: true, maxRetries: 0 });
    const messages = [{ role: 'user', content: 'Name the sea.' }];
    const model = 'hub/echo';
    const { data } = await client.models.list();
    const whole = await client.chat.completions.create({ model, messages });
    let streamed = '';
    const stream = await client.chat.completions.create({ model, messages, stream: true });
    for await (const chunk of stream) streamed += chunk.choices[0].delta.content ?? '';
    const refused = await client.chat.completions
      .create({ model: 'no/such', messages })
      .catch((error) => [error.status, error.code, typeof error.requestID]);
    const answer = whole.choices[0].message.content;
    return { models: data.map(({ id }) => id), answer, streamed, refused };
  };
`;

/** The official SDK, bundled for browsers and unmodified, on a page of another origin than the hub's. */
export async function sdkElsewhere({ open, url, faults }, apiKey) {
  const { default: esbuild } = await import('esbuild');
  const { outputFiles } = await esbuild.build({
    stdin: { contents: PROGRAM, resolveDir: join(root, 'conformance') },
    bundle: true,
    format: 'iife',
    platform: 'browser',
    write: false,
  });
  const server = createServer((request, response) => {
    const isScript = request.url === '/sdk.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(
      isScript ? outputFiles[0].text : '<title>Elsewhere</title><script src="/sdk.js"></script>',
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const page = await open({ baseURL: `http://127.0.0.1:${server.address().port}`, hub: url });
    await page.goto('/');
    const seen = await page.evaluate(
      ([base, key]) => window.useSdk(base, key),
      [`${url}/v1`, apiKey],
    );
    // The browser says on the console that one call was refused, as it should.
    const isRefusal = (fault) => /status of 40[04]/.test(fault);
    faults.splice(0, faults.length, ...faults.filter((fault) => !isRefusal(fault)));
    await page.context().close();
    return seen;
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
