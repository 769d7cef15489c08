// Measures the time that the desk adds to each form of a call, whole and streamed.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuMs, line, median } from '../bench/harness.mjs';
import { closeCallers } from '../bench/taskClient.ts';
import { EMBEDS, MODEL, post, startDesk, startProvider, type Way } from './modelDesk.ts';

const CALLS = Number(process.env['BENCH_CALLS'] ?? 400);
const WARM_CALLS = 200;

interface Form {
  readonly name: string;
  readonly path: (isStream: boolean) => string;
  readonly body: (question: string) => object;
  /** In the answer, once for each token or vector. */
  readonly shows: string;
  /** How a stream is asked for: by a member, by the path, or not at all. */
  readonly streams?: 'member' | 'path';
}

const messages = (content: string) => [{ role: 'user', content }];
const FORMS: readonly Form[] = [
  {
    name: 'chat completions',
    path: () => '/v1/chat/completions',
    body: (question) => ({ model: MODEL, messages: messages(question), max_tokens: 100 }),
    shows: 'word',
    streams: 'member',
  },
  {
    name: 'responses',
    path: () => '/v1/responses',
    body: (question) => ({ model: MODEL, input: question, max_output_tokens: 100 }),
    shows: 'word',
    streams: 'member',
  },
  {
    name: 'messages',
    path: () => '/v1/messages',
    body: (question) => ({ model: MODEL, messages: messages(question), max_tokens: 100 }),
    shows: 'word',
    streams: 'member',
  },
  {
    name: 'generateContent',
    path: (isStream) =>
      `/v1beta/models/${MODEL}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: (question) => ({
      contents: [{ role: 'user', parts: [{ text: question }] }],
      generationConfig: { maxOutputTokens: 100 },
    }),
    shows: 'word',
    streams: 'path',
  },
  {
    name: 'embeddings',
    path: () => '/v1/embeddings',
    body: (question) => ({ model: EMBEDS, input: question, encoding_format: 'base64' }),
    shows: '"embedding":',
  },
];
const [CHAT] = FORMS as [Form];
let asked = 0;

const folder = mkdtempSync(join(tmpdir(), 'hub-bench-'));
const provider = await startProvider();
const desk = await startDesk(folder, provider.port);
try {
  for (const isStream of [false, true]) {
    line(`${CALLS} calls one after the other, ${isStream ? 'streamed' : 'whole'}`);
    const own = await load(provider, CHAT, isStream);
    line(`  the provider itself: ${own.ms.toFixed(2)} ms`);
    for (const form of FORMS) {
      if (isStream && form.streams === undefined) continue;
      const { ms, cpu } = await load(desk, form, isStream);
      const added = (ms - own.ms).toFixed(2);
      line(`  ${form.name}: ${added} ms added, ${cpu.toFixed(2)} ms of processor`);
    }
  }
} finally {
  provider.child.kill();
  desk.child.kill();
  closeCallers();
  rmSync(folder, { recursive: true, force: true });
}

async function load(
  way: Way,
  form: Form,
  isStream: boolean,
): Promise<{ readonly ms: number; readonly cpu: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let n = 0; n < WARM_CALLS; n += 1) await send(way, form, agent, isStream);
  const took: number[] = [];
  const before = cpuMs(way.child.pid);
  for (let n = 0; n < CALLS; n += 1) {
    const at = performance.now();
    await send(way, form, agent, isStream);
    took.push(performance.now() - at);
  }
  agent.destroy();
  return { ms: median(took), cpu: (cpuMs(way.child.pid) - before) / CALLS };
}

/** One call; fails unless all of it came. No prompt comes twice. */
async function send(way: Way, form: Form, agent: Agent, isStream: boolean): Promise<void> {
  asked += 1;
  const question = `Say twenty words, for the ${asked}th time.`;
  const body = JSON.stringify({
    ...form.body(question),
    ...(isStream && form.streams === 'member' && { stream: true }),
  });
  const { status, text } = await post({ ...way, path: form.path(isStream) }, body, agent);
  if (status === 200 && text.includes(form.shows)) return;
  throw new Error(`${form.name}: ${status} ${text.slice(0, 300)}`);
}
