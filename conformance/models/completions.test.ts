import assert from 'node:assert/strict';
import { at, mustOk } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import {
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
  type Upstream,
  type UpstreamFile,
} from './_upstream.ts';

const DOOR = '/v1/chat/completions';

hubsOnBothDatabases('models.completions', (open) => {
  let world: Fixture;
  let upstream: Upstream;
  let file: UpstreamFile;
  let key = '';
  before(async () => {
    upstream = await startUpstream();
    file = upstreamFile([localProvider(upstream, { idleMs: 400 })], [upstream]);
    world = await open({ env: file.env });
    await world.fund(world.alice, '10000000');
    key = await mintKey(world.alice);
  });
  after(async () => {
    await upstream.close();
    file.remove();
  });
  const ask = (more: Body = {}, headers: Readonly<Record<string, string>> = {}) =>
    compat(
      world,
      DOOR,
      key,
      { model: MODEL.id, messages: HELLO, max_tokens: 100, ...more },
      headers,
    );

  it('answers a completion with its receipt, paid by the account of the key', async () => {
    upstream.play(() => answerOf(3));
    const before = await moneyOf(world.alice);
    const answer = mustOk(await ask());
    assert.deepEqual(at(answer, 'choices', 0, 'message'), {
      role: 'assistant',
      content: 'word0 word1 word2 ',
      refusal: null,
    });
    assert.deepEqual(answer['usage'], {
      prompt_tokens: 20,
      completion_tokens: 3,
      total_tokens: 23,
    });
    const receipt = answer['receipt'] as Body;
    assert.deepEqual(
      [receipt['door'], receipt['charged'], receipt['apiKeyHint'], receipt['payer']],
      ['v1', '70', key.slice(0, 10), world.alice.account],
    );
    const after = await moneyOf(world.alice);
    assert.equal(before.spendable - after.spendable, 70n);
    assert.deepEqual((await receiptsOf(world.alice))[0], receipt);
  });

  it('streams chunks, then usage and receipt in one without choices, then [DONE]', async () => {
    upstream.play(() => answerOf(2));
    const answer = await ask({ stream: true, stream_options: { include_usage: true } });
    const events = eventsIn(answer.text).map(({ data }) => data);
    assert.equal(events.pop(), '[DONE]');
    const chunks = events.map((data) => JSON.parse(data) as Body);
    const last = chunks.at(-1);
    assert.deepEqual(
      [last?.['choices'], at(last, 'receipt', 'outcome'), at(last, 'usage', 'completion_tokens')],
      [[], 'completed', 2],
    );
    assert.equal(chunks.filter((each) => each['usage'] !== undefined).length, 1);
    assert.equal(new Set(chunks.map(({ id }) => id)).size, 1);
    const text = chunks.map((each) => at(each, 'choices', 0, 'delta', 'content') ?? '').join('');
    assert.equal(text, 'word0 word1 ');
    assert.equal(at(chunks.at(-2), 'choices', 0, 'finish_reason'), 'stop');
  });

  it('hands tools, formats and the rest on, and bills them as prompt', async () => {
    const tools = [
      { type: 'function', function: { name: 'look', parameters: { type: 'object' } } },
    ];
    const pieces = [
      { index: 0, id: 'c1', type: 'function', function: { name: 'look', arguments: '{"a"' } },
      { index: 0, function: { arguments: ':1}' } },
    ];
    upstream.play(() => [
      ...pieces.map((piece) => ({ tools: [piece] })),
      { finish: 'tool_calls' },
      usageOf(60, 9),
    ]);
    const options = {
      tools,
      tool_choice: 'auto',
      response_format: { type: 'json_object' },
      seed: 7,
      stop: ['END'],
      temperature: 0.5,
      top_p: 0.9,
    };
    const plain = mustOk(await ask({ user: 'me', logit_bias: {}, metadata: null }));
    const answer = mustOk(await ask({ ...options, max_tokens: null, max_completion_tokens: 50 }));
    const asked = upstream.asked.at(-1)?.body ?? {};
    for (const [name, value] of Object.entries(options)) assert.deepEqual(asked[name], value, name);
    assert.equal(asked['max_tokens'], 50);
    const message = at(answer, 'choices', 0, 'message') as Body;
    assert.equal(message['content'], null);
    assert.deepEqual(at(message, 'tool_calls', 0, 'function'), {
      name: 'look',
      arguments: '{"a":1}',
    });
    assert.equal(at(answer, 'choices', 0, 'finish_reason'), 'tool_calls');
    const [more, less] = [answer, plain].map((each) => BigInt(String(at(each, 'receipt', 'held'))));
    assert.ok((more ?? 0n) + 50n * 10n > (less ?? 0n), 'tools are part of what is held for');
  });

  it('is once for an Idempotency-Key; the repeat has the receipt and no text', async () => {
    upstream.play(() => answerOf(2));
    const once = { 'idempotency-key': 'mine' };
    const first = mustOk(await ask({}, once));
    const again = mustOk(await ask({}, once));
    assert.deepEqual(
      [again['id'], again['choices'], at(again, 'receipt', 'repeated')],
      [first['id'], [], true],
    );
    const stream = mustRefuseCompat(await ask({ stream: true }, once), 400, 'idempotency-mismatch');
    assert.match(String(stream['message']), /Idempotency-Key was used before/);
  });

  it('refuses in the form of its clients', async () => {
    const before = await moneyOf(world.alice);
    mustRefuseCompat(await compat(world, '/v1/moderations', key, {}), 404, 'no-route');
    mustRefuseCompat(await compat(world, DOOR, key), 405, 'method-not-allowed');
    assert.deepEqual(await moneyOf(world.alice), before);
    const poor = await world.agent();
    const body = { model: MODEL.id, messages: HELLO };
    const short = await compat(world, DOOR, await mintKey(poor), body);
    const error = mustRefuseCompat(short, 400, 'insufficient-funds');
    assert.deepEqual(
      [error['type'], short.headers.get('x-should-retry')],
      ['insufficient_quota', 'false'],
    );
  });

  it('answers 503 when no provider began, and an error chunk when one broke off', async () => {
    upstream.play(() => ({ status: 500, body: { error: { message: 'down' } } }));
    for (const stream of [false, true]) {
      const failed = await ask({ stream });
      const error = mustRefuseCompat(failed, 503, 'model-failed');
      assert.match(String(error['message']), /500: down/);
      assert.equal(failed.headers.get('x-should-retry'), 'true');
    }
    upstream.play(() => [{ say: 'a ' }, { waitMs: 50 }, { cut: true }]);
    const events = eventsIn((await ask({ stream: true })).text);
    const last = JSON.parse(events.at(-1)?.data ?? '{}') as Body;
    assert.deepEqual(
      [at(last, 'error', 'code'), at(last, 'receipt', 'charged')],
      ['model-failed', '0'],
    );
    upstream.play(() => answerOf(1));
    mustOk(await ask());
  });
});
