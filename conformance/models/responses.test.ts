import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { at, mustOk } from '../harness/must.ts';
import { compat, moneyOf, mustRefuseCompat, receiptsOf, type Body } from './_desk.ts';
import { dataOf, formSuite, kindsOf, NAMED, RICH, SCHEMA, SEEING, TWO_CALLS } from './_forms.ts';
import { answerOf, MODEL, usageOf } from './_upstream.ts';

const DOOR = '/v1/responses';
const TURNS = 200;
const TOOLS = [{ type: 'function', ...NAMED, parameters: SCHEMA, strict: false }];

formSuite('models.responses', (opened) => {
  const ask = (more: Body = {}, headers: Readonly<Record<string, string>> = {}) => {
    const { world, key } = opened();
    const body = { model: MODEL.id, input: 'Say three words.', max_output_tokens: 100, ...more };
    return compat(world, DOOR, key, body, headers);
  };
  const client = (): OpenAI =>
    new OpenAI({ apiKey: opened().key, baseURL: `${opened().world.hub.url}/v1`, maxRetries: 0 });
  const asked = (): Body => opened().upstream.asked.at(-1)?.body ?? {};

  it('answers the official client, whole and as a stream, and charges once', async () => {
    const { upstream, world } = opened();
    upstream.play(() => answerOf(3));
    const before = await moneyOf(world.alice);
    const input = 'Say three words.';
    const made = await client().responses.create({
      model: MODEL.id,
      input,
      instructions: 'Be brief.',
    });
    assert.deepEqual(
      [made.output_text, made.status, made.usage?.total_tokens],
      ['word0 word1 word2 ', 'completed', 23],
    );
    assert.deepEqual(asked()['messages'], [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: input },
    ]);
    const stream = client().responses.stream({ model: MODEL.id, input });
    let text = '';
    stream.on('response.output_text.delta', ({ delta }) => (text += delta));
    const final = await stream.finalResponse();
    assert.deepEqual([text, final.output_text], [made.output_text, made.output_text]);
    assert.equal(before.spendable - (await moneyOf(world.alice)).spendable, 140n);
    const [receipt] = await receiptsOf(world.alice);
    assert.deepEqual([receipt?.['door'], receipt?.['charged']], ['v1', '70']);
  });

  it('gives every piece of an answer a place, in a stream as in the whole', async () => {
    const { upstream } = opened();
    for (const play of [RICH, TWO_CALLS]) {
      upstream.play(() => play);
      const whole = mustOk(await ask({ tools: TOOLS }));
      const streamed = await ask({ tools: TOOLS, stream: true });
      const events = dataOf(streamed.text);
      const last = events.at(-1)?.['response'] as Body;
      const plain = (answer: Body): unknown =>
        JSON.parse(JSON.stringify(answer['output']).replaceAll(/_[0-9a-f]{32}_/g, '_'));
      assert.deepEqual(plain(last), plain(whole));
      assert.deepEqual(
        events.map((each) => each['sequence_number']),
        events.map((_, n) => n),
      );
      const done = events.filter(({ type }) => type === 'response.output_item.done');
      assert.deepEqual(
        done.map(({ item }) => item),
        last['output'],
      );
    }
    const { output } = mustOk(await ask({ tools: TOOLS }));
    assert.deepEqual(
      (output as readonly Body[]).map((item) => [item['call_id'], item['arguments']]),
      [
        ['c1', '{"city":"Łódź"}'],
        ['c2', '{"city":"Oslo"}'],
      ],
    );
    upstream.play(() => RICH);
    const rich = mustOk(await ask());
    assert.equal(at(rich, 'output', 0, 'summary', 0, 'text'), 'Let me see. ');
    assert.deepEqual(at(rich, 'output', 1, 'content', 0, 'annotations'), [
      { type: 'url_citation', url: 'https://a.example/', title: 'A' },
      { type: 'place', name: 'Łódź' },
    ]);
    assert.deepEqual(at(rich, 'output', 1, 'images'), [{ n: 1 }]);
    assert.deepEqual(kindsOf((await ask({ stream: true })).text).slice(0, 5), [
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
    ]);
  });

  it(`carries a conversation of ${TURNS} turns with tools to the provider`, async () => {
    opened().upstream.play(() => answerOf(1, 9_000));
    const items = Array.from({ length: TURNS }, (_, n) => [
      { type: 'reasoning', id: `rs_${n}`, summary: [] },
      {
        role: 'assistant',
        content: [{ type: 'output_text', text: `Turn ${n}.`, annotations: [] }],
      },
      { type: 'function_call', call_id: `a${n}`, name: 'weather', arguments: '{}', extra: { n } },
      { type: 'function_call', call_id: `b${n}`, name: 'weather', arguments: '{}' },
      { type: 'function_call_output', call_id: `a${n}`, output: 'sun' },
      {
        type: 'function_call_output',
        call_id: `b${n}`,
        output: [{ type: 'input_text', text: 'rain' }],
      },
    ]).flat();
    const input = [{ role: 'user', content: [{ type: 'input_text', text: 'Go.' }] }, ...items];
    const body = { input, tools: TOOLS, tool_choice: 'auto', parallel_tool_calls: true };
    mustOk(await ask({ ...body, include: ['reasoning.encrypted_content'], store: false }));
    const messages = asked()['messages'] as readonly Body[];
    assert.equal(messages.length, 1 + TURNS * 3);
    assert.deepEqual(messages.slice(1, 4), [
      {
        role: 'assistant',
        content: 'Turn 0.',
        tool_calls: [
          {
            id: 'a0',
            type: 'function',
            function: { name: 'weather', arguments: '{}' },
            extra: { n: 0 },
          },
          { id: 'b0', type: 'function', function: { name: 'weather', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a0', content: 'sun' },
      { role: 'tool', tool_call_id: 'b0', content: 'rain' },
    ]);
    assert.deepEqual(at(asked(), 'tools', 0, 'function', 'name'), 'weather');
  });

  it('passes images, formats and effort on where the model takes them', async () => {
    opened().upstream.play(() => answerOf(1, 150));
    const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'low' };
    const document = {
      type: 'input_file',
      filename: 'a.pdf',
      file_data: 'data:application/pdf;base64,AA',
    };
    const text = { type: 'input_text', text: 'See.' };
    const input = [{ role: 'user', content: [text, image] }];
    const seen = mustOk(await ask({ model: SEEING.id, input }));
    assert.equal(at(seen, 'usage', 'input_tokens'), 150);
    assert.deepEqual(at(asked(), 'messages', 0, 'content', 1), {
      type: 'image_url',
      image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' },
    });
    const read = [{ role: 'user', content: [text, document] }];
    const held = mustOk(await ask({ model: SEEING.id, input: read }));
    const [more, less] = [held, seen].map((each) => Number(at(each, 'receipt', 'held')));
    assert.equal(
      (more ?? 0) - (less ?? 0),
      400 * 2,
      'a file is held for at 500 tokens, an image at 100',
    );
    mustRefuseCompat(await ask({ input }), 400, 'bad-request');
    const sound = [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }];
    const refused = mustRefuseCompat(await ask({ input: sound }), 400, 'unsupported-parameter');
    assert.match(String(refused['message']), /"input_audio"/);
    const format = { type: 'json_schema', name: 'day', schema: SCHEMA, strict: true };
    mustOk(await ask({ text: { format } }));
    assert.deepEqual(asked()['response_format'], {
      type: 'json_schema',
      json_schema: { name: 'day', schema: SCHEMA, strict: true },
    });
    const effort = { reasoning: { effort: 'low' } };
    mustOk(await ask({ model: 'acme/thought', ...effort }));
    assert.equal(asked()['reasoning_effort'], 'low');
    mustRefuseCompat(await ask(effort), 400, 'unsupported-parameter');
  });

  it('refuses what it would have to keep, and what no model here has, by name', async () => {
    const before = await moneyOf(opened().world.alice);
    const item = (more: Body): Body => ({ input: [more] });
    const refused: readonly (readonly [Body, string, RegExp])[] = [
      [{ previous_response_id: 'resp_1' }, 'unsupported-parameter', /previous_response_id/],
      [{ store: true }, 'unsupported-parameter', /store/],
      [{ background: true }, 'unsupported-parameter', /background/],
      [{ conversation: 'conv_1' }, 'unsupported-parameter', /conversation/],
      [{ truncation: 'auto' }, 'unsupported-parameter', /truncation/],
      [{ tools: [{ type: 'web_search' }] }, 'unsupported-parameter', /"web_search"/],
      [item({ type: 'item_reference', id: 'x' }), 'unsupported-parameter', /item_reference/],
      [item({ type: 'local_shell_call' }), 'unsupported-parameter', /local_shell_call/],
      [item({ role: 'user', content: 5 }), 'bad-request', /content is no list/],
      [item({ role: 'robot', content: 'a' }), 'bad-request', /role/],
      [item({ type: 'function_call', name: 'a' }), 'bad-request', /call_id/],
      [
        item({ type: 'function_call_output', call_id: 'z', output: 'a' }),
        'bad-request',
        /tool call/,
      ],
      [{ input: [5] }, 'bad-request', /input/],
    ];
    for (const [body, code, words] of refused) {
      const error = mustRefuseCompat(await ask(body), 400, code);
      assert.match(String(error['message']), words);
    }
    const { world } = opened();
    mustRefuseCompat(await compat(world, DOOR, undefined, {}), 401, 'api-key');
    assert.deepEqual(await moneyOf(world.alice), before);
  });

  it('is once for an Idempotency-Key, and says how an answer was cut or broke off', async () => {
    const { upstream } = opened();
    upstream.play(() => answerOf(2));
    const once = { 'idempotency-key': 'responses-1' };
    const [first, again] = [mustOk(await ask({}, once)), mustOk(await ask({}, once))];
    assert.deepEqual(
      [again['id'], again['output'], at(again, 'receipt', 'repeated')],
      [first['id'], [], true],
    );
    upstream.play(() => [{ say: 'one' }, { finish: 'length' }, usageOf(20, 1)]);
    const cut = mustOk(await ask());
    assert.deepEqual(
      [cut['status'], at(cut, 'incomplete_details', 'reason')],
      ['incomplete', 'max_output_tokens'],
    );
    upstream.play(() => [{ say: 'one ' }, { waitMs: 50 }, { cut: true }]);
    const last = dataOf((await ask({ stream: true })).text).at(-1);
    assert.deepEqual(
      [last?.['type'], at(last, 'response', 'receipt', 'charged')],
      ['response.failed', '0'],
    );
    upstream.play(() => ({ status: 500, body: { error: { message: 'down' } } }));
    for (const stream of [true, false])
      mustRefuseCompat(await ask({ stream }), 503, 'model-failed');
    upstream.play(() => answerOf(1));
    mustOk(await ask());
  });
});
