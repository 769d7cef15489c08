import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';
import {
  chat,
  compat,
  eventsIn,
  HELLO,
  mintKey,
  moneyOf,
  mustRefuseCompat,
  receiptsOf,
  type Body,
} from './_desk.ts';
import {
  answerOf,
  localProvider,
  MODEL,
  startUpstream,
  upstreamFile,
  usageOf,
  type Step,
  type Upstream,
  type UpstreamFile,
} from './_upstream.ts';

/** Answers in the forms that providers give them, handed on whole at every door. */
const DOOR = '/v1/chat/completions';
const event = (data: unknown): Step => ({ raw: `data: ${JSON.stringify(data)}\n\n` });
const delta = (message: Body): Step => event({ choices: [{ index: 0, delta: message }] });
const REFUSED: readonly Step[] = [
  delta({ role: 'assistant', refusal: 'I ' }),
  delta({ refusal: 'cannot' }),
  { finish: 'stop' },
  usageOf(10, 3),
];
const THOUGHT: readonly Step[] = [
  delta({ role: 'assistant', reasoning_content: 'One, two, ' }),
  delta({ reasoning: 'three.' }),
  delta({ content: 'Three.' }),
  { finish: 'stop' },
  usageOf(10, 9),
];

describe('an answer of a model', () => {
  let world: Fixture;
  let upstream: Upstream;
  let file: UpstreamFile;
  let key = '';
  before(async () => {
    upstream = await startUpstream();
    const newer = { ...MODEL, id: 'acme/newer', lengthField: 'max_completion_tokens' };
    const own = { ...MODEL, id: 'acme/own', parameters: ['top_k', 'stop'] };
    file = upstreamFile([localProvider(upstream, { models: [MODEL, newer, own] })], [upstream]);
    world = await openFixture({ env: file.env });
    await world.fund(world.alice, '10000000');
    key = await mintKey(world.alice);
  });
  after(async () => {
    await world.close();
    await upstream.close();
    file.remove();
  });
  const ask = (more: Body = {}) =>
    compat(world, DOOR, key, { model: MODEL.id, messages: HELLO, max_tokens: 100, ...more });
  const chunksOf = async (more: Body = {}): Promise<readonly Body[]> => {
    const events = eventsIn((await ask({ stream: true, ...more })).text).map(({ data }) => data);
    assert.equal(events.pop(), '[DONE]');
    return events.map((data) => JSON.parse(data) as Body);
  };
  const joined = (chunks: readonly Body[], name: string): string =>
    chunks.map((each) => at(each, 'choices', 0, 'delta', name) ?? '').join('');

  it('has the words of a refusal, which are charged, at every door', async () => {
    upstream.play(() => REFUSED);
    const message = at(mustOk(await ask()), 'choices', 0, 'message');
    assert.deepEqual(message, { role: 'assistant', content: null, refusal: 'I cannot' });
    assert.equal(joined(await chunksOf(), 'refusal'), 'I cannot');
    const whole = mustOk(await chat(world.alice));
    assert.deepEqual([at(whole, 'message', 'content'), whole['refusal']], ['', 'I cannot']);
    assert.deepEqual(at(whole, 'receipt', 'usage'), {
      inputTokens: 10,
      outputTokens: 3,
      source: 'provider',
    });
    const events = eventsIn((await chat(world.alice, { stream: true })).text);
    const deltas = events.filter((each) => each.event === 'delta');
    const refusal = deltas.map(({ data }) => at(JSON.parse(data), 'refusal') ?? '').join('');
    assert.equal(refusal, 'I cannot');
    // Clients send the message back as they got it.
    upstream.play(() => answerOf(1));
    const later = { messages: [...HELLO, message, ...HELLO] };
    mustOk(await ask(later));
    const sent = { role: 'assistant', refusal: 'I cannot', content: null };
    assert.deepEqual(upstream.asked.at(-1)?.body['messages'], [...HELLO, sent, ...HELLO]);
    const part = [{ type: 'refusal', refusal: 'I cannot' }];
    mustOk(await ask({ messages: [...HELLO, { role: 'assistant', content: part }, ...HELLO] }));
  });

  it('has what the model writes while it thinks, which is charged, at every door', async () => {
    upstream.play(() => THOUGHT);
    const message = at(mustOk(await ask()), 'choices', 0, 'message');
    assert.deepEqual(
      [at(message, 'reasoning_content'), at(message, 'content'), at(message, 'refusal')],
      ['One, two, three.', 'Three.', null],
    );
    const chunks = await chunksOf();
    assert.equal(joined(chunks, 'reasoning_content'), 'One, two, three.');
    assert.equal(joined(chunks, 'content'), 'Three.');
    const whole = mustOk(await chat(world.alice));
    assert.equal(whole['reasoning'], 'One, two, three.');
    assert.equal(at(whole, 'receipt', 'usage', 'source'), 'provider');
  });

  it('has its tool calls by index, also when the provider gives none', async () => {
    const pieces = [
      { id: 'call_a', type: 'function', function: { name: 'get_w', arguments: '' } },
      { function: { arguments: '{"c":"P"}' } },
    ];
    const steps = pieces.map((piece) => delta({ tool_calls: [piece] }));
    upstream.play(() => [...steps, { finish: 'tool_calls' }, usageOf(10, 3)]);
    const calls = at(mustOk(await ask()), 'choices', 0, 'message', 'tool_calls');
    const made = { name: 'get_w', arguments: '{"c":"P"}' };
    assert.deepEqual(calls, [{ id: 'call_a', type: 'function', function: made }]);
    const places = (chunks: readonly Body[]) =>
      chunks.flatMap((each) => at(each, 'choices', 0, 'delta', 'tool_calls', 0, 'index') ?? []);
    assert.deepEqual(places(await chunksOf()), [0, 0]);
    const client = new OpenAI({ apiKey: key, baseURL: `${world.hub.url}/v1` });
    const messages = [{ role: 'user' as const, content: 'go' }];
    const stream = client.chat.completions.stream({ model: MODEL.id, messages });
    const final = (await stream.finalChatCompletion()).choices[0]?.message.tool_calls ?? [];
    assert.deepEqual(
      final.map((each) => at(each, 'function', 'arguments')),
      ['{"c":"P"}'],
    );
    const two = ['call_a', 'call_b'].map((id) => ({ ...pieces[0], id }));
    upstream.play(() => [
      ...two.map((piece) => delta({ tool_calls: [{ ...piece, index: 0 }] })),
      { finish: 'tool_calls' },
    ]);
    assert.deepEqual(places(await chunksOf()), [0, 1]);
  });

  it('has a chunk without choices only for a caller that asks for usage', async () => {
    upstream.play(() => answerOf(2));
    for (const stream_options of [undefined, null, {}, { include_usage: null }]) {
      const chunks = await chunksOf({ stream_options });
      assert.ok(chunks.every((each) => at(each, 'choices', 0) !== undefined));
      assert.ok(chunks.every((each) => each['usage'] === undefined));
      const last = chunks.at(-1);
      assert.equal(at(last, 'choices', 0, 'finish_reason'), 'stop');
      assert.deepEqual(last?.['receipt'], (await receiptsOf(world.alice))[0]);
    }
    const asked = await chunksOf({ stream_options: { include_usage: true } });
    assert.deepEqual(asked.map((each) => (each['choices'] as unknown[]).length).at(-1), 0);
    assert.equal(at(asked.at(-1), 'usage', 'total_tokens'), 22);
    assert.equal(asked.filter((each) => each['receipt'] !== undefined).length, 1);
  });

  it('is a failure and free when a provider broke it off under a name of its own', async () => {
    for (const finish of ['error', 'abort']) {
      upstream.play(() => [{ say: 'one ' }, { finish }, usageOf(10, 1)]);
      const error = mustRefuseCompat(await ask(), 503, 'model-failed');
      assert.match(String(error['message']), new RegExp(finish));
    }
    upstream.play(() => [{ say: 'one ' }, { finish: 'eos_token' }, usageOf(10, 1)]);
    assert.equal(at(mustOk(await ask()), 'choices', 0, 'finish_reason'), 'stop');
  });

  it('is not charged by a figure that its bytes exclude', async () => {
    upstream.play(() => [{ say: 'hi' }, { finish: 'stop' }, usageOf(20, 60)]);
    const receipt = at(mustOk(await ask()), 'receipt');
    assert.deepEqual(
      [at(receipt, 'usage', 'outputTokens'), at(receipt, 'usage', 'source')],
      [1, 'counted'],
    );
  });

  describe('to an error as the first event', () => {
    const tooLong = 'The input is longer than the context';
    const mine: readonly (readonly [body: Body, words: string])[] = [
      [
        { error: { object: 'error', message: tooLong, type: 'BadRequestError', code: 400 } },
        tooLong,
      ],
      [
        { choices: null, error_type: 'BadRequestError', error_message: tooLong, code: 400 },
        tooLong,
      ],
      [{ object: 'error', message: tooLong, type: 'BadRequestError', code: 400 }, tooLong],
      [{ error: { message: tooLong, code: '422' } }, tooLong],
      [{ error: { message: tooLong, type: 'invalid_request_error', code: null } }, tooLong],
      [{ error: { message: tooLong, code: 'context_length_exceeded' } }, tooLong],
      [{ detail: [{ msg: tooLong }], status: 422 }, tooLong],
    ];
    const theirs: readonly Body[] = [
      { error: { message: 'full', code: 503 } },
      { error: { message: 'slow down', code: 429, type: 'invalid_request_error' } },
      { error: { message: 'no such key', type: 'invalid_request_error', code: 'invalid_api_key' } },
      { error: { message: 'The words "BadRequestError" of a caller' } },
      { error: 'full' },
    ];

    it('is 400 with its words, and no fault of the provider, when it blames the request', async () => {
      for (const [body, words] of mine) {
        upstream.play(() => [event(body)]);
        for (const stream of [false, true]) {
          const before = await moneyOf(world.alice);
          const answer = await ask({ stream });
          const error = mustRefuseCompat(answer, 400, 'bad-request');
          assert.ok(String(error['message']).includes(words), String(error['message']));
          assert.equal(answer.headers.get('x-should-retry'), 'false');
          assert.deepEqual(await moneyOf(world.alice), before);
        }
      }
      const { providers } = (await offer()) as { providers: readonly Body[] };
      assert.equal(providers[0]?.['resting'], false);
    });

    it('is 503, to be sent again, when it blames the provider', async () => {
      for (const body of theirs) {
        upstream.play(() => [event(body)]);
        const answer = await ask();
        mustRefuseCompat(answer, 503, 'model-failed');
        assert.equal(answer.headers.get('x-should-retry'), 'true');
      }
      const { providers } = (await offer()) as { providers: readonly Body[] };
      assert.equal(providers[0]?.['resting'], true, 'five faults in a row let it rest');
      upstream.play(() => answerOf(1));
      mustOk(await ask());
    });
  });

  async function offer(id = MODEL.id): Promise<Body> {
    const { models } = mustOk(await world.anyone.get('/api/v1/models'));
    const found = (models as readonly Body[]).find((each) => each['id'] === id);
    assert.ok(found !== undefined);
    return found;
  }

  it('costs nothing when it would ignore a parameter: the parameter is refused', async () => {
    const asked = upstream.asked.length;
    const wrong: Body = { top_k: 3, logprobs: true, functions: [], reasoning_effort: 'low' };
    for (const [name, value] of Object.entries(wrong)) {
      const error = mustRefuseCompat(await ask({ [name]: value }), 400, 'unsupported-parameter');
      assert.equal(error['param'], name);
      assert.deepEqual(error['allowed'], (await offer())['parameters']);
    }
    const signed = await chat(world.alice, { model: 'acme/own', temperature: 1 });
    assert.deepEqual([signed.status, signed.body['code']], [400, 'unsupported-parameter']);
    assert.equal(upstream.asked.length, asked);
    upstream.play(() => answerOf(1));
    const labels = { user: 'me', metadata: { a: 'b' }, store: false, modalities: ['text'] };
    mustOk(await ask({ model: 'acme/own', top_k: 3, stop: 'x', ...labels }));
    const sent = upstream.asked.at(-1)?.body ?? {};
    assert.deepEqual([sent['top_k'], sent['stop'], sent['user']], [3, 'x', undefined]);
    assert.deepEqual((await offer('acme/own'))['parameters'], ['top_k', 'stop']);
    const bias = { frequency_penalty: 1, logit_bias: { 5: 1 }, parallel_tool_calls: false };
    mustOk(await ask(bias));
    const passed = upstream.asked.at(-1)?.body ?? {};
    for (const [name, value] of Object.entries(bias)) assert.deepEqual(passed[name], value);
  });

  it('is limited by the name that the provider wants', async () => {
    upstream.play(() => answerOf(1));
    mustOk(await ask({ model: 'acme/newer', max_tokens: 7 }));
    const newer = upstream.asked.at(-1)?.body ?? {};
    assert.deepEqual([newer['max_completion_tokens'], newer['max_tokens']], [7, undefined]);
    mustOk(await ask({ max_tokens: 7 }));
    const older = upstream.asked.at(-1)?.body ?? {};
    assert.deepEqual([older['max_completion_tokens'], older['max_tokens']], [undefined, 7]);
  });
});
