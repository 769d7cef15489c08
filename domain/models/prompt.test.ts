import assert from 'node:assert/strict';
import type { JsonObject } from '../jsonObject.ts';
import { contentTexts, messageOf, overheadOf, promptFault, textsOf } from './prompt.ts';

const user: JsonObject = { role: 'user', content: 'Look.' };
const calls = (...ids: readonly string[]): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look' } })),
});
const answers = (id: unknown, content: unknown = 'seen'): JsonObject => ({
  role: 'tool',
  tool_call_id: id,
  content,
});
const faultOf = (messages: readonly JsonObject[], options: JsonObject = {}) =>
  promptFault({ messages, options });

describe('the texts of a prompt', () => {
  it('are all that becomes tokens: contents, names, refusals, tool calls, tools and formats', () => {
    const call = { id: 'a', function: { name: 'look', arguments: '{}' } };
    const tools = [{ type: 'function', function: { name: 'look' } }];
    const format = { type: 'json_object' };
    const messages = [
      { role: 'user', name: 'me', content: [{ type: 'text', text: 'one' }, { text: 'two' }] },
      { role: 'assistant', content: null, refusal: 'no', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'a', content: 'seen' },
    ];
    assert.deepEqual(textsOf({ messages, options: { tools, response_format: format, seed: 1 } }), [
      ...['one', 'two', 'me', 'no', JSON.stringify(call), 'seen', 'a'],
      ...[JSON.stringify(tools), JSON.stringify(format)],
    ]);
    assert.deepEqual(textsOf({ messages: [user], options: {} }), ['Look.']);
  });

  it('are surrounded by four tokens a message, and three before the answer', () => {
    assert.equal(overheadOf({ messages: [], options: {} }), 3);
    assert.equal(overheadOf({ messages: [user, user], options: {} }), 11);
  });

  it('are the text of a content, or those of its parts', () => {
    const parts = [{ type: 'refusal', refusal: 'no', text: 'x' }, { text: 'yes' }, { text: 1 }, 5];
    assert.deepEqual(contentTexts(parts), ['no', 'yes']);
    assert.deepEqual([contentTexts('one'), contentTexts(null)], [['one'], []]);
  });
});

describe('a message', () => {
  it('loses the unset members that clients send, and keeps a content of null', () => {
    const sent = {
      role: 'assistant',
      name: null,
      content: [{ type: 'text', text: 'one', cache: null }],
      tool_calls: [{ id: 'a', index: null, function: { name: 'look', strict: null } }],
    };
    assert.deepEqual(messageOf(sent), {
      role: 'assistant',
      content: [{ type: 'text', text: 'one' }],
      tool_calls: [{ id: 'a', function: { name: 'look' } }],
    });
    assert.deepEqual(messageOf({ role: 'assistant', content: null, refusal: null }), {
      role: 'assistant',
      content: null,
    });
    assert.deepEqual(messageOf({ role: 'assistant', refusal: 'no' }), {
      role: 'assistant',
      refusal: 'no',
    });
  });
});

