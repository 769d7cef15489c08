import {
  BOTH,
  chunk,
  counted,
  data,
  DONE,
  end,
  entryOf,
  head,
  OSLO,
  role,
  type Shape,
  tools,
  top,
  usage,
  whole,
} from './_shapeParts.ts';

/** Streams that the types of `openai` and of hosts with a client like it allow. */
const entry = { ...top, top_logprobs: [top, { ...top, bytes: null }] };

const part = (type: string, more: Readonly<Record<string, unknown>>) => ({ type, ...more });

/** The `stream` of the official client cannot read it before version 7, but its chunks have it. */
export const CUSTOM_TOOL: Shape = {
  provider: 'openai, a call of a custom tool',
  lines: [
    role,
    tools({ index: 0, id: 'call_a', type: 'custom', custom: { name: 'sh', input: '' } }),
    tools({ index: 0, custom: { name: null, input: null } }),
    tools({ index: 0, custom: { input: 'ls' } }),
    tools({ index: 0, custom: { input: ' -l' } }),
    end('tool_calls'),
    counted(),
    DONE,
  ],
};

export const SHAPES_OF_CLIENTS: readonly Shape[] = [
  {
    provider: 'openai, probabilities with others and bytes',
    lines: [
      role,
      chunk({ content: 'Hello' }, { logprobs: { content: [entry], refusal: null } }),
      chunk({ refusal: 'No' }, { logprobs: { content: null, refusal: [entry] } }),
      end('stop', { logprobs: null }),
      counted(),
      DONE,
    ],
  },
  {
    provider: 'openai, members about the call beside an answer',
    lines: [
      chunk(
        { role: 'assistant', content: 'Hello' },
        {},
        { service_tier: 'flex', system_fingerprint: 'fp', obfuscation: 'aX', moderation: null },
      ),
      end('stop', {}, { service_tier: null }),
      counted({ completion_tokens_details: { reasoning_tokens: 2 } }),
      DONE,
    ],
  },
  {
    provider: 'groq-sdk, citations of documents and functions',
    lines: whole({
      annotations: [
        part('document_citation', {
          document_citation: { document_id: 'd', start_index: 0, end_index: 2 },
        }),
        part('function_citation', {
          function_citation: { tool_call_id: 't', start_index: 0, end_index: 2 },
        }),
      ],
    }),
  },
  {
    provider: 'groq-sdk, tools that it ran itself',
    lines: whole({
      executed_tools: [
        { index: 0, type: 'search', arguments: '{}', output: null, search_results: null },
        {
          index: 1,
          type: 'browser',
          arguments: '{}',
          output: 'o',
          browser_results: [{ title: 'A', url: 'https://a.example/', content: 'a' }],
          search_results: { images: [], results: [{ title: 'A', url: 'u', score: 1 }] },
          code_results: [{ png: 'x', text: 't' }],
        },
      ],
    }),
  },
  {
    provider: 'groq-sdk, usage of its own with nulls around it',
    lines: [
      chunk(
        { role: 'assistant', content: 'Hello', reasoning: null },
        {},
        { x_groq: { id: 'r', usage: null, error: null, debug: null, seed: null } },
      ),
      end('length', {}, { x_groq: { id: null, seed: 7, usage: { ...usage, queue_time: 0.1 } } }),
      DONE,
    ],
  },
  {
    provider: 'groq-sdk, an error in its own member',
    lines: [chunk({ role: 'assistant' }, {}, { x_groq: { id: 'r', error: 'over capacity' } })],
    want: { error: 'over capacity' },
  },
  {
    provider: 'together-ai, one probability beside the token',
    lines: [
      chunk(
        {
          role: 'assistant',
          content: 'Hello',
          token_id: 5,
          function_call: { name: null, arguments: '' },
        },
        { logprobs: -0.25, top_logprobs: { Hi: -0.25, Ho: -2 }, seed: 7 },
      ),
      end('eos', { seed: null }, { usage, warnings: [{ message: 'w' }] }),
      DONE,
    ],
    want: {
      content: 'Hello',
      logprobs: { content: [entryOf('Hello', -0.25, { Hi: -0.25, Ho: -2 })], refusal: null },
    },
  },
  {
    provider: 'together-ai, thought in two members at once',
    lines: [
      chunk({ role: 'assistant', content: null, reasoning: 'Hm.', reasoning_content: 'Hm.' }),
      chunk({ content: 'Hello', reasoning: null, reasoning_content: null }),
      end('stop', {}, { usage }),
      DONE,
    ],
    want: { content: 'Hello', reasoning: 'Hm.' },
  },
  {
    provider: 'cerebras, a chunk with null for all that it lacks',
    lines: [
      data({ ...head, choices: null, usage: null, time_info: null }),
      chunk({ role: null, content: 'Hello', reasoning: null, tool_calls: null, tokens: [1] }),
      chunk(undefined, { delta: null, text: null, tokens: null, logprobs: null }),
      end('stop', { reasoning_logprobs: null }, { usage, time_info: { total_time: 1 } }),
      DONE,
    ],
    want: { content: 'Hello' },
  },
  {
    provider: 'cerebras, a tool call with a null index',
    lines: [
      tools({ index: null, id: 'a', type: 'function', function: { name: 'get_w', arguments: '' } }),
      tools({ index: null, id: null, function: { name: null, arguments: OSLO } }),
      end('tool_calls', {}, { usage }),
      DONE,
    ],
    want: { calls: BOTH.slice(0, 1), finish: 'tool_calls' },
  },
  {
    provider: 'cerebras, an error with its status',
    lines: [
      chunk({ role: 'assistant', content: 'H' }),
      data({
        error: { message: 'too long', code: null, param: null, type: 'x', id: 'i' },
        status_code: 500,
      }),
    ],
    want: { error: 'too long' },
  },
  {
    provider: 'cerebras, an error without words',
    lines: [
      data({
        error: { message: null, code: 'c', param: 'seed', type: null, id: null },
        status_code: 500,
      }),
    ],
    want: { error: 'seed' },
  },
];
