import assert from 'node:assert/strict';
import type { Answer } from '../harness/agents.ts';
import { at, mustOk } from '../harness/must.ts';
import { compat, moneyOf, receiptsOf, type Body } from './_desk.ts';
import {
  builtBlocks,
  dataOf,
  formSuite,
  kindsOf,
  NAMED,
  RICH,
  SCHEMA,
  SEEING,
  TWO_CALLS,
} from './_forms.ts';
import { answerOf, MODEL, usageOf } from './_upstream.ts';

const DOOR = '/v1/messages';
const TURNS = 200;
const TOOLS = [{ ...NAMED, input_schema: SCHEMA, cache_control: { type: 'ephemeral' } }];
const GO = [{ role: 'user', content: 'Say three words.' }];

function mustRefuse(answer: Answer, status: number, type: string, code: string): string {
  const error = at(answer.body, 'error') as Body | undefined;
  const refusal = [answer.status, answer.body['type'], error?.['type'], error?.['code']];
  assert.deepEqual(refusal, [status, 'error', type, code], answer.text);
  assert.match(String(answer.body['request_id']), /./);
  return String(error?.['message']);
}

formSuite('models.messages', (opened) => {
  const ask = (more: Body = {}, headers: Readonly<Record<string, string>> = {}) => {
    const { world, key } = opened();
    const body = { model: MODEL.id, max_tokens: 100, messages: GO, ...more };
    return compat(world, DOOR, undefined, body, { 'x-api-key': key, ...headers });
  };
  const asked = (): Body => opened().upstream.asked.at(-1)?.body ?? {};

  it('answers a message with its receipt, for the key in the header of its clients', async () => {
    const { upstream, world, key } = opened();
    upstream.play(() => answerOf(3));
    const before = await moneyOf(world.alice);
    const system = [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }];
    const { receipt, id, ...answer } = mustOk(await ask({ system, metadata: { user_id: 'u' } }));
    assert.deepEqual(answer, {
      type: 'message',
      role: 'assistant',
      model: MODEL.id,
      content: [{ type: 'text', text: 'word0 word1 word2 ' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: {
        input_tokens: 20,
        output_tokens: 3,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
    });
    assert.equal(id, `msg_${String(at(receipt, 'id'))}`);
    assert.deepEqual(asked()['messages'], [{ role: 'system', content: 'Be brief.' }, ...GO]);
    assert.equal(before.spendable - (await moneyOf(world.alice)).spendable, 70n);
    assert.deepEqual((await receiptsOf(world.alice))[0], receipt);
    mustOk(await compat(world, DOOR, key, { model: MODEL.id, max_tokens: 9, messages: GO }));
    const wrong = await ask({}, { 'x-api-key': 'hub_wrong' });
    mustRefuse(wrong, 401, 'authentication_error', 'api-key');
  });

  it('streams the blocks of an answer one after the other, as the whole has them', async () => {
    const { upstream } = opened();
    for (const play of [RICH, TWO_CALLS]) {
      upstream.play(() => play);
      const whole = mustOk(await ask({ tools: TOOLS }));
      const { text } = await ask({ tools: TOOLS, stream: true });
      const events = dataOf(text);
      assert.deepEqual(builtBlocks(events), whole['content'], text);
      const delta = events.find(({ type }) => type === 'message_delta');
      assert.deepEqual(at(delta, 'delta', 'stop_reason'), whole['stop_reason']);
      assert.deepEqual(delta?.['usage'], whole['usage']);
      assert.equal(at(delta, 'receipt', 'outcome'), 'completed');
      for (const name of ['annotations', 'images']) assert.deepEqual(delta?.[name], whole[name]);
      assert.deepEqual(kindsOf(text).slice(-3), [
        'content_block_stop',
        'message_delta',
        'message_stop',
      ]);
    }
    const called = mustOk(await ask({ tools: TOOLS }));
    assert.deepEqual(
      [called['stop_reason'], called['content']],
      [
        'tool_use',
        [
          { type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Łódź' } },
          { type: 'tool_use', id: 'c2', name: 'weather', input: { city: 'Oslo' } },
        ],
      ],
    );
    upstream.play(() => RICH);
    const rich = mustOk(await ask());
    assert.deepEqual(at(rich, 'content', 0), {
      type: 'thinking',
      thinking: 'Let me see. ',
      signature: '',
    });
    assert.equal(at(rich, 'content', 1, 'citations', 0, 'url'), 'https://a.example/');
    assert.deepEqual(
      [rich['annotations'], rich['images']],
      [[{ type: 'place', name: 'Łódź' }], [{ n: 1 }]],
    );
  });

  it(`carries a conversation of ${TURNS} turns with tools to the provider`, async () => {
    opened().upstream.play(() => answerOf(1, 9_000));
    const turns = Array.from({ length: TURNS }, (_, n) => [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'text', text: `Turn ${n}.` },
          { type: 'tool_use', id: `a${n}`, name: 'weather', input: { n } },
          { type: 'tool_use', id: `b${n}`, name: 'weather', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: `a${n}`, content: 'sun' },
          {
            type: 'tool_result',
            tool_use_id: `b${n}`,
            is_error: true,
            content: [{ type: 'text', text: 'no' }],
          },
          { type: 'text', text: 'Go on.', cache_control: { type: 'ephemeral' } },
        ],
      },
    ]).flat();
    mustOk(await ask({ messages: [...GO, ...turns], tools: TOOLS, tool_choice: { type: 'any' } }));
    const messages = asked()['messages'] as readonly Body[];
    assert.equal(messages.length, 1 + TURNS * 4);
    assert.deepEqual(messages.slice(1, 5), [
      {
        role: 'assistant',
        content: 'Turn 0.',
        tool_calls: [
          { id: 'a0', type: 'function', function: { name: 'weather', arguments: '{"n":0}' } },
          { id: 'b0', type: 'function', function: { name: 'weather', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a0', content: 'sun' },
      { role: 'tool', tool_call_id: 'b0', content: 'Error:\n\nno' },
      { role: 'user', content: 'Go on.' },
    ]);
    assert.equal(asked()['tool_choice'], 'required');
    assert.deepEqual(at(asked(), 'tools', 0), {
      type: 'function',
      function: { ...NAMED, parameters: SCHEMA },
    });
  });

  it('passes images, documents and thought on where the model takes them', async () => {
    opened().upstream.play(() => answerOf(1, 150));
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
    const image = { type: 'image', source };
    const pdf = { type: 'document', source: { ...source, media_type: 'application/pdf' } };
    const plain = {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'Plain.' },
    };
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'See.' }, image, pdf, plain] },
    ];
    mustOk(await ask({ model: SEEING.id, messages }));
    assert.deepEqual(at(asked(), 'messages', 0, 'content'), [
      { type: 'text', text: 'See.' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      {
        type: 'file',
        file: { file_data: 'data:application/pdf;base64,AAAA', filename: 'document.pdf' },
      },
      { type: 'text', text: 'Plain.' },
    ]);
    const shown = [
      ...GO,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [image] }] },
    ];
    mustOk(await ask({ model: SEEING.id, messages: shown }));
    assert.deepEqual((asked()['messages'] as readonly Body[]).slice(2), [
      { role: 'tool', tool_call_id: 'a', content: 'See below.' },
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
      },
    ]);
    mustRefuse(await ask({ messages }), 400, 'invalid_request_error', 'bad-request');
    const thinking = { type: 'enabled', budget_tokens: 1024 };
    mustOk(await ask({ model: 'acme/thought', thinking, top_k: 5 }));
    assert.deepEqual([asked()['thinking'], asked()['top_k']], [thinking, 5]);
    mustOk(await ask({ thinking: { type: 'disabled' } }));
    mustRefuse(await ask({ thinking }), 400, 'invalid_request_error', 'unsupported-parameter');
  });

  it('refuses in the form of its clients what no model here has', async () => {
    const { world } = opened();
    const before = await moneyOf(world.alice);
    const block = (more: Body): Body => ({ messages: [{ role: 'user', content: [more] }] });
    const refused: readonly (readonly [Body, string, RegExp])[] = [
      [{ model: 'no/such' }, 'model-unknown', /no model "no\/such"/],
      [{ max_tokens: undefined }, 'missing-field', /max_tokens/],
      [
        { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
        'unsupported-parameter',
        /web_search_20250305/,
      ],
      [{ mcp_servers: [{}] }, 'unsupported-parameter', /mcp_servers/],
      [block({ type: 'audio', source: {} }), 'unsupported-parameter', /"audio"/],
      [
        block({ type: 'image', source: { type: 'file', file_id: 'f' } }),
        'unsupported-parameter',
        /"file"/,
      ],
      [
        block({ type: 'tool_result', tool_use_id: 'x', content: 'a' }),
        'bad-request',
        /tool call "x"/,
      ],
      [{ messages: [{ role: 'user', content: [5] }] }, 'bad-request', /content/],
      [{ tool_choice: { type: 'some' } }, 'unsupported-parameter', /"some"/],
    ];
    for (const [body, code, words] of refused) {
      assert.match(mustRefuse(await ask(body), 400, 'invalid_request_error', code), words);
    }
    assert.deepEqual(await moneyOf(world.alice), before);
    const poor = await world.agent();
    const minted = mustOk(await poor.post(`/api/v1/wallet/${poor.account}/api-keys`, {}));
    const short = await ask({}, { 'x-api-key': String(minted['key']) });
    mustRefuse(short, 400, 'billing_error', 'insufficient-funds');
  });

  it('is once for an Idempotency-Key, and says how an answer was cut or broke off', async () => {
    const { upstream } = opened();
    upstream.play(() => answerOf(2));
    const once = { 'idempotency-key': 'messages-1' };
    const [first, again] = [mustOk(await ask({}, once)), mustOk(await ask({}, once))];
    assert.deepEqual(
      [again['id'], again['content'], at(again, 'receipt', 'repeated')],
      [first['id'], [], true],
    );
    upstream.play(() => [{ say: 'one' }, { finish: 'length' }, usageOf(20, 1)]);
    assert.equal(mustOk(await ask())['stop_reason'], 'max_tokens');
    upstream.play(() => [{ say: 'one ' }, { waitMs: 50 }, { cut: true }]);
    const last = dataOf((await ask({ stream: true })).text).at(-1);
    assert.deepEqual(
      [last?.['type'], at(last, 'error', 'type'), at(last, 'receipt', 'charged')],
      ['error', 'api_error', '0'],
    );
    upstream.play(() => ({ status: 500, body: { error: { message: 'down' } } }));
    for (const stream of [true, false]) {
      mustRefuse(await ask({ stream }), 503, 'overloaded_error', 'model-failed');
    }
    upstream.play(() => answerOf(1));
    mustOk(await ask());
  });
});
