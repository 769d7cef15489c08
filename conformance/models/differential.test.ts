import assert from 'node:assert/strict';
import OpenAI, { APIError } from 'openai';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at } from '../harness/must.ts';
import { HELLO, mintKey, receiptsOf } from './_desk.ts';
import type { Seen, Shape } from './_shapeParts.ts';
import { SHAPES } from './_shapes.ts';
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

const ASKED = HELLO.map(({ content }) => ({ role: 'user' as const, content }));

/** Reads a stream with the official client; thought, which it does not know, is joined here. */
async function seenBy(client: OpenAI): Promise<Seen> {
  let reasoning = '';
  const annotations: unknown[] = [];
  try {
    const stream = client.chat.completions.stream({ model: MODEL.id, messages: [...ASKED] });
    stream.on('chunk', ({ choices }) => {
      const delta: unknown = choices[0]?.delta;
      const shown = at(delta, 'reasoning_content') ?? at(delta, 'reasoning');
      reasoning += typeof shown === 'string' ? shown : '';
      annotations.push(...((at(delta, 'annotations') ?? []) as unknown[]));
    });
    const { choices } = await stream.finalChatCompletion();
    const [choice] = choices;
    assert.ok(choice !== undefined);
    const { content, refusal, tool_calls: calls } = choice.message;
    return {
      content: content ?? '',
      refusal: refusal ?? '',
      reasoning,
      calls: (calls ?? []).map(({ function: made }) => [made.name, made.arguments] as const),
      finish: choice.finish_reason,
      annotations,
      logprobs: choice.logprobs ?? null,
    };
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    return { ...NOTHING, error: error.message };
  }
}

function withoutUndefined({ error: _, ...seen }: Seen): Omit<Seen, 'error'> {
  return seen;
}
