import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A provider over a real socket that follows the script of a test, wrong answers included. */
type Json = Readonly<Record<string, unknown>>;

export type Step =
  | { readonly say: string }
  | { readonly tools: readonly unknown[] }
  | { readonly usage: Json }
  | { readonly finish: string }
  | { readonly raw: string }
  | { readonly waitMs: number }
  /** Waits until the test lets it go on. */
  | { readonly wait: Promise<unknown> }
  | { readonly act: () => void }
  | { readonly cut: true }
  /** Ends the stream without its last line. */
  | { readonly end: true };
export type Play =
  | readonly Step[]
  /** `after`: what the answer waits for. */
  | { readonly status: number; readonly body: unknown; readonly after?: Promise<unknown> };

export interface Upstream {
  readonly url: string;
  readonly pair: string;
  /** Requests that it received, the newest last. */
  readonly asked: { readonly body: Json; readonly headers: Json }[];
  /** Streams that the other side left. */
  left(): number;
  /** Bytes that it could write to the other side so far. */
  written(): number;
  /** Connections that the other side opened so far. */
  connections(): number;
  play(of: (body: Json) => Play): void;
  close(): Promise<void>;
}

export const usageOf = (input: number, output: number): Step => ({
  usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
});
/** The answer of a provider of vectors, one for each text. */
export function embedded(
  body: Json,
  vectorOf: (text: string) => readonly number[],
): Extract<Play, { readonly status: number }> {
  const inputs = body['input'] as readonly string[];
  const data = inputs.map((text, index) => ({ index, embedding: vectorOf(text) }));
  return { status: 200, body: { data, usage: { prompt_tokens: 3, total_tokens: 3 } } };
}

/** The usual answer: `count` words, their end, and what they used. */
export function answerOf(count: number, input = 20): readonly Step[] {
  const texts = Array.from({ length: count }, (_, n) => ({ say: `word${n % 10} ` }));
  return [...texts, { finish: 'stop' }, usageOf(input, count)];
}

export async function startUpstream(first: Play = answerOf(3)): Promise<Upstream> {
  let choose: (body: Json) => Play = () => first;
  const asked: { body: Json; headers: Json }[] = [];
  const state = { left: 0, written: 0, connections: 0 };
  const server = createServer((request, response) => {
    void bodyOf(request).then(async (body) => {
      asked.push({ body, headers: request.headers });
      response.on('close', () => (state.left += response.writableFinished ? 0 : 1));
      await perform(choose(body), response, state);
    });
  });
  server.on('connection', () => (state.connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    pair: `127.0.0.1:${port}`,
    asked,
    left: () => state.left,
    written: () => state.written,
    connections: () => state.connections,
    play: (of) => (choose = of),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return JSON.parse(Buffer.concat(pieces).toString() || '{}') as Json;
}

async function perform(
  play: Play,
  response: ServerResponse,
  state: { written: number },
): Promise<void> {
  if ('status' in play) {
    await play.after;
    response.writeHead(play.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(play.body));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.setMaxListeners(0);
  response.flushHeaders();
  for (const step of play) {
    if (response.destroyed) return;
    if ('waitMs' in step) await new Promise((resolve) => setTimeout(resolve, step.waitMs));
    else if ('wait' in step) await step.wait;
    else if ('act' in step) step.act();
    else if ('cut' in step) {
      response.destroy();
      return;
    } else if ('end' in step) {
      response.end();
      return;
    } else {
      const text = textOf(step);
      const isRoom = response.write(text, () => (state.written += text.length));
      if (!isRoom) await drained(response);
    }
  }
  response.end('data: [DONE]\n\n');
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve);
    response.once('close', resolve);
  });
}

function textOf(step: Step): string {
  if ('raw' in step) return step.raw;
  const chunk = (choice: Json | undefined, more: Json = {}): string =>
    `data: ${JSON.stringify({
      id: 'up',
      object: 'chat.completion.chunk',
      choices: choice === undefined ? [] : [{ index: 0, finish_reason: null, ...choice }],
      ...more,
    })}\n\n`;
  if ('say' in step) return chunk({ delta: { content: step.say } });
  if ('tools' in step) return chunk({ delta: { tool_calls: step.tools } });
  if ('finish' in step) return chunk({ delta: {}, finish_reason: step.finish });
  if ('usage' in step) return chunk(undefined, { usage: step.usage });
  return '';
}

/** One model as an operator writes it. */
export const MODEL = {
  id: 'acme/small',
  upstreamId: 'small-1',
  input: '2',
  output: '10',
  contextLength: 32_768,
  maxAnswerTokens: 8_192,
};

export interface UpstreamFile {
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

/** The operator's file for these providers, and what names it to a hub. */
export function upstreamFile(
  providers: readonly Json[],
  upstreams: readonly Upstream[],
): UpstreamFile {
  const folder = mkdtempSync(join(tmpdir(), 'hub-models-'));
  const path = join(folder, 'upstreams.json');
  writeFileSync(path, JSON.stringify({ providers }));
  return {
    env: {
      HUB_MODEL_UPSTREAMS: path,
      HUB_ALLOW_PRIVATE_HOSTS: upstreams.map(({ pair }) => pair).join(','),
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A provider that test money may buy from. */
export function localProvider(upstream: Upstream, more: Json = {}): Json {
  return { name: 'acme', baseUrl: upstream.url, backend: 'local', models: [MODEL], ...more };
}
