import assert from 'node:assert/strict';
import OpenAI, { APIError } from 'openai';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at } from '../harness/must.ts';
import { HELLO, mintKey, receiptsOf } from './_desk.ts';
import { NOT_PASSED_ON } from './_shapeReasons.ts';
import { chunk, DONE, end, type Seen, type Shape } from './_shapeParts.ts';
import { SHAPES } from './_shapes.ts';
import { CUSTOM_TOOL } from './_typesOfClients.ts';
import {
  localProvider,
  MODEL,
  startUpstream,
  upstreamFile,
  type Upstream,
  type UpstreamFile,
} from './_upstream.ts';

const NOTHING: Seen = {
  content: '',
  refusal: '',
  reasoning: '',
  calls: [],
  finish: 'stop',
  annotations: [],
  members: [],
  logprobs: null,
};

describe('a stream of a provider', () => {
  let world: Fixture;
  let upstream: Upstream;
  let file: UpstreamFile;
  let alone: OpenAI;
  let desk: OpenAI;
  before(async () => {
    upstream = await startUpstream();
    file = upstreamFile([localProvider(upstream)], [upstream]);
    world = await openFixture({ env: file.env });
    await world.fund(world.alice, '100000000');
    const key = await mintKey(world.alice);
    const more = { maxRetries: 0 };
    alone = new OpenAI({ baseURL: upstream.url, apiKey: 'k', ...more });
    desk = new OpenAI({ baseURL: `${world.hub.url}/v1`, apiKey: key, ...more });
  });
  after(async () => {
    await world.close();
    await upstream.close();
    file.remove();
  });
  const play = ({ lines }: Shape): void =>
    upstream.play(() => [...lines.map((raw) => ({ raw })), { end: true }]);

  for (const shape of SHAPES) {
    it(`has through the desk what its client has alone: ${shape.provider}`, async () => {
      play(shape);
      const through = await seenBy(desk);
      const { want } = shape;
      const expected = want === undefined ? await seenBy(alone) : undefined;
      if (want?.error !== undefined) {
        assert.ok(through.error?.includes(want.error), through.error);
        return;
      }
      assert.equal(through.error, undefined);
      assert.deepEqual(withoutUndefined(through), {
        ...withoutUndefined(expected ?? NOTHING),
        ...want,
      });
      const [receipt] = await receiptsOf(world.alice);
      assert.deepEqual(
        [at(receipt, 'outcome'), at(receipt, 'usage', 'source')],
        ['completed', 'provider'],
      );
    });
  }

  it('has the input of a custom tool in its chunks', async () => {
    play(CUSTOM_TOOL);
    const ask = { model: MODEL.id, messages: [...ASKED] };
    const read = async (client: OpenAI): Promise<unknown> => {
      let [name, input]: unknown[] = ['', ''];
      const asked = await client.chat.completions.create({ ...ask, stream: true });
      for await (const { choices } of asked) {
        const custom = at(choices[0]?.delta, 'tool_calls', '0', 'custom');
        name ||= at(custom, 'name');
        input = `${String(input)}${String(at(custom, 'input') ?? '')}`;
      }
      return [name, input];
    };
    assert.deepEqual(await read(desk), await read(alone));
    assert.deepEqual(await read(desk), ['sh', 'ls -l']);
    const { choices } = await desk.chat.completions.create(ask);
    assert.deepEqual((choices[0]?.message.tool_calls ?? []).map(textsIn), [['sh', 'ls -l']]);
  });

  it('has images, audio in one piece, and probabilities in a whole answer', async () => {
    const images = [{ type: 'image_url', image_url: { url: 'https://a.example/i' } }];
    const more = { images, audio: { id: 'a', data: 'UklG', transcript: 'Hi' } };
    const next = { images, audio: { data: 'Rg==', transcript: ' you' } };
    play({
      provider: 'any',
      lines: [...[more, next].map((each) => chunk(each)), end('stop'), DONE],
    });
    const { choices } = await desk.chat.completions.create({
      model: MODEL.id,
      messages: [...ASKED],
    });
    const message: unknown = choices[0]?.message;
    assert.deepEqual(at(message, 'images'), [...images, ...images]);
    assert.deepEqual(at(message, 'audio'), { id: 'a', data: 'UklGRg==', transcript: 'Hi you' });
  });

  it('has its calls by name and arguments when both are at one index, in a whole answer', async () => {
    const shape = SHAPES.find(({ provider }) => provider.startsWith('Ollama'));
    assert.ok(shape !== undefined);
    play(shape);
    const { choices } = await desk.chat.completions.create({
      model: MODEL.id,
      messages: [...ASKED],
    });
    const calls = choices[0]?.message.tool_calls ?? [];
    assert.deepEqual(
      calls.map(
        (each) => each.type === 'function' && [each.function.name, each.function.arguments],
      ),
      shape.want?.calls,
    );
    assert.equal(new Set(calls.map(({ id }) => id)).size, 2);
  });
});

const DELTA = 'choices[].delta.';
const OF_PROTOCOL: readonly string[] = [
  ...['role', 'content', 'refusal', 'reasoning', 'reasoning_content'],
  ...['tool_calls', 'function_call', 'annotations'],
];

const ASKED = HELLO.map(({ content }) => ({ role: 'user' as const, content }));

/** Reads a stream with the official client; thought, which it does not know, is joined here. */
async function seenBy(client: OpenAI): Promise<Seen> {
  let reasoning = '';
  const annotations: unknown[] = [];
  const members: [string, unknown][] = [];
  try {
    const stream = client.chat.completions.stream({ model: MODEL.id, messages: [...ASKED] });
    stream.on('chunk', ({ choices }) => {
      const delta: unknown = choices[0]?.delta;
      const shown = at(delta, 'reasoning_content') ?? at(delta, 'reasoning');
      reasoning += typeof shown === 'string' ? shown : '';
      annotations.push(...((at(delta, 'annotations') ?? []) as unknown[]));
      members.push(...membersOf(delta ?? {}));
    });
    const { choices } = await stream.finalChatCompletion();
    const [choice] = choices;
    assert.ok(choice !== undefined);
    const { content, refusal, tool_calls: calls } = choice.message;
    return {
      content: content ?? '',
      refusal: refusal ?? '',
      reasoning,
      calls: (calls ?? []).map(textsIn),
      finish: choice.finish_reason,
      annotations,
      members,
      logprobs: choice.logprobs ?? null,
    };
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    return { ...NOTHING, error: error.message };
  }
}

/** Members of a delta that are neither of the protocol nor about the call alone. */
function membersOf(delta: object): [string, unknown][] {
  return Object.entries(delta).filter(
    ([name, value]) =>
      value !== null && !OF_PROTOCOL.includes(name) && !(`${DELTA}${name}` in NOT_PASSED_ON),
  );
}

function withoutUndefined({ error: _, ...seen }: Seen): Omit<Seen, 'error'> {
  return seen;
}

/** The name of a call and its arguments, or the input of a custom tool. */
function textsIn(call: unknown): readonly [string, string] {
  const made = at(call, 'function') ?? at(call, 'custom');
  return [String(at(made, 'name')), String(at(made, 'arguments') ?? at(made, 'input'))];
}
