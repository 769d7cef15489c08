import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { chat, compat, eventsIn, HELLO, mintKey, receiptsOf, type Body } from './_desk.ts';
import {
  localProvider,
  MODEL,
  startUpstream,
  upstreamFile,
  usageOf,
  type Play,
  type Step,
  type Upstream,
  type UpstreamFile,
} from './_upstream.ts';

const KEY = 'sk-Vq7/mR2+kT9zLw4XbN81';
const PART_LENGTH = 8;
const event = (data: unknown): Step => ({ raw: `data: ${JSON.stringify(data)}\n\n` });
const delta = (content: Body): Step => event({ choices: [{ index: 0, delta: content }] });
const letters = [...`The key is ${KEY}.`];
const escaped = [...KEY]
  .map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
  .join('');
const error = (message: string, more: Body = {}): Body => ({ error: { message, ...more } });
const END = [{ finish: 'stop' }, usageOf(10, 30)] as const;

/** Answers by which a provider gives the key back: refusals, errors of streams, and answers. */
const ECHOES: Readonly<Record<string, (headers: Body) => Play>> = {
  'a refusal that quotes it': () => ({
    status: 401,
    body: error(`Incorrect API key provided: ${KEY}. See https://platform.invalid/keys.`),
  }),
  'a refusal of the request that quotes a part': () => ({
    status: 400,
    body: error(`No model for ${KEY.slice(3, 14)}…`),
  }),
  'all headers of the request': (headers) => ({
    status: 500,
    body: error(`proxy error for headers ${JSON.stringify(headers)}`),
  }),
  'an address that has it': () => ({
    status: 422,
    body: { detail: `GET /?key=${encodeURIComponent(KEY)}` },
  }),
  'an error in a stream': () => [delta({ content: 'One' }), event(error(`bad key ${KEY}`))],
  'an error with every character escaped': () => [
    { raw: `data: {"error":{"message":"bad key ${escaped}","code":401}}\n\n` },
  ],
  'an answer with one character in a chunk': () => [
    ...letters.map((content) => delta({ content })),
    ...END,
  ],
  'a refusal by the model': () => [delta({ refusal: KEY }), ...END],
  'shown thought': () => [...letters.map((reasoning) => delta({ reasoning })), ...END],
  'a tool call': () => [
    delta({
      tool_calls: [{ index: 0, id: KEY, function: { name: 'a', arguments: `{"k":"${KEY}"}` } }],
    }),
    ...END,
  ],
};

describe('the key of a provider', () => {
  let world: Fixture;
  let upstream: Upstream;
  let file: UpstreamFile;
  let key = '';
  before(async () => {
    upstream = await startUpstream();
    file = upstreamFile([localProvider(upstream, { keyFrom: 'STUB_KEY' })], [upstream]);
    world = await openFixture({ env: { ...file.env, STUB_KEY: KEY } });
    await world.fund(world.alice, '10000000');
    key = await mintKey(world.alice);
  });
  after(async () => {
    await world.close();
    await upstream.close();
    file.remove();
  });

  for (const [name, echo] of Object.entries(ECHOES)) {
    it(`stays out of answers, streams and receipts after ${name}`, async () => {
      upstream.play(() => echo(upstream.asked.at(-1)?.headers ?? {}));
      const body = { model: MODEL.id, messages: HELLO, max_tokens: 100 };
      const door = '/v1/chat/completions';
      const answers = [
        await compat(world, door, key, body),
        await compat(world, door, key, { ...body, stream: true }),
        await chat(world.alice),
        await chat(world.alice, { stream: true }),
      ];
      assert.equal(upstream.asked.at(-1)?.headers['authorization'], `Bearer ${KEY}`);
      const receipts = await receiptsOf(world.alice);
      const texts = [...answers.map(givenBy), JSON.stringify(receipts.slice(0, 4))];
      for (const text of texts) assert.equal(partIn(text), undefined, text);
      for (const text of texts.slice(0, 2)) assert.ok(text.includes('[redacted]'), text);
    });
  }
});

/** The text of an answer, and the pieces of a stream joined as a client joins them. */
function givenBy({ text }: { readonly text: string }): string {
  const joined = eventsIn(text).map(({ data }) => {
    const words = [...data.matchAll(/"(?:text|content|reasoning_content|reasoning)":"([^"]*)"/g)];
    return words.map(([, word]) => word).join('');
  });
  return `${text} ${joined.join('')}`;
}

function partIn(text: string): string | undefined {
  const forms = [KEY, JSON.stringify(KEY), encodeURIComponent(KEY)];
  const parts = forms.flatMap((form) =>
    Array.from({ length: form.length - PART_LENGTH + 1 }, (_, at) =>
      form.slice(at, at + PART_LENGTH),
    ),
  );
  return parts.find((part) => text.includes(part));
}
