import assert from 'node:assert/strict';
import { readMessage, toolCallsIn } from './content.ts';
import { finishOf } from './finish.ts';

const wordsIn = (message: Readonly<Record<string, unknown>>): readonly string[] =>
  readMessage(message).words.map(({ is, text }) => `${is}: ${text}`);

describe('what a delta says', () => {
  const forms: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['a text', 'a', ['text: a']],
    ['null', null, []],
    ['an empty text', '', []],
    ['a list of texts', ['a', 'b'], ['text: ab']],
    ['one part', { type: 'text', text: 'a' }, ['text: a']],
    [
      'parts of text',
      [
        { type: 'text', text: 'a' },
        { type: 'output_text', text: 'b' },
      ],
      ['text: ab'],
    ],
    ['a part without a type', [{ text: 'a' }], ['text: a']],
    ['a text with a value', [{ type: 'text', text: { value: 'a' } }], ['text: a']],
    [
      'a thought of parts',
      [{ type: 'thinking', thinking: [{ type: 'text', text: 'a' }] }],
      ['reasoning: a'],
    ],
    ['a thought of text', [{ type: 'thinking', thinking: 'a' }], ['reasoning: a']],
    [
      'a summary',
      [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'a' }] }],
      ['reasoning: a'],
    ],
    ['a thought with text', [{ type: 'reasoning_text', text: 'a' }], ['reasoning: a']],
    ['a refusal', [{ type: 'refusal', refusal: 'a' }], ['refusal: a']],
    [
      'thought and text in turn',
      [
        { type: 'thinking', thinking: 'a' },
        { type: 'text', text: 'b' },
        { type: 'thinking', thinking: 'c' },
      ],
      ['reasoning: a', 'text: b', 'reasoning: c'],
    ],
    ['numbers and nonsense', [1, null, true, [], { type: 'text' }], []],
  ];
  for (const [what, content, want] of forms) {
    it(`is read from ${what}`, () => assert.deepEqual(wordsIn({ content }), want));
  }

  it('has thought once, in whichever field it is', () => {
    for (const field of ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking']) {
      assert.deepEqual(wordsIn({ [field]: 'a', content: null }), ['reasoning: a']);
    }
    const details = [
      { type: 'reasoning.text', text: 'a' },
      { type: 'reasoning.summary', summary: 'b' },
    ];
    assert.deepEqual(wordsIn({ reasoning: 'ab', reasoning_details: details }), ['reasoning: ab']);
    assert.deepEqual(wordsIn({ reasoning: null, reasoning_details: details }), ['reasoning: ab']);
  });

  it('hands on parts that are no text', () => {
    const others = [
      { type: 'reference', reference_ids: [1] },
      { type: 'image_url', image_url: 'x' },
    ];
    const read = readMessage({ content: [{ type: 'text', text: 'a' }, ...others] });
    assert.deepEqual(read.others, others);
  });

  it('hands on members that providers add, unless they are empty or unknown', () => {
    const members = { images: [{ image_url: { url: 'x' } }], audio: { data: 'y' } };
    const read = readMessage({
      ...members,
      executed_tools: [],
      reasoning_details: null,
      mine: [1],
    });
    assert.deepEqual(read.members, members);
  });

  it('hands on the sources of a thought', () => {
    const source = { type: 'tool_reference', title: 'a' };
    const read = readMessage({
      content: [{ type: 'thinking', thinking: [{ text: 'b' }, source] }],
    });
    assert.deepEqual(read, {
      words: [{ is: 'reasoning', text: 'b' }],
      others: [source],
      members: {},
    });
  });

  it('has no call in an older member that is empty', () => {
    assert.deepEqual(toolCallsIn({ function_call: { name: null, arguments: '' } }), []);
  });

  it('has tool calls as a list, as one, or as the older member', () => {
    const call = { function: { name: 'a', arguments: '{}' } };
    assert.deepEqual(toolCallsIn({ tool_calls: [call, 1] }), [call]);
    assert.deepEqual(toolCallsIn({ tool_calls: call }), [call]);
    assert.deepEqual(toolCallsIn({ tool_calls: null, function_call: call.function }), [call]);
    assert.deepEqual(toolCallsIn({ tool_calls: [call], function_call: call.function }), [call]);
  });
});

describe('the reason why an answer ended', () => {
  const reasons = {
    stop: ['stop', 'STOP', 'eos', 'end_turn', 'COMPLETE', 'stop_sequence', 'unknown'],
    length: ['length', 'max_tokens', 'MAX_TOKENS', 'model_length'],
    tool_calls: ['tool_calls', 'tool_use', 'TOOL_CALL', 'function_call', 'tool-calls'],
    content_filter: ['content_filter', 'SAFETY', 'sensitive', 'RECITATION', 'ERROR_TOXIC'],
  };
  for (const [reason, all] of Object.entries(reasons)) {
    it(`is ${reason} in the words of every provider`, () => {
      for (const word of all) assert.equal(finishOf(word), reason, word);
    });
  }

  it('is none for an answer that was broken off', () => {
    for (const word of ['error', 'abort', 'network_error', 'insufficient_system_resource']) {
      assert.equal(finishOf(word), undefined, word);
    }
  });
});
