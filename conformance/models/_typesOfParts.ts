import {
  BOTH,
  chunk,
  counted,
  data,
  DONE,
  end,
  head,
  OSLO,
  type Shape,
  tools,
  usage,
  whole,
} from './_shapeParts.ts';

/** Streams that the types of mistralai, openrouter and perplexity allow (`npm run models:shapes`). */
const part = (type: string, more: Readonly<Record<string, unknown>>) => ({ type, ...more });

const MISTRAL_PARTS = [
  part('image_url', { image_url: 'https://a.example/i.png' }),
  part('image_url', { image_url: { url: 'https://a.example/i.png', detail: 'low' } }),
  part('image_url', { image_url: { url: 'https://a.example/i.png', detail: null } }),
  part('document_url', { document_url: 'https://a.example/d', document_name: 'd' }),
  part('document_url', { document_url: 'https://a.example/d', document_name: null }),
  part('reference', { reference_ids: [1, 'b'] }),
  part('file', { file_id: 'f-1' }),
  part('input_audio', { input_audio: 'UklGRg==' }),
];

const PERPLEXITY_PARTS = [
  part('file_url', { file_url: { url: 'https://a.example/f' }, file_name: null }),
  part('file_url', { file_url: 'https://a.example/f', file_name: 'f' }),
  part('pdf_url', { pdf_url: { url: 'https://a.example/p' } }),
  part('pdf_url', { pdf_url: 'https://a.example/p' }),
  part('video_url', { video_url: { url: 'https://a.example/v', frame_interval: 2 } }),
  part('video_url', { video_url: { url: 'https://a.example/v', frame_interval: 'auto' } }),
  part('video_url', { video_url: 'https://a.example/v' }),
];

const STEPS = [
  { type: 'web_search', thought: 'Look it up.', web_search: { search_keywords: ['a'] } },
  { type: null, thought: ' Done.', execute_python: { code: '1', result: '1' } },
];

const FOUND = {
  title: 'A',
  url: 'https://a.example/',
  date: '2026-01-02',
  last_updated: null,
  snippet: 'a',
  source: 'web',
};

const DETAILS = [
  { type: 'reasoning.text', index: 0, text: 'Look', signature: null, format: null, id: null },
  { type: 'reasoning.text', index: 0, text: null, signature: 's' },
  { type: 'reasoning.summary', index: 1, summary: ' it', format: 'unknown', id: 'r-1' },
  { type: 'reasoning.encrypted', index: 2, data: 'x' },
  { type: 'reasoning.server_tool_call', index: 3, tool_call_id: 't', tool_name: 'web' },
  {
    type: 'reasoning.server_tool_call',
    index: 3,
    tool_call_id: null,
    tool_name: 'web',
    arguments: '{}',
    result: 'r',
  },
];

export const SHAPES_OF_PARTS: readonly Shape[] = [
  {
    provider: 'mistralai, parts that are no text',
    lines: whole({
      content: [
        ...MISTRAL_PARTS,
        part('thinking', { thinking: [], signature: null }),
        part('text', { text: 'Hello' }),
      ],
    }),
    want: { content: 'Hello', annotations: MISTRAL_PARTS },
  },
  {
    provider: 'mistralai, thought with sources',
    lines: whole({
      content: [
        {
          type: 'thinking',
          thinking: [
            part('text', { text: 'Hm.' }),
            part('reference', { reference_ids: [1, 'b'] }),
            part('tool_reference', {
              tool: 'web',
              title: 'A',
              url: 'https://a.example/',
              favicon: null,
              description: 'd',
            }),
            part('tool_reference', {
              tool: 'web',
              title: 'B',
              url: null,
              favicon: 'f',
              description: null,
            }),
          ],
          signature: 's',
          closed: true,
        },
        part('text', { text: 'Hello' }),
      ],
    }),
    want: {
      content: 'Hello',
      reasoning: 'Hm.',
      annotations: [
        part('reference', { reference_ids: [1, 'b'] }),
        part('tool_reference', {
          tool: 'web',
          title: 'A',
          url: 'https://a.example/',
          favicon: null,
          description: 'd',
        }),
        part('tool_reference', {
          tool: 'web',
          title: 'B',
          url: null,
          favicon: 'f',
          description: null,
        }),
      ],
    },
  },
  {
    provider: 'mistralai, an end that is an error',
    lines: [chunk({ role: 'assistant', content: 'H', tool_calls: null }), end('error')],
    want: { error: 'error' },
  },
  {
    provider: '@openrouter/sdk, audio in pieces',
    lines: [
      chunk({
        role: 'assistant',
        content: null,
        audio: { id: 'a', data: 'UklG', transcript: 'He' },
      }),
      chunk({ audio: { data: 'Rg==', transcript: 'y' } }),
      chunk({ audio: { expires_at: 9 } }),
      end('stop'),
      counted(),
      DONE,
    ],
  },
  {
    provider: '@openrouter/sdk, details of thought of each kind',
    lines: whole({ reasoning: null, reasoning_details: DETAILS }),
    want: { content: 'Hello', reasoning: 'Look it', members: [['reasoning_details', DETAILS]] },
  },
  {
    provider: '@openrouter/sdk, an error with the code of the model’s host',
    lines: [
      data({
        ...head,
        choices: [],
        error: { code: 529, message: 'overloaded', metadata: { provider_code: 'x' } },
      }),
    ],
    want: { error: 'overloaded' },
  },
  {
    provider: '@perplexity-ai, results of a search with their titles',
    lines: [
      data({
        ...head,
        choices: [],
        type: 'info',
        status: 'PENDING',
        search_results: null,
        citations: null,
      }),
      chunk(
        { role: 'assistant', content: 'Hello', reasoning_steps: null },
        {},
        { search_results: [FOUND], citations: [FOUND.url], type: 'message', status: null },
      ),
      chunk({ content: '' }, {}, { type: null }),
      end('stop', {}, { type: 'end_of_stream', status: 'COMPLETED', usage }),
    ],
    want: { content: 'Hello', annotations: [{ type: 'url_citation', url_citation: FOUND }] },
  },
  {
    provider: '@perplexity-ai, steps of thought and parts',
    lines: whole({
      reasoning_steps: STEPS,
      content: [part('text', { text: 'Hello' }), ...PERPLEXITY_PARTS],
      tool_calls: null,
      tool_call_id: null,
    }),
    want: {
      content: 'Hello',
      reasoning: 'Look it up. Done.',
      annotations: PERPLEXITY_PARTS,
      members: [['reasoning_steps', STEPS]],
    },
  },
  {
    provider: '@perplexity-ai, a tool call without a function',
    lines: [
      tools({ id: 'a', type: null, function: { name: 'get_w', arguments: null } }),
      tools({ id: null, type: 'function', function: null }),
      tools({ id: null, type: 'function', function: { name: null, arguments: OSLO } }),
      end('tool_calls', {}, { usage }),
      DONE,
    ],
    want: { calls: BOTH.slice(0, 1), finish: 'tool_calls' },
  },
];
