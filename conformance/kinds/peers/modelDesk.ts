// The provider of the benches of models, the hub before it, and one chat completion.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { Agent } from 'node:http';
import { request } from 'node:http';
import { join } from 'node:path';
import { freePort } from '../../../clients/examples/freePort.ts';
import { fund, newCaller, startHub } from '../bench/taskClient.ts';

export const MODEL = 'acme/small';
export const EMBEDS = 'acme/embed';

export interface Way {
  readonly port: number;
  readonly model: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly child: ChildProcess;
  readonly path: string;
}

export async function startProvider(): Promise<Way> {
  const port = await freePort();
  const script = new URL('modelUpstream.ts', import.meta.url);
  const child = fork(script, [String(port)], { execArgv: ['--import=tsx'] });
  await once(child, 'message');
  return { port, model: 'small-1', headers: {}, child, path: '/v1/chat/completions' };
}

/** A hub that sells what the provider gives, on a database in the folder. */
export async function startDesk(folder: string, upstream: number): Promise<Way> {
  const file = join(folder, 'upstreams.json');
  const prices = { input: '2', output: '10', contextLength: 32_768, maxAnswerTokens: 8_192 };
  const vectors = { id: EMBEDS, input: '2', contextLength: 8_192, dimensions: 768 };
  const models = [{ id: MODEL, upstreamId: 'small-1', ...prices }, vectors];
  const baseUrl = `http://127.0.0.1:${upstream}/v1`;
  writeFileSync(
    file,
    JSON.stringify({ providers: [{ name: 'a', baseUrl, backend: 'local', models }] }),
  );
  const { port, child } = await startHub(`sqlite:${join(folder, 'hub.sqlite')}`, folder, {
    HUB_MODEL_UPSTREAMS: file,
    HUB_ALLOW_PRIVATE_HOSTS: `127.0.0.1:${upstream}`,
  });
  const alice = newCaller(port);
  await fund(port, alice, 1);
  const minted = await alice.post(`/api/v1/wallet/${alice.account}/api-keys`, {});
  const headers = { authorization: `Bearer ${String(minted['key'])}` };
  return { port, model: MODEL, headers, child, path: '/v1/chat/completions' };
}

let asked = 0;

/** One completion, whole or streamed; fails unless all of it came. No prompt comes twice. */
export async function call(way: Way, agent: Agent, isStream: boolean): Promise<void> {
  asked += 1;
  const messages = [{ role: 'user', content: `Say twenty words, for the ${asked}th time.` }];
  const body = JSON.stringify({ model: way.model, messages, max_tokens: 100, stream: isStream });
  const { status, text } = await post(way, body, agent);
  const words = text.split('word ').length - 1;
  if (status === 200 && words === 20) return;
  throw new Error(`${status} with ${words} words: ${text.slice(0, 300)}`);
}

/** Sends JSON and reads the whole answer. */
export function post(
  { port, path, headers }: Pick<Way, 'port' | 'path' | 'headers'>,
  body: string,
  agent: Agent,
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const type = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const place = { host: '127.0.0.1', port, path, method: 'POST', agent };
  return new Promise((resolve, reject) => {
    const sent = request({ ...place, headers: { ...headers, ...type } });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.on('data', (bytes: Buffer) => (text += bytes.toString()));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    sent.end(body);
  });
}
