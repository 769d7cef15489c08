import assert from 'node:assert/strict';
import type { Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { openFixture } from '../harness/fixture.ts';
import { compat, HELLO, mintKey, moneyOf, mustRefuseCompat, type Body } from './_desk.ts';
import {
  answerOf,
  localProvider,
  MODEL,
  startUpstream,
  upstreamFile,
  type Upstream,
  type UpstreamFile,
} from './_upstream.ts';

const DOOR = '/v1/chat/completions';
const [user] = HELLO;
const image = { type: 'image_url', image_url: { url: 'https://a.example/x.png' } };
const called = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } };
const calling = { role: 'assistant', content: null, tool_calls: [called] };
const answered = { role: 'tool', tool_call_id: 'c1', content: '1' };
const says = (content: unknown): Body => ({ messages: [{ role: 'user', content }] });
const tool = (made: Body): Body => ({ tools: [{ type: 'function', function: made }] });

/** Each request, the code of its refusal, and the place that the refusal names. */
const CASES: readonly (readonly [what: string, more: Body, code: string, param: string])[] = [
  ['n above 1', { n: 3 }, 'n-above-one', 'n'],
  ['n of nothing', { n: 0 }, 'n-above-one', 'n'],
  ['an unknown model', { model: 'gpt' }, 'model-unknown', 'model'],
  ['no model', { model: undefined }, 'missing-field', 'model'],
  ['no messages', { messages: undefined }, 'missing-field', 'messages'],
  ['an empty list of messages', { messages: [] }, 'bad-request', 'messages'],
  ['messages that are null', { messages: null }, 'bad-request', 'messages'],
  [
    'a prompt that is longer than the context',
    { ...says('word '.repeat(40_000)), max_tokens: 10 },
    'too-many-tokens',
    'messages',
  ],
  [
    'a prompt that leaves no room for the answer',
    { ...says('word '.repeat(30_000)), max_tokens: 8_000 },
    'too-many-tokens',
    'max_tokens',
  ],
  ['an image', says([image]), 'bad-request', 'messages[0].content[0]'],
  [
    'an image beside text',
    says([{ type: 'text', text: 'What is it?' }, image]),
    'bad-request',
    'messages[0].content[1]',
  ],
  [
    'sound',
    says([{ type: 'input_audio', input_audio: { data: '', format: 'wav' } }]),
    'unknown-field-value',
    'messages[0].content[0].type',
  ],
  [
    'a text part without text',
    says([{ type: 'text' }]),
    'bad-request',
    'messages[0].content[0].text',
  ],
  ['a message without text', says(null), 'bad-request', 'messages[0].content'],
  [
    'an unknown role',
    { messages: [{ role: 'boss', content: 'x' }] },
    'unknown-field-value',
    'messages[0].role',
  ],
  [
    'the answer of a tool before its call',
    { messages: [answered, calling] },
    'bad-request',
    'messages[0].tool_call_id',
  ],
  ['a tool call without an answer', { messages: [user, calling] }, 'bad-request', 'messages'],
  [
    'a tool call without an id',
    { messages: [user, { ...calling, tool_calls: [{ ...called, id: undefined }] }] },
    'bad-request',
    'messages[1].tool_calls[0].id',
  ],
  ['a tool without a name', tool({}), 'bad-request', 'tools[0].function.name'],
  [
    'a tool whose schema is of no object',
    tool({ name: 'look', parameters: { type: 'array' } }),
    'bad-request',
    'tools[0].function.parameters',
  ],
  [
    'a tool of a kind that is not known',
    { tools: [{ type: 'web_search' }] },
    'bad-request',
    'tools[0].type',
  ],
];

describe('the compatible door refuses by name and free of charge', () => {
  let world: Fixture;
  let upstream: Upstream;
  let file: UpstreamFile;
  let key = '';
  before(async () => {
    upstream = await startUpstream();
    file = upstreamFile([localProvider(upstream)], [upstream]);
    world = await openFixture({ env: file.env });
    await world.fund(world.alice, '10000000');
    key = await mintKey(world.alice);
  });
  after(async () => {
    await world.close();
    await upstream.close();
    file.remove();
  });
  const ask = (more: Body, apiKey: string | undefined = key) =>
    compat(world, DOOR, apiKey, { model: MODEL.id, messages: HELLO, max_tokens: 100, ...more });
  const mustCostNothing = async (work: () => Promise<unknown>): Promise<void> => {
    const [before, asked] = [await moneyOf(world.alice), upstream.asked.length];
    await work();
    assert.deepEqual(await moneyOf(world.alice), before);
    assert.equal(upstream.asked.length, asked, 'no provider was asked');
  };

  for (const [what, more, code, param] of CASES) {
    for (const stream of [false, true]) {
      it(`${what}${stream ? ', in a stream' : ''}`, () =>
        mustCostNothing(async () => {
          const error = mustRefuseCompat(await ask({ stream, ...more }), 400, code);
          assert.equal(error['param'], param, String(error['message']));
          assert.equal(error['type'], 'invalid_request_error');
        }));
    }
  }

  it('a body of 2 MB', () =>
    mustCostNothing(async () => {
      mustRefuseCompat(await ask(says('a'.repeat(2 * 1_048_576))), 400, 'body-too-large');
    }));

  it('a body that is no JSON', () =>
    mustCostNothing(async () => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const sent = { method: 'POST', headers, body: '{"model":' };
      const answer = await world.anyone.send(new Request(new URL(DOOR, world.hub.url), sent));
      mustRefuseCompat(answer, 400, 'bad-json');
    }));

  it('no key, one that was never minted, and one that was revoked', () =>
    mustCostNothing(async () => {
      const path = `/api/v1/wallet/${world.alice.account}/api-keys`;
      const minted = mustOk(await world.alice.post(path, {}));
      mustOk(await world.alice.post(`${path}/${String(minted['id'])}/revoke`));
      const dead = [undefined, 'sk-nobody', `hub_${'a'.repeat(43)}`, String(minted['key'])];
      for (const each of dead) {
        const body = { model: MODEL.id, messages: HELLO };
        mustRefuseCompat(await compat(world, DOOR, each, body), 401, 'api-key');
      }
    }));

  it('takes a tool that needs nothing, and tool calls that are answered in order', async () => {
    upstream.play(() => answerOf(1));
    mustOk(await ask(tool({ name: 'now' })));
    mustOk(await ask({ messages: [user, calling, answered, user] }));
    assert.deepEqual(upstream.asked.at(-1)?.body['messages'], [user, calling, answered, user]);
  });

  it('what the provider itself takes for wrong, with its words, and not to be sent again', async () => {
    for (const stream of [false, true]) {
      const body = { error: { message: 'temperature is not for this model' } };
      upstream.play(() => ({ status: 400, body }));
      const before = await moneyOf(world.alice);
      const answer = await ask({ stream });
      const error = mustRefuseCompat(answer, 400, 'bad-request');
      assert.match(String(error['message']), /400: temperature is not for this model/);
      assert.equal(answer.headers.get('x-should-retry'), 'false');
      assert.deepEqual(await moneyOf(world.alice), before);
    }
  });
});
