import assert from 'node:assert/strict';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import OpenAI, { APIError, InternalServerError, NotFoundError } from 'openai';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at } from '../harness/must.ts';
import { mintKey, receiptsOf, until } from './_desk.ts';
import {
  answerOf,
  localProvider,
  MODEL,
  startUpstream,
  upstreamFile,
  usageOf,
  type Play,
  type Upstream,
  type UpstreamFile,
} from './_upstream.ts';

/** Clients as they come from npm, unmodified, against the compatible door. */
const PARAMETERS = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const } },
  required: ['city'],
};
const FUNCTION = { name: 'weather', description: 'The weather', parameters: PARAMETERS };
const CALLED: Play = [
  {
    tools: [{ index: 0, id: 'c1', type: 'function', function: { name: 'weather', arguments: '' } }],
  },
  { tools: [{ index: 0, function: { arguments: '{"city":"Łódź"}' } }] },
  { finish: 'tool_calls' },
  usageOf(60, 12),
];

describe('clients of the compatible door', () => {
  let world: Fixture;
  let upstream: Upstream;
  let file: UpstreamFile;
  let apiKey = '';
  let baseURL = '';
  before(async () => {
    upstream = await startUpstream();
    file = upstreamFile([localProvider(upstream)], [upstream]);
    world = await openFixture({ env: file.env });
    await world.fund(world.alice, '10000000');
    apiKey = await mintKey(world.alice);
    baseURL = `${world.hub.url}/v1`;
  });
  after(async () => {
    await world.close();
    await upstream.close();
    file.remove();
  });
  const never = new Promise<void>(() => undefined);
  const outcome = async () => (await receiptsOf(world.alice))[0]?.['outcome'];
  const down: Play = { status: 500, body: { error: { message: 'down' } } };
  const model = MODEL.id;
  const messages = [{ role: 'user' as const, content: 'Say three words.' }];

  describe('openai', () => {
    const client = (more: object = {}): OpenAI => new OpenAI({ apiKey, baseURL, ...more });

    it('lists, chats, streams and calls tools', async () => {
      upstream.play(() => answerOf(3));
      const { data } = await client().models.list();
      assert.deepEqual(
        data.map(({ id }) => id),
        [model],
      );
      assert.equal((await client().models.retrieve(model)).owned_by, 'acme');
      await assert.rejects(() => client().models.retrieve('no/such'), NotFoundError);
      const chat = await client().chat.completions.create({ model, messages });
      assert.equal(chat.choices[0]?.message.content, 'word0 word1 word2 ');
      assert.equal(chat.usage?.total_tokens, 23);
      const stream = client().chat.completions.stream({ model, messages });
      assert.equal((await stream.finalMessage()).content, 'word0 word1 word2 ');
      upstream.play(() => CALLED);
      const tools = [{ type: 'function' as const, function: FUNCTION }];
      for (const called of [
        await client().chat.completions.create({ model, messages, tools }),
        await client().chat.completions.stream({ model, messages, tools }).finalChatCompletion(),
      ]) {
        const [call] = called.choices[0]?.message.tool_calls ?? [];
        assert.deepEqual(call?.type === 'function' && call.function, {
          name: 'weather',
          arguments: '{"city":"Łódź"}',
        });
      }
    });

    it('aborts, and reads refusals and broken streams as errors', async () => {
      upstream.play(() => [{ say: 'one ' }, { wait: never }]);
      const stream = await client().chat.completions.create({ model, messages, stream: true });
      for await (const chunk of stream) {
        if (chunk.choices[0]?.delta.content === 'one ') break;
      }
      await until(async () => (await outcome()) === 'closed-early');
      const refused = client().chat.completions.create({ model: 'no/such', messages });
      await assert.rejects(refused, (error: unknown) => {
        assert.ok(error instanceof APIError);
        assert.deepEqual([error.status, error.code, error.param], [400, 'model-unknown', 'model']);
        return /no model "no\/such"/.test(error.message);
      });
      upstream.play(() => [{ say: 'one ' }, { waitMs: 50 }, { cut: true }]);
      const broken = await client().chat.completions.create({ model, messages, stream: true });
      await assert.rejects(async () => {
        for await (const chunk of broken) assert.ok(chunk.id.length > 0);
      }, /broke off/);
    });

    it('tries again by itself after a failure that cost nothing', async () => {
      let calls = 0;
      upstream.play(() => {
        calls += 1;
        return calls === 1 ? down : answerOf(1);
      });
      const chat = await client().chat.completions.create({ model, messages });
      assert.equal(chat.choices[0]?.message.content, 'word0 ');
      upstream.play(() => down);
      const failing = client({ maxRetries: 0 }).chat.completions.create({ model, messages });
      await assert.rejects(failing, InternalServerError);
      upstream.play(() => answerOf(1));
      await client().chat.completions.create({ model, messages });
    });
  });

  // The provider of the AI SDK, at the level at which the SDK calls it.
  describe('AI SDK', () => {
    const of = () =>
      createOpenAICompatible({ name: 'hub', apiKey, baseURL, includeUsage: true })(model);
    type Options = Parameters<ReturnType<typeof of>['doStream']>[0];
    const ask: Options = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }] };
    const tools: Options['tools'] = [
      { type: 'function', name: 'weather', description: 'The weather', inputSchema: PARAMETERS },
    ];

    it('generates, streams and calls tools', async () => {
      upstream.play(() => answerOf(3));
      const whole = await of().doGenerate(ask);
      assert.deepEqual(
        [whole.content, whole.usage.outputTokens.total],
        [[{ type: 'text', text: 'word0 word1 word2 ' }], 3],
      );
      let text = '';
      let last = '';
      for await (const part of (await of().doStream(ask)).stream) {
        if (part.type === 'text-delta') text += part.delta;
        assert.notEqual(part.type, 'error');
        last = part.type;
      }
      assert.deepEqual([text, last], ['word0 word1 word2 ', 'finish']);
      upstream.play(() => CALLED);
      const called = await of().doGenerate({ ...ask, tools });
      const [call] = called.content;
      assert.equal(call?.type === 'tool-call' && call.input, '{"city":"Łódź"}');
    });

    it('aborts, and reads a broken stream as an error part', async () => {
      upstream.play(() => [{ say: 'one ' }, { wait: never }]);
      const leave = new AbortController();
      const { stream } = await of().doStream({ ...ask, abortSignal: leave.signal });
      await assert.rejects(async () => {
        for await (const part of stream) if (part.type === 'text-delta') leave.abort();
      }, /abort/i);
      await until(async () => (await outcome()) === 'closed-early');
      upstream.play(() => [{ say: 'one ' }, { waitMs: 50 }, { cut: true }]);
      const kinds: string[] = [];
      for await (const part of (await of().doStream(ask)).stream) kinds.push(part.type);
      assert.ok(kinds.includes('error'), kinds.join(' '));
      upstream.play(() => answerOf(1));
      await of().doGenerate(ask);
    });

    it('learns which failures to retry, as its retries ask', async () => {
      upstream.play(() => down);
      const isRetryable = (error: unknown) => [at(error, 'statusCode'), at(error, 'isRetryable')];
      await assert.rejects(
        async () => of().doGenerate(ask),
        (error: unknown) => {
          assert.deepEqual(isRetryable(error), [503, true]);
          return true;
        },
      );
      upstream.play(() => answerOf(1));
      await of().doGenerate(ask);
      const wrong = createOpenAICompatible({ name: 'hub', apiKey, baseURL })('no/such');
      await assert.rejects(
        async () => wrong.doStream(ask),
        (error: unknown) => {
          assert.deepEqual(isRetryable(error), [400, false]);
          return true;
        },
      );
    });
  });

  describe('LangChain', () => {
    const of = (maxRetries = 0): ChatOpenAI =>
      new ChatOpenAI({ model, apiKey, configuration: { baseURL }, maxRetries });

    it('invokes, streams and binds tools', async () => {
      upstream.play(() => answerOf(3));
      const answer = await of().invoke('Say three words.');
      assert.deepEqual(
        [answer.content, at(answer, 'usage_metadata', 'output_tokens')],
        ['word0 word1 word2 ', 3],
      );
      let text = '';
      let tokens = 0;
      for await (const piece of await of().stream('Say three words.')) {
        text += String(piece.content);
        tokens += Number(at(piece, 'usage_metadata', 'total_tokens') ?? 0);
      }
      assert.deepEqual([text, tokens], ['word0 word1 word2 ', 23]);
      upstream.play(() => CALLED);
      const bound = of().bindTools([{ type: 'function', function: FUNCTION }]);
      assert.deepEqual((await bound.invoke('go')).tool_calls?.[0]?.args, { city: 'Łódź' });
    });

    it('aborts a stream, which is charged for what was generated', async () => {
      upstream.play(() => [{ say: 'one ' }, { wait: never }]);
      const leave = new AbortController();
      await assert.rejects(async () => {
        const stream = await of().stream('go', { signal: leave.signal });
        for await (const piece of stream) if (piece.content === 'one ') leave.abort();
      }, /abort/i);
      await until(async () => (await outcome()) === 'closed-early');
      assert.notEqual((await receiptsOf(world.alice))[0]?.['charged'], '0');
    });

    it('tries again by itself after a failure that cost nothing, and not after a refusal', async () => {
      let calls = 0;
      upstream.play(() => {
        calls += 1;
        return calls === 1 ? down : answerOf(1);
      });
      assert.equal((await of(2).invoke('go')).content, 'word0 ');
      const [second, first] = await receiptsOf(world.alice);
      assert.deepEqual([first?.['outcome'], second?.['outcome']], ['failed', 'completed']);
      const asked = upstream.asked.length;
      upstream.play(() => ({ status: 400, body: { error: { message: 'no' } } }));
      await assert.rejects(of(2).invoke('go'), /The provider refused the request/);
      assert.equal(upstream.asked.length, asked + 1);
    });

    it('reads a refusal as its error', async () => {
      const wrong = new ChatOpenAI({ model: 'no/such', apiKey, configuration: { baseURL } });
      await assert.rejects(() => wrong.invoke('go'), /no model "no\/such"/);
    });
  });
});
