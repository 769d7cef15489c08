import assert from 'node:assert/strict';
import type { Answer } from '../harness/agents.ts';
import { at, mustOk } from '../harness/must.ts';
import { compat, moneyOf, receiptsOf, type Body } from './_desk.ts';
import { dataOf, formSuite, NAMED, RICH, SCHEMA, SEEING, TWO_CALLS } from './_forms.ts';
import { answerOf, MODEL, usageOf } from './_upstream.ts';

const TURNS = 200;
const GO = [{ role: 'user', parts: [{ text: 'Say three words.' }] }];
const OLD_SCHEMA = { type: 'OBJECT', properties: { city: { type: 'STRING' } } };
const TOOLS = [{ functionDeclarations: [{ ...NAMED, parameters: OLD_SCHEMA }] }];

function mustRefuse(answer: Answer, status: number, name: string, code: string): string {
  const error = at(answer.body, 'error') as Body | undefined;
  const refusal = [
    answer.status,
    error?.['code'],
    error?.['status'],
    at(error, 'details', 0, 'reason'),
  ];
  assert.deepEqual(refusal, [status, status, name, code], answer.text);
  return String(error?.['message']);
}

formSuite('models.generate', (opened) => {
  const post = (path: string, body: Body, headers: Readonly<Record<string, string>>) =>
    compat(opened().world, `/v1beta/models/${path}`, undefined, body, {
      'x-goog-api-key': opened().key,
      ...headers,
    });
  const ask = (more: Body = {}, headers = {}, model: string = MODEL.id) =>
    post(`${encodeURIComponent(model)}:generateContent`, { contents: GO, ...more }, headers);
  const stream = (more: Body = {}, model: string = MODEL.id) =>
    post(
      `${encodeURIComponent(model)}:streamGenerateContent?alt=sse`,
      { contents: GO, ...more },
      {},
    );
  const asked = (): Body => opened().upstream.asked.at(-1)?.body ?? {};

  it('answers with its receipt, for the key in the header of its clients', async () => {
    const { upstream, world, key } = opened();
    upstream.play(() => answerOf(3));
    const before = await moneyOf(world.alice);
    const generationConfig = {
      maxOutputTokens: 100,
      temperature: 0.5,
      topP: 0.9,
      stopSequences: ['END'],
    };
    const systemInstruction = { parts: [{ text: 'Be brief.' }] };
    const { receipt, ...answer } = mustOk(await ask({ generationConfig, systemInstruction }));
    assert.deepEqual(answer, {
      candidates: [
        {
          content: { role: 'model', parts: [{ text: 'word0 word1 word2 ' }] },
          index: 0,
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 3, totalTokenCount: 23 },
      modelVersion: MODEL.id,
      responseId: at(receipt, 'id'),
    });
    const { messages, max_tokens, temperature, top_p, stop } = asked();
    assert.deepEqual([max_tokens, temperature, top_p, stop], [100, 0.5, 0.9, ['END']]);
    assert.deepEqual(messages, [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Say three words.' },
    ]);
    assert.equal(before.spendable - (await moneyOf(world.alice)).spendable, 70n);
    assert.deepEqual((await receiptsOf(world.alice))[0], receipt);
    const plain = post(`${MODEL.id}:generateContent`, { contents: GO }, {});
    mustOk(await plain);
    const newer = `/v1/models/${MODEL.id}:generateContent`;
    mustOk(await compat(world, newer, key, { contents: GO }));
    const unknown = await compat(world, newer.replace('acme', 'no'), key, { contents: GO });
    mustRefuse(unknown, 404, 'NOT_FOUND', 'not-found');
    mustRefuse(await ask({}, { 'x-goog-api-key': 'hub_x' }), 401, 'UNAUTHENTICATED', 'api-key');
  });

  it('streams what the whole answer has', async () => {
    const { upstream } = opened();
    for (const play of [RICH, TWO_CALLS]) {
      upstream.play(() => play);
      const whole = mustOk(await ask({ tools: TOOLS }));
      const events = dataOf((await stream({ tools: TOOLS })).text);
      const parts = events.flatMap(
        (each) => at(each, 'candidates', 0, 'content', 'parts') as Body[],
      );
      const texts = (all: readonly Body[], thought: boolean): string =>
        all
          .map((part) => (Boolean(part['thought']) === thought ? (part['text'] ?? '') : ''))
          .join('');
      const expected = at(whole, 'candidates', 0, 'content', 'parts') as Body[];
      for (const thought of [true, false])
        assert.equal(texts(parts, thought), texts(expected, thought));
      const calls = (all: readonly Body[]): readonly Body[] =>
        all.filter((part) => 'functionCall' in part);
      assert.deepEqual(calls(parts), calls(expected));
      const [first, last] = [events[0], events.at(-1)];
      assert.equal(at(last, 'receipt', 'outcome'), 'completed');
      if (events.length > 1) assert.equal(first?.['receipt'], undefined);
      const { content: _parts, ...beside } = at(last, 'candidates', 0) as Body;
      const { content: _all, ...wanted } = at(whole, 'candidates', 0) as Body;
      assert.deepEqual(beside, wanted);
    }
    const called = mustOk(await ask({ tools: TOOLS }));
    assert.deepEqual(at(called, 'candidates', 0, 'content', 'parts'), [
      { functionCall: { id: 'c1', name: 'weather', args: { city: 'Łódź' } } },
      { functionCall: { id: 'c2', name: 'weather', args: { city: 'Oslo' } } },
    ]);
    upstream.play(() => RICH);
    const rich = at(mustOk(await ask()), 'candidates', 0) as Body;
    assert.deepEqual(at(rich, 'content', 'parts'), [
      { text: 'Let me see. ', thought: true },
      { text: 'It is sunny.' },
    ]);
    assert.equal(
      at(rich, 'groundingMetadata', 'groundingChunks', 0, 'web', 'uri'),
      'https://a.example/',
    );
    assert.deepEqual(
      [rich['annotations'], rich['images']],
      [[{ type: 'place', name: 'Łódź' }], [{ n: 1 }]],
    );
  });

  it(`carries a conversation of ${TURNS} turns with tools to the provider, with ids or without`, async () => {
    opened().upstream.play(() => answerOf(1, 9_000));
    for (const named of [true, false]) {
      const id = (text: string): Body => (named ? { id: text } : {});
      const turns = Array.from({ length: TURNS }, (_, n) => [
        {
          role: 'model',
          parts: [
            { text: 'hm', thought: true },
            { text: `Turn ${n}.` },
            {
              functionCall: { ...id(`a${n}`), name: 'weather', args: { n } },
              thoughtSignature: 'sig',
            },
            { functionCall: { ...id(`b${n}`), name: 'time' } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { ...id(`b${n}`), name: 'time', response: { output: 'noon' } } },
            { functionResponse: { ...id(`a${n}`), name: 'weather', response: { output: 'sun' } } },
          ],
        },
      ]).flat();
      const toolConfig = {
        functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] },
      };
      mustOk(await ask({ contents: [...GO, ...turns], tools: TOOLS, toolConfig }));
      const messages = asked()['messages'] as readonly Body[];
      assert.equal(messages.length, 1 + TURNS * 3);
      const [first, second] = named ? ['a0', 'b0'] : ['call_1', 'call_2'];
      assert.deepEqual(messages.slice(1, 4), [
        {
          role: 'assistant',
          content: 'Turn 0.',
          tool_calls: [
            {
              extra_content: { google: { thought_signature: 'sig' } },
              id: first,
              type: 'function',
              function: { name: 'weather', arguments: '{"n":0}' },
            },
            { id: second, type: 'function', function: { name: 'time', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: second, content: '{"output":"noon"}' },
        { role: 'tool', tool_call_id: first, content: '{"output":"sun"}' },
      ]);
      assert.deepEqual(asked()['tool_choice'], { type: 'function', function: { name: 'weather' } });
      assert.deepEqual(at(asked(), 'tools', 0, 'function'), { ...NAMED, parameters: SCHEMA });
    }
  });

  it('passes images and formats on where the model takes them', async () => {
    opened().upstream.play(() => answerOf(1, 150));
    const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
    const contents = [{ role: 'user', parts: [{ text: 'See.' }, image] }];
    mustOk(await ask({ contents }, {}, SEEING.id));
    assert.deepEqual(at(asked(), 'messages', 0, 'content', 1), {
      type: 'image_url',
      image_url: { url: 'data:image/png;base64,AAAA' },
    });
    mustRefuse(await ask({ contents }), 400, 'INVALID_ARGUMENT', 'bad-request');
    const responseSchema = { ...OLD_SCHEMA, nullable: true, propertyOrdering: ['city'] };
    const generationConfig = { responseMimeType: 'application/json', responseSchema };
    mustOk(await ask({ generationConfig }));
    assert.deepEqual(asked()['response_format'], {
      type: 'json_schema',
      json_schema: { name: 'answer', schema: { ...SCHEMA, type: ['object', 'null'] } },
    });
  });

  it('refuses in the form of its clients what no model here has', async () => {
    const { world } = opened();
    const before = await moneyOf(world.alice);
    const part = (more: Body): Body => ({ contents: [{ role: 'user', parts: [more] }] });
    const config = (more: Body): Body => ({ generationConfig: more });
    const sound = { inlineData: { mimeType: 'audio/wav', data: 'AA' } };
    const refused: readonly (readonly [Body, string, RegExp])[] = [
      [part(sound), 'unsupported-parameter', /"audio\/wav"/],
      [part({ executableCode: {} }), 'unsupported-parameter', /executableCode/],
      [part({}), 'bad-request', /parts\[0\]/],
      [{ tools: [{ googleSearch: {} }] }, 'unsupported-parameter', /googleSearch/],
      [{ cachedContent: 'c' }, 'unsupported-parameter', /cachedContent/],
      [config({ candidateCount: 2 }), 'unsupported-parameter', /candidateCount/],
      [config({ responseModalities: ['AUDIO'] }), 'unsupported-parameter', /responseModalities/],
      [config({ topK: 5 }), 'unsupported-parameter', /top_k/],
      [config({ speechConfig: {} }), 'unsupported-parameter', /speechConfig/],
      [
        { safetySettings: [{ threshold: 'BLOCK_LOW_AND_ABOVE' }] },
        'unsupported-parameter',
        /threshold/,
      ],
    ];
    for (const [body, code, words] of refused) {
      assert.match(mustRefuse(await ask(body), 400, 'INVALID_ARGUMENT', code), words);
    }
    mustRefuse(await ask({}, {}, 'no/such'), 404, 'NOT_FOUND', 'not-found');
    const strange = await post(`${MODEL.id}:countTokens`, { contents: GO }, {});
    assert.equal(at(strange.body, 'error', 'code'), 400, strange.text);
    assert.deepEqual(await moneyOf(world.alice), before);
  });

  it('is once for an Idempotency-Key, and says how an answer was cut or broke off', async () => {
    const { upstream } = opened();
    upstream.play(() => answerOf(2));
    const once = { 'idempotency-key': 'generate-1' };
    const [first, again] = [mustOk(await ask({}, once)), mustOk(await ask({}, once))];
    assert.deepEqual(
      [again['responseId'], again['candidates'], at(again, 'receipt', 'repeated')],
      [first['responseId'], [], true],
    );
    upstream.play(() => [{ say: 'one' }, { finish: 'length' }, usageOf(20, 1)]);
    assert.equal(at(mustOk(await ask()), 'candidates', 0, 'finishReason'), 'MAX_TOKENS');
    upstream.play(() => [{ say: 'one ' }, { waitMs: 50 }, { cut: true }]);
    const last = dataOf((await stream()).text).at(-1);
    assert.deepEqual(
      [at(last, 'error', 'status'), at(last, 'receipt', 'charged')],
      ['UNAVAILABLE', '0'],
    );
    upstream.play(() => ({ status: 500, body: { error: { message: 'down' } } }));
    mustRefuse(await ask(), 503, 'UNAVAILABLE', 'model-failed');
    mustRefuse(await stream(), 503, 'UNAVAILABLE', 'model-failed');
    upstream.play(() => answerOf(1));
    mustOk(await ask());
  });
});
