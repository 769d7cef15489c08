import {
  BOTH,
  called,
  chunk,
  citation,
  counted,
  data,
  DONE,
  end,
  entryOf,
  OSLO,
  role,
  type Shape,
  token,
  tools,
  top,
  usage,
  whole,
} from './_shapeParts.ts';

/** Streams that the types of hosts, servers and gateways allow (`npm run models:shapes`). */
const FIREWORKS = [
  {
    ...top,
    token_id: 1,
    text_offset: 0,
    sampling_logprob: -0.1,
    last_activation: null,
    routing_matrix: 'AA==',
    top_logprobs: [{ ...top, token_id: 1 }],
  },
  {
    ...top,
    token_id: 2,
    text_offset: 2,
    sampling_logprob: null,
    last_activation: 'AA==',
    routing_matrix: null,
    top_logprobs: [],
  },
];

const THOUGHT = {
  type: 'reasoning',
  id: 'r',
  encrypted_content: null,
  summary: [{ type: 'summary_text', text: 'Hm.' }],
};

export const SHAPES_OF_SERVERS: readonly Shape[] = [
  {
    provider: '@huggingface/tasks, one tool call and the end by a stop sequence',
    lines: [
      tools(called(0, 'a', 'get_w', OSLO)),
      end('stop_sequence', { logprobs: null }, { system_fingerprint: '3.3.4-native' }),
      counted(),
      DONE,
    ],
    want: { calls: BOTH.slice(0, 1), finish: 'stop' },
  },
  {
    provider: 'writer-sdk, sources of a graph, a translation and a search',
    lines: whole({
      refusal: null,
      tool_calls: null,
      llm_data: null,
      graph_data: {
        status: 'finished',
        subqueries: [null, { query: 'q', answer: 'a', sources: [] }],
        sources: [null, { file_id: 'f', snippet: 's' }],
      },
      translation_data: {
        source_text: 's',
        source_language_code: 'en',
        target_language_code: 'pl',
      },
      web_search_data: { sources: [{ url: 'https://a.example/', raw_content: 'r' }] },
    }),
  },
  {
    provider: 'fireworks-ai, probabilities in lists',
    lines: [
      chunk(
        { role: 'assistant', content: 'Hi you' },
        {
          logprobs: {
            tokens: ['Hi', ' you'],
            token_logprobs: [null, -0.5],
            text_offset: [0, 2],
            top_logprobs: [null, { ' you': -0.5, ' all': -3 }],
            token_ids: [1, 2],
          },
          token_ids: [1, 2],
          prompt_token_ids: null,
          raw_output: null,
        },
      ),
      end('length', {}, { usage, perf_metrics: null, prompt_token_ids: [3] }),
      DONE,
    ],
    want: {
      content: 'Hi you',
      finish: 'length',
      logprobs: {
        content: [entryOf('Hi', 0), entryOf(' you', -0.5, { ' you': -0.5, ' all': -3 })],
        refusal: null,
      },
    },
  },
  {
    provider: 'fireworks-ai, probabilities with figures of its own',
    lines: [
      role,
      chunk(
        { content: 'Hello' },
        {
          logprobs: {
            content: FIREWORKS,
          },
        },
      ),
      end('stop'),
      counted(),
      DONE,
    ],
    want: { content: 'Hello', logprobs: { content: FIREWORKS, refusal: null } },
  },
  {
    provider: 'fireworks-ai, lists that are null',
    lines: [
      chunk(
        { role: 'assistant', content: 'Hello' },
        {
          logprobs: {
            tokens: null,
            token_logprobs: null,
            top_logprobs: null,
            text_offset: null,
            token_ids: null,
          },
        },
      ),
      end('stop'),
      counted(),
      DONE,
    ],
    want: { content: 'Hello' },
  },
  {
    provider: 'zai-sdk, audio without a text',
    lines: whole({
      content: null,
      reasoning_content: null,
      audio: { id: 'a', data: 'UklGRg==', expires_at: 9 },
    }),
  },
  {
    provider: 'sglang, tool calls with arguments as objects and no index',
    lines: [
      tools({
        id: 'a',
        type: 'function',
        function: { name: 'get_w', arguments: { city: 'Oslo' } },
      }),
      tools({
        id: 'b',
        type: 'function',
        function: { name: 'get_a', arguments: { city: 'Bern' } },
      }),
      end('function_call', { matched_stop: 7 }, { usage, sglext: null }),
      DONE,
    ],
    want: { calls: BOTH, finish: 'tool_calls' },
  },
  {
    provider: 'sglang, an answer that it gave up',
    lines: [
      chunk({ role: 'assistant', content: 'H', hidden_states: null }),
      end('abort', { matched_stop: null }),
      counted(),
      DONE,
    ],
    want: { error: 'abort' },
  },
  {
    provider: 'litellm, null for all that a delta lacks',
    lines: [
      data({ choices: [], id: null, object: null, created: null, model: null }),
      ...whole({
        audio: { id: null, data: null, expires_at: null },
        thinking_blocks: [{ type: 'thinking', thinking: '', signature: null }],
        reasoning_items: [{ type: 'reasoning', id: 'r', encrypted_content: 'x', summary: [] }],
        annotations: null,
        images: null,
        function_call: null,
      }),
    ],
  },
  {
    provider: 'llama-stack-client, probabilities without others',
    lines: [
      role,
      chunk({ content: 'Hello' }, { logprobs: { content: [{ ...top, top_logprobs: null }] } }),
      chunk({ refusal: 'No' }, { logprobs: { refusal: [{ ...top, top_logprobs: null }] } }),
      end('stop', { matched_stop: 'x' }),
      counted(),
      DONE,
    ],
    want: {
      content: 'Hello',
      refusal: 'No',
      logprobs: {
        content: [{ ...top, top_logprobs: null }],
        refusal: [{ ...top, top_logprobs: null }],
      },
    },
  },
  {
    provider: 'litellm, images',
    lines: whole({
      images: [
        { type: 'image_url', index: 0, image_url: { url: 'data:image/png;base64,iVBORw==' } },
        { type: 'image_url', index: 1, image_url: { url: 'https://a.example/i', detail: null } },
        { type: 'image_url', index: 2, image_url: { url: 'https://a.example/j', detail: 'low' } },
      ],
      audio: null,
      annotations: [citation],
    }),
  },
  {
    provider: 'litellm, an image and no text at all',
    lines: [
      chunk({
        role: 'assistant',
        images: [{ type: 'image_url', index: 0, image_url: { url: 'https://a.example/i' } }],
      }),
      end('stop'),
      counted(),
      DONE,
    ],
  },
  {
    provider: 'litellm, blocks of thought, one of them hidden',
    lines: [
      chunk({
        thinking_blocks: [
          { type: 'thinking', index: 0, thinking: 'Hm.', signature: 's', cache_control: null },
          { type: 'redacted_thinking', index: 1, data: 'x' },
        ],
      }),
      ...whole({ thinking_blocks: null, reasoning_items: null }),
    ],
    want: {
      content: 'Hello',
      reasoning: 'Hm.',
      members: [
        [
          'thinking_blocks',
          [
            { type: 'thinking', index: 0, thinking: 'Hm.', signature: 's', cache_control: null },
            { type: 'redacted_thinking', index: 1, data: 'x' },
          ],
        ],
      ],
    },
  },
  {
    provider: 'litellm, items of thought with a summary',
    lines: whole({
      reasoning_items: [THOUGHT],
    }),
    want: {
      content: 'Hello',
      reasoning: 'Hm.',
      members: [['reasoning_items', [THOUGHT]]],
    },
  },
  {
    provider: 'llama-stack-client, thought and a token for each probability',
    lines: [
      chunk(
        { role: 'assistant', content: 'Hello', reasoning_content: 'Hm.' },
        { logprobs: { content: [token('Hi')] } },
        { system_fingerprint: null },
      ),
      end('content_filter'),
      counted(),
      DONE,
    ],
    want: {
      content: 'Hello',
      reasoning: 'Hm.',
      finish: 'content_filter',
      logprobs: { content: [token('Hi')], refusal: null },
    },
  },
];