describe('a prompt', () => {
  it('is answered when each tool call is, and each message says something', () => {
    for (const messages of [
      [user],
      [user, calls('a'), answers('a')],
      [user, calls('a', 'b'), answers('b'), answers('a'), user],
      [calls('a'), answers('a'), calls('a'), answers('a')],
      [user, { role: 'assistant', content: null, refusal: 'no' }],
      [{ role: 'user', content: [{ type: 'text', text: 'Look.' }] }],
      [{ role: 'user', content: '' }],
    ]) {
      assert.equal(faultOf(messages), undefined, JSON.stringify(messages));
    }
  });

  const CALLED = 'Put the assistant message with that `tool_calls` entry before it.';
  const ANSWERED =
    'Put a message {"role":"tool","tool_call_id":"…","content":"…"} for each call right after the assistant message that makes it.';
  const TEXT =
    'Give it text; only an assistant message that calls tools or refuses goes without `content`.';
  const answersNone = (at: string, id: string): string =>
    `${at} answers the tool call ${id}, which no assistant message before it makes, or which is answered.`;
  const open = (id: string, end: string): string =>
    `The tool call "${id}" has no answer before ${end}.`;
  const empty = (at: string): string => `${at} has no text.`;
  type Row = readonly [readonly JsonObject[], error: string, hint: string, field: string];
  const content = (place: string): readonly [string, string, string] => [
    empty(`body.messages[0].content${place}`),
    TEXT,
    `body.messages[0].content${place}`,
  ];
  const faults: Readonly<Record<string, Row>> = {
    'an answer without its call': [
      [user, answers('a')],
      answersNone('body.messages[1]', '"a"'),
      CALLED,
      'body.messages[1].tool_call_id',
    ],
    'an answer that names no call': [
      [calls('a'), answers(undefined)],
      answersNone('body.messages[1]', 'null'),
      CALLED,
      'body.messages[1].tool_call_id',
    ],
    'a second answer of one call': [
      [calls('a'), answers('a'), answers('a')],
      answersNone('body.messages[2]', '"a"'),
      CALLED,
      'body.messages[2].tool_call_id',
    ],
    'an answer without text': [
      [calls('a'), answers('a', null)],
      empty('body.messages[1].content'),
      TEXT,
      'body.messages[1].content',
    ],
    'a call that is not answered next': [
      [calls('a', 'b'), answers('a'), user],
      open('b', 'body.messages[2]'),
      ANSWERED,
      'body.messages[2]',
    ],
    'a call that is not answered at the end': [
      [user, calls('a')],
      open('a', 'the end'),
      ANSWERED,
      'body.messages',
    ],
    'a call without an id': [
      [user, { role: 'assistant', tool_calls: [{ id: 'a' }, { id: 5 }] }],
      'body.messages[1].tool_calls[1].id is required: the answer of the tool names it.',
      'Send tool calls back as the model gave them.',
      'body.messages[1].tool_calls[1].id',
    ],
    'a message of a user without a text': [[{ role: 'user', content: null }], ...content('')],
    'a user who refuses': [[{ role: 'user', refusal: 'no' }], ...content('')],
    'a user who calls tools': [[{ ...calls('a'), role: 'user' }], ...content('')],
    'a message without parts': [[{ role: 'user', content: [] }], ...content('')],
    'an assistant that says nothing': [[{ role: 'assistant', content: null }], ...content('')],
    'a part without a text': [
      [{ role: 'user', content: [{ text: 'a' }, { type: 'input_audio' }] }],
      ...content('[1].text'),
    ],
    'an empty part beside tool calls': [
      [{ ...calls('a'), content: ['x'] }],
      ...content('[0].text'),
    ],
  };
  for (const [what, [messages, error, hint, field]] of Object.entries(faults)) {
    it(`is refused for ${what}`, () => {
      assert.deepEqual(faultOf(messages), { error, hint, field });
    });
  }
});

describe('the tools of a prompt', () => {
  const HINT = 'Send {"type":"function","function":{"name":"…","parameters":{"type":"object",…}}}.';
  const tool = (more: JsonObject): JsonObject => ({ type: 'function', function: more });
  const toolsFault = (...tools: readonly unknown[]) => faultOf([user], { tools });

  it('have a name, and parameters that are an object or absent', () => {
    for (const more of [
      { name: 'a' },
      { name: `${'A'.repeat(62)}_-` },
      { name: 'a', parameters: {} },
      { name: 'a', parameters: { type: 'object' } },
    ]) {
      assert.equal(toolsFault(tool(more)), undefined, JSON.stringify(more));
    }
    assert.equal(faultOf([user], { tools: 'none' }), undefined);
  });

  const type = ['type', 'is not "function", the one kind that is known'] as const;
  const name = ['function.name', 'is no name of up to 64 letters, digits, _ and -'] as const;
  const schema = ['function.parameters', 'is no JSON Schema of an object'] as const;
  const faults: readonly (readonly [string, unknown, readonly [at: string, is: string]])[] = [
    ['no object', 'look', type],
    ['of another kind', { type: 'custom', custom: {} }, type],
    ['without a function', { type: 'function' }, name],
    ['without a name', tool({}), name],
    ['named by a number', tool({ name: 5 }), name],
    ['named by 65 letters', tool({ name: 'a'.repeat(65) }), name],
    ['named with a blank', tool({ name: 'look up' }), name],
    ['named by nothing', tool({ name: '' }), name],
    ['with parameters of a list', tool({ name: 'a', parameters: [] }), schema],
    ['with parameters that are a text', tool({ name: 'a', parameters: 'city' }), schema],
    ['with parameters of null', tool({ name: 'a', parameters: null }), schema],
    ['with parameters of a text', tool({ name: 'a', parameters: { type: 'string' } }), schema],
  ];
  for (const [what, wrong, [at, is]] of faults) {
    it(`are refused for one ${what}`, () => {
      const field = `body.tools[1].${at}`;
      const fault = { error: `${field} ${is}.`, hint: HINT, field };
      assert.deepEqual(toolsFault(tool({ name: 'a' }), wrong), fault);
    });
  }
});
