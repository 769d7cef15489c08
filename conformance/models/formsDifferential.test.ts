import assert from 'node:assert/strict';
import { isObject, listOf, type JsonObject } from '../../domain/jsonObject.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';
import { compat, HELLO, mintKey, type Body } from './_desk.ts';
import { builtBlocks, dataOf } from './_forms.ts';
import { SHAPES } from './_shapes.ts';
import {
  localProvider,
  MODEL,
  startUpstream,
  upstreamFile,
  type Upstream,
  type UpstreamFile,
} from './_upstream.ts';

/**
 * All that a stream of a provider has through the chat form it has through each other form too, in
 * the whole as in the stream: a member that is dropped on the way was paid for and did not arrive.
 */
interface Had {
  /** Text and refusal, which are one in two of the forms. */
  readonly words: string;
  readonly thought: string;
  readonly calls: readonly (readonly [string, unknown])[];
  readonly sources: number;
  readonly members: JsonObject;
}

const OF_CHAT = ['role', 'content', 'refusal', 'reasoning_content', 'tool_calls', 'annotations'];
const OF_ITEM = ['id', 'type', 'role', 'content', 'status'];
const OF_MESSAGE = [
  ...['id', 'type', 'role', 'model', 'content', 'stop_reason', 'stop_sequence', 'usage', 'receipt'],
  ...['delta', 'annotations', 'logprobs'],
];
const OF_CANDIDATE = [
  'content',
  'index',
  'finishReason',
  'annotations',
  'logprobs',
  'groundingMetadata',
];

describe('an answer in another form', () => {
  let world: Fixture;
  let upstream: Upstream;
  let file: UpstreamFile;
  let key = '';
  before(async () => {
    upstream = await startUpstream();
    file = upstreamFile([localProvider(upstream)], [upstream]);
    world = await openFixture({ env: file.env });
    await world.fund(world.alice, '19000000');
    key = await mintKey(world.alice);
  });
  after(async () => {
    await world.close();
    await upstream.close();
    file.remove();
  });
  const ask = (path: string, more: Body) => compat(world, path, key, more);
  const chat = { model: MODEL.id, messages: HELLO, max_tokens: 100 };
  const parts = HELLO.map(({ content }) => ({ parts: [{ text: content }] }));
  const google = `/v1beta/models/${MODEL.id}`;

  for (const { provider, lines, want } of SHAPES) {
    if (want?.error !== undefined) continue;
    it(`has all that the chat form has: ${provider}`, async () => {
      upstream.play(() => [...lines.map((raw) => ({ raw })), { end: true }]);
      const expected = hadOfChat(mustOk(await ask('/v1/chat/completions', chat)));
      const asked = { model: MODEL.id, input: 'Say three words.', max_output_tokens: 100 };
      const response = mustOk(await ask('/v1/responses', asked));
      assert.deepEqual(hadOfItems(response), expected, 'responses, whole');
      const items = dataOf((await ask('/v1/responses', { ...asked, stream: true })).text);
      assert.deepEqual(hadOfItems(items.at(-1)?.['response']), expected, 'responses, stream');
      const message = mustOk(await ask('/v1/messages', chat));
      assert.deepEqual(hadOfBlocks(message), expected, 'messages, whole');
      const events = dataOf((await ask('/v1/messages', { ...chat, stream: true })).text);
      const last = events.find(({ type }) => type === 'message_delta') ?? {};
      const streamed = { ...last, content: builtBlocks(events) };
      assert.deepEqual(hadOfBlocks(streamed), expected, 'messages, stream');
      const made = mustOk(await ask(`${google}:generateContent`, { contents: parts }));
      assert.deepEqual(hadOfParts([made]), expected, 'generateContent, whole');
      const pieces = await ask(`${google}:streamGenerateContent?alt=sse`, { contents: parts });
      assert.deepEqual(hadOfParts(dataOf(pieces.text)), expected, 'generateContent, stream');
    });
  }
});

function hadOfChat(answer: Body): Had {
  const message = at(answer, 'choices', 0, 'message') as Body;
  return {
    words: `${textOf(message['content'])}${textOf(message['refusal'])}`,
    thought: textOf(message['reasoning_content']),
    calls: objectsIn(message['tool_calls']).map((call) => {
      const made = call['function'] ?? call['custom'];
      return [textOf(at(made, 'name')), parsed(at(made, 'arguments') ?? at(made, 'input'))];
    }),
    sources: listOf(message['annotations']).length,
    members: without(message, OF_CHAT),
  };
}

function hadOfItems(answer: unknown): Had {
  const items = objectsIn(at(answer, 'output'));
  const contents = items.flatMap(({ content }) => objectsIn(content));
  const messages = items.filter(({ type }) => type === 'message');
  return {
    words: contents.map(({ text, refusal }) => textOf(text ?? refusal)).join(''),
    thought: items
      .flatMap(({ summary }) => objectsIn(summary))
      .map(({ text }) => textOf(text))
      .join(''),
    calls: items
      .filter(({ type }) => type === 'function_call')
      .map(({ name, arguments: given }) => [textOf(name), parsed(given)]),
    sources: contents.flatMap(({ annotations }) => listOf(annotations)).length,
    members: Object.assign({}, ...messages.map((each) => without(each, OF_ITEM))) as JsonObject,
  };
}

function hadOfBlocks(message: Body): Had {
  const blocks = objectsIn(message['content']);
  const cited = blocks.flatMap(({ citations }) => listOf(citations));
  return {
    words: blocks.map(({ text }) => textOf(text)).join(''),
    thought: blocks.map(({ thinking }) => textOf(thinking)).join(''),
    calls: blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ name, input }) => [textOf(name), input]),
    sources: cited.length + listOf(message['annotations']).length,
    members: without(message, OF_MESSAGE),
  };
}

function hadOfParts(answers: readonly Body[]): Had {
  const candidates = answers.flatMap(({ candidates: each }) => objectsIn(each));
  const parts = candidates.flatMap(({ content }) => objectsIn(at(content, 'parts')));
  const words = (isThought: boolean): string =>
    parts
      .map(({ text, thought }) => (isThought === (thought === true) ? textOf(text) : ''))
      .join('');
  const last = candidates.at(-1) ?? {};
  const chunks = at(last, 'groundingMetadata', 'groundingChunks');
  return {
    words: words(false),
    thought: words(true),
    calls: parts.flatMap(({ functionCall: call }) =>
      isObject(call) ? [[textOf(call['name']), call['args']] as const] : [],
    ),
    sources: listOf(chunks).length + listOf(last['annotations']).length,
    members: without(last, OF_CANDIDATE),
  };
}

function objectsIn(value: unknown): readonly JsonObject[] {
  return listOf(value).filter(isObject);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The arguments as the forms have them that give them as an object. */
function parsed(text: unknown): unknown {
  if (textOf(text).trim() === '') return {};
  try {
    return JSON.parse(String(text)) as unknown;
  } catch {
    return { unparsed: text };
  }
}

function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([name, value]) => !names.includes(name) && value !== undefined),
  );
}
