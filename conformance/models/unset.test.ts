import assert from 'node:assert/strict';
import { deref, operationOf } from '../harness/contract.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';
import { compat, HELLO, mintKey, type Body } from './_desk.ts';
import {
  answerOf,
  localProvider,
  MODEL,
  startUpstream,
  upstreamFile,
  type Upstream,
  type UpstreamFile,
} from './_upstream.ts';

/** Every optional member of the contract, of what clients build inside, and of no contract at all. */
const DOOR = '/v1/chat/completions';
const { requestBody } = operationOf('POST', DOOR)?.raw ?? {};
const BEYOND = [
  'functions',
  'function_call',
  'audio',
  'store',
  'seed',
  'reasoning_effort',
  'top_k',
];
const [user] = HELLO;
const tool = { name: 'now', description: null, parameters: null, strict: null };
const called = { id: 'c1', type: 'function', function: { name: 'now', arguments: '{}' } };
const unset = { name: null, refusal: null, audio: null, function_call: null };
const calling = { role: 'assistant', content: null, tool_calls: [called], ...unset };
const answered = { role: 'tool', tool_call_id: 'c1', content: '1', name: null };

describe('a member that is null', () => {
  let world: Fixture;
  let upstream: Upstream;
  let file: UpstreamFile;
  let key = '';
  before(async () => {
    upstream = await startUpstream(answerOf(1));
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
  const ask = (more: Body) =>
    compat(world, DOOR, key, { model: MODEL.id, messages: HELLO, ...more });

  it('is an unset one: it is not passed on, and the call is answered', async () => {
    const schema = at(requestBody, 'content', 'application/json', 'schema');
    const { properties } = deref<{ readonly properties: Body }>(schema);
    const optional = Object.keys(properties).filter(
      (name) => !['model', 'messages'].includes(name),
    );
    assert.ok(optional.length > 12, optional.join());
    for (const name of [...optional, ...BEYOND]) {
      const answer = await ask({ [name]: null });
      assert.equal(answer.status, 200, `${name}: ${answer.text}`);
      const own = ['stream', 'stream_options', 'max_tokens'].includes(name);
      assert.ok(own || upstream.asked.at(-1)?.body[name] === undefined, name);
    }
    mustOk(await ask(Object.fromEntries([...optional, ...BEYOND].map((name) => [name, null]))));
  });

  it('is an unset one within messages, tools and formats', async () => {
    const format = { type: 'json_schema', json_schema: { name: 'n', strict: null, schema: {} } };
    const tools = [{ type: 'function', function: tool }];
    const messages = [{ ...user, name: null }, calling, answered, { role: 'user', content: 'b' }];
    mustOk(await ask({ messages, tools, response_format: format, stream_options: null }));
    const sent = upstream.asked.at(-1)?.body ?? {};
    assert.deepEqual(sent['messages'], [
      user,
      { role: 'assistant', tool_calls: [called], content: null },
      { role: 'tool', tool_call_id: 'c1', content: '1' },
      { role: 'user', content: 'b' },
    ]);
    assert.deepEqual(sent['tools'], [{ type: 'function', function: { name: 'now' } }]);
    assert.deepEqual(sent['response_format'], {
      type: 'json_schema',
      json_schema: { name: 'n', schema: {} },
    });
  });
});
