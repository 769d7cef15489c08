import assert from 'node:assert/strict';
import { isParameter, parametersOf } from './parameters.ts';

describe('parameters of a chat completion', () => {
  it('are all members but those of the desk, labels and what asks for nothing', () => {
    const body = {
      model: 'm',
      messages: [],
      stream: true,
      stream_options: {},
      n: 1,
      max_tokens: 5,
      user: 'me',
      metadata: { a: 'b' },
      safety_identifier: 's',
      prompt_cache_key: 'k',
      logprobs: false,
      store: false,
      modalities: ['text'],
      service_tier: 'auto',
      temperature: null,
      tools: null,
      top_p: undefined,
      temperature_: 1,
      top_k: 3,
      reasoning_effort: 'low',
      logit_bias: {},
    };
    const wanted = { temperature_: 1, top_k: 3, reasoning_effort: 'low', logit_bias: {} };
    assert.deepEqual(parametersOf(body), wanted);
  });

  it('count what the desk cannot give as a parameter, so that it is refused', () => {
    const asked = { store: true, modalities: ['audio'], functions: [] };
    assert.deepEqual(parametersOf(asked), asked);
    for (const name of Object.keys(asked)) assert.equal(isParameter(name), false, name);
    assert.ok(
      ['logprobs', 'top_logprobs', 'top_k', 'temperature', 'reasoning_effort'].every(isParameter),
    );
    for (const wrong of ['model', 'stream', 'max_tokens', 'Top K', '__proto__', '', 7]) {
      assert.equal(isParameter(wrong), false, String(wrong));
    }
  });

  it('lose unset members of what clients build, and keep the nulls of a schema', () => {
    const schema = { type: 'object', properties: { a: { enum: ['x', null], default: null } } };
    const asked = {
      tools: [
        {
          type: 'function',
          function: { name: 'f', description: null, strict: null, parameters: schema },
        },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'n', strict: null, schema } },
      tool_choice: { type: 'function', function: { name: 'f' } },
    };
    assert.deepEqual(parametersOf(asked), {
      tools: [{ type: 'function', function: { name: 'f', parameters: schema } }],
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema } },
      tool_choice: asked.tool_choice,
    });
  });
});
