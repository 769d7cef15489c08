import assert from 'node:assert/strict';
import type { JsonObject } from '../../jsonObject.ts';
import { Conversation } from './conversation.ts';
import { FormFault, textPart } from './fault.ts';
import { readGoogle } from './googleAsk.ts';
import { plainSchema } from './googleSchema.ts';
import { MessagesBlocks } from './messagesAnswer.ts';
import { readMessages } from './messagesAsk.ts';
import { readResponses } from './responsesAsk.ts';
import { GrowingCalls, inputOf } from './toolTexts.ts';

describe('a conversation in another form', () => {
  it('has what the model said and called in one turn in one message', () => {
    const talk = new Conversation();
    talk.say('user', [textPart('a')]);
    talk.called('1', 'f', '{}');
    talk.speak([textPart('b'), textPart('c')]);
    talk.called('2', 'g', '{}', { extra: 1 });
    talk.answered('1', [textPart('d')]);
    talk.say('user', []);
    const call = (id: string, name: string): JsonObject => ({
      id,
      type: 'function',
      function: { name, arguments: '{}' },
    });
    assert.deepEqual(talk.ended(), [
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        content: 'b\n\nc',
        tool_calls: [call('1', 'f'), { extra: 1, ...call('2', 'g') }],
      },
      { role: 'tool', tool_call_id: '1', content: 'd' },
    ]);
  });

  it('refuses values of no form, and never throws anything else', () => {
    const values = [null, 5, 'x', [], [5], [null], {}, [{}], { type: 'x' }, [{ type: 'x' }], true];
    const readers = {
      input: readResponses,
      tools: readResponses,
      tool_choice: readResponses,
      text: readResponses,
      reasoning: readResponses,
      messages: readMessages,
      system: readMessages,
      thinking: readMessages,
      contents: readGoogle,
      systemInstruction: readGoogle,
      toolConfig: readGoogle,
      generationConfig: readGoogle,
      safetySettings: readGoogle,
    };
    const whole = { input: 'x', messages: [], contents: [] };
    let refused = 0;
    for (const [name, read] of Object.entries(readers)) {
      for (const value of values) {
        try {
          read({
            ...(read === readResponses
              ? { input: 'x' }
              : read === readMessages
                ? { messages: [] }
                : { contents: whole.contents }),
            [name]: value,
          });
        } catch (thrown) {
          assert.ok(
            thrown instanceof FormFault,
            `${name} ${JSON.stringify(value)}: ${String(thrown)}`,
          );
          assert.match(thrown.field, /^body\./);
          refused += 1;
        }
      }
    }
    assert.ok(refused > 60, String(refused));
  });
});

describe('a schema of the generateContent form', () => {
  it('becomes a JSON Schema; names of the caller stay', () => {
    const given = {
      type: 'OBJECT',
      properties: { type: { type: 'STRING', enum: ['STRING'], nullable: true } },
      propertyOrdering: ['type'],
    };
    assert.deepEqual(plainSchema(given), {
      type: 'object',
      properties: { type: { type: ['string', 'null'], enum: ['STRING'] } },
    });
    assert.deepEqual(plainSchema({ type: 'ARRAY', items: { type: 'INTEGER' }, minItems: '2' }), {
      type: 'array',
      items: { type: 'integer' },
      minItems: 2,
    });
  });

  it('ends at a depth that no model reads', () => {
    let deep: unknown = { type: 'STRING' };
    for (let n = 0; n < 10_000; n += 1) deep = { items: deep };
    assert.doesNotThrow(() => plainSchema(deep));
  });
});

describe('calls of tools', () => {
  it('grow from their pieces; arguments that are no object are given as they came', () => {
    const calls = new GrowingCalls();
    calls.take({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":' } });
    calls.take({ index: 1, id: 'b', function: { name: 'g', arguments: '[1]' }, extra: 1 });
    calls.take({ index: 0, function: { arguments: '1}' } });
    const [first, second] = calls.all();
    assert.ok(first !== undefined && second !== undefined);
    assert.deepEqual(
      [inputOf(first), inputOf(second), second.more],
      [{ x: 1 }, { unparsed: '[1]' }, { extra: 1 }],
    );
    assert.deepEqual(inputOf({ ...first, text: ' ' }), {});
  });

  it('keep words that come between two of them, after both', () => {
    const blocks = new MessagesBlocks();
    Array.from(
      blocks.take({ is: 'tools', calls: [{ index: 0, id: 'a', function: { name: 'f' } }] }),
    );
    Array.from(blocks.take({ is: 'text', text: 'well' }));
    Array.from(
      blocks.take({ is: 'tools', calls: [{ index: 0, function: { arguments: '{"x":1}' } }] }),
    );
    Array.from(blocks.end());
    assert.deepEqual(blocks.content, [
      { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } },
      { type: 'text', text: 'well' },
    ]);
  });
});
