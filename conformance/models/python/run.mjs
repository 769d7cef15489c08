import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, startHub } from '../../dredd/hub.mjs';
import { asCommand, environment, runWithin } from '../../harness/python.mjs';
import {
  answerOf,
  localProvider,
  MODEL,
  startUpstream,
  upstreamFile,
  usageOf,
} from '../_upstream.ts';

/**
 * Runs clients from PyPI, each unmodified in an environment of its own, against the compatible door
 * of a hub whose provider does what their messages say: chat, stream, abort, tool call, refusal,
 * retry, dead keys, and the money of each. With HUB_URL the hub there is asked what every hub can.
 * Exit codes: 0 all held, 1 one did not, 2 it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const RUN_MS_MAX = 5 * 60_000;
const CLIENTS = ['openai', 'litellm'];

const never = new Promise(() => undefined);
const met = new Set();
const WORDS = {
  slow: () => [{ say: 'one ' }, { wait: never }],
  cut: () => [{ say: 'one ' }, { waitMs: 50 }, { cut: true }],
  tool: () => [
    {
      tools: [
        { index: 0, id: 'c1', type: 'function', function: { name: 'weather', arguments: '' } },
      ],
    },
    { tools: [{ index: 0, function: { arguments: '{"city":"Łódź"}' } }] },
    { finish: 'tool_calls' },
    usageOf(60, 12),
  ],
  wrong: () => ({ status: 400, body: { error: { message: 'no such thing' } } }),
  /** A message is refused the first time and answered the second. */
  down(text) {
    if (met.has(text)) return answerOf(3);
    met.add(text);
    return { status: 500, body: { error: { message: 'down' } } };
  },
};

/** What a message begins with says what is done; any other is said again. */
function play({ messages }) {
  const text = String(messages.at(-1).content);
  const told = WORDS[text.split(' ')[0]];
  return told === undefined ? [{ say: text }, { finish: 'stop' }, usageOf(20, 3)] : told(text);
}

await asCommand(async () => {
  const cache = join(root, 'node_modules/.cache/models-python');
  const programs = CLIENTS.map((name) => [
    name,
    join(environment(join(here, `requirements-${name}.txt`), join(cache, name)), 'python'),
  ]);
  const upstream = await startUpstream();
  upstream.play(play);
  const file = upstreamFile([localProvider(upstream)], [upstream]);
  const { HUB_MODEL_UPSTREAMS } = file.env;
  const hub = await startHub({ allow: [upstream.pair], settings: { HUB_MODEL_UPSTREAMS } });
  const scripted = process.env.HUB_URL === undefined ? [MODEL.id] : [];
  let held = true;
  try {
    const env = { PYTHONUNBUFFERED: '1', PYTHONPATH: join(root, 'conformance/doors/python') };
    for (const [name, python] of programs) {
      const words = [join(here, `${name}_client.py`), hub.url, ...scripted];
      held = (await runWithin(RUN_MS_MAX, python, words, { env })) === 0 && held;
    }
    for (const line of hub.errors()) process.stdout.write(`The hub logged: ${line}\n`);
    return held && hub.errors().length === 0 ? 0 : 1;
  } finally {
    await hub.stop();
    await upstream.close();
    file.remove();
  }
});
