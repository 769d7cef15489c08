import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A provider that repeats the last message word by word; a long tale is slow enough to stop. */
export const SLOW_MODEL = 'own/slow';
const WORD_MS = 150;
const TALE = Array.from({ length: 400 }, (_, place) => `wave${place} `);

export async function openSlowModel() {
  const folder = mkdtempSync(join(tmpdir(), 'hub-models-'));
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pair = `127.0.0.1:${server.address().port}`;
  const file = join(folder, 'upstreams.json');
  const model = { id: SLOW_MODEL, input: '1', output: '2', contextLength: 8_192 };
  const models = [{ ...model, maxAnswerTokens: 4_096 }];
  const provider = { name: 'beside', baseUrl: `http://${pair}/v1`, backend: 'local', models };
  writeFileSync(file, JSON.stringify({ providers: [provider] }));
  const close = () => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  };
  return { pair, file, close };
}

async function answer(request, response) {
  let text = '';
  for await (const piece of request) text += piece;
  const asked = JSON.parse(text).messages.at(-1).content;
  const isTale = /tale/i.test(asked);
  const words = isTale ? TALE : asked.split(/(?<= )/);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (choices, more = {}) => {
    const chunk = { id: 'up', object: 'chat.completion.chunk', choices, ...more };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  for (const content of words) {
    if (response.destroyed) return;
    send([{ index: 0, delta: { content }, finish_reason: null }]);
    if (isTale) await sleep(WORD_MS);
  }
  send([{ index: 0, delta: {}, finish_reason: 'stop' }]);
  const completion_tokens = words.length;
  send([], { usage: { prompt_tokens: 8, completion_tokens, total_tokens: 8 + completion_tokens } });
  response.end('data: [DONE]\n\n');
}
