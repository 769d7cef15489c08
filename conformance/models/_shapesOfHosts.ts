import {
  BERN,
  BOTH,
  called,
  chunk,
  counted,
  data,
  DONE,
  end,
  head,
  OSLO,
  role,
  tools,
  usage,
  type Shape,
} from './_shapeParts.ts';

/** Streams of Gemini, xAI, and of those that host models of others. */
export const SHAPES_OF_HOSTS: readonly Shape[] = [
  {
    provider: 'Gemini, tool calls at one index without ids, usage in each chunk',
    lines: [
      chunk({ role: 'assistant', tool_calls: [called(0, '', 'get_w', OSLO)] }, {}, { usage }),
      chunk({ role: 'assistant', tool_calls: [called(0, '', 'get_a', BERN)] }, {}, { usage }),
      chunk({ role: 'assistant' }, { finish_reason: 'stop' }, { usage }),
      DONE,
    ],
    want: { calls: BOTH },
  },
  {
    provider: 'Gemini, an error as a list',
    lines: [
      data([{ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }]),
    ],
    want: { error: 'The model is overloaded.' },
  },
  {
    provider: 'Ollama, whole tool calls at one index',
    lines: [
      tools({ index: 0, function: { name: 'get_w', arguments: OSLO }, type: 'function' }),
      tools({ index: 0, function: { name: 'get_a', arguments: BERN }, type: 'function' }),
      end('tool_calls'),
      counted(),
      DONE,
    ],
    want: { calls: BOTH, finish: 'tool_calls' },
  },
  {
    provider: 'xAI, a whole tool call and addresses of sources',
    lines: [
      chunk({ role: 'assistant', reasoning_content: 'Search.' }),
      chunk({ content: 'See A.' }),
      end('stop', {}, { citations: ['https://a.example/', 'https://b.example/'], usage }),
      DONE,
    ],
    want: {
      content: 'See A.',
      reasoning: 'Search.',
      annotations: ['https://a.example/', 'https://b.example/'].map((url) => ({
        type: 'url_citation',
        url_citation: { url },
      })),
    },
  },
  {
    provider: 'Perplexity, sources and the whole message in each chunk',
    lines: [
      chunk(
        { role: 'assistant', content: 'One ' },
        { message: { role: 'assistant', content: 'One ' } },
        { citations: ['https://a.example/'], usage },
      ),
      chunk(
        { role: 'assistant', content: 'two' },
        { message: { role: 'assistant', content: 'One two' } },
        { citations: ['https://a.example/'], usage },
      ),
      chunk(
        { role: 'assistant', content: '' },
        { finish_reason: 'stop', message: { role: 'assistant', content: 'One two' } },
        { object: 'chat.completion.done', citations: ['https://a.example/'], usage },
      ),
    ],
    want: {
      content: 'One two',
      annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example/' } }],
    },
  },
  {
    provider: 'Moonshot, usage in the choice',
    lines: [role, chunk({ content: 'Hello' }), end('stop', { usage }), DONE],
  },
  {
    provider: 'MiniMax, the whole message once more at the end',
    lines: [
      chunk({ role: 'assistant', content: 'Hello' }),
      end('stop'),
      data({
        ...head,
        object: 'chat.completion',
        choices: [
          { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello' } },
        ],
        usage,
        base_resp: { status_code: 0, status_msg: 'success' },
      }),
    ],
    want: { content: 'Hello' },
  },
  {
    provider: 'MiniMax, an error in a status',
    lines: [
      data({ ...head, choices: null, base_resp: { status_code: 1004, status_msg: 'login fail' } }),
    ],
    want: { error: 'login fail' },
  },
  {
    provider: 'Together, text beside the delta and an end of its own',
    lines: [
      data({
        ...head,
        choices: [
          {
            index: 0,
            text: 'Hi there',
            delta: { role: 'assistant', content: 'Hi there', token_id: 5 },
            logprobs: null,
            finish_reason: null,
          },
        ],
        usage: null,
      }),
      end('length', { text: '' }, { usage }),
      DONE,
    ],
  },
  {
    provider: 'Databricks, thought as a part with a summary',
    lines: [
      chunk({
        role: 'assistant',
        content: [
          {
            type: 'reasoning',
            summary: [{ type: 'summary_text', text: 'Think. ', signature: '' }],
          },
        ],
      }),
      chunk({ content: [{ type: 'text', text: 'An answer' }] }),
      end('stop', {}, { usage }),
      DONE,
    ],
    want: { content: 'An answer', reasoning: 'Think. ' },
  },
  {
    provider: 'Text Generation Inference, one tool call that is no list',
    lines: [
      chunk({
        role: 'assistant',
        tool_calls: {
          index: 0,
          id: '',
          type: 'function',
          function: { name: 'get_w', arguments: '{"city":' },
        },
      }),
      chunk({
        role: 'assistant',
        tool_calls: {
          index: 0,
          id: '',
          type: 'function',
          function: { name: null, arguments: '"Oslo"}' },
        },
      }),
      end('eos_token'),
      counted(),
      DONE,
    ],
    want: { calls: BOTH.slice(0, 1), finish: 'stop' },
  },
  {
    provider: 'vLLM, thought, repeated names and an empty last event',
    lines: [
      role,
      chunk({ reasoning_content: 'Call it.' }),
      tools(called(0, 'call_a', 'get_w', '')),
      tools(called(0, 'call_a', 'get_w', OSLO)),
      end('tool_calls', { stop_reason: null }),
      counted(),
      DONE,
    ],
  },
  {
    provider: 'a server that streams a whole message as one event',
    lines: [
      data({
        ...head,
        object: 'chat.completion',
        choices: [
          {
            index: 0,
            finish_reason: 'stop',
            message: { role: 'assistant', content: 'All at once' },
          },
        ],
        usage,
      }),
      'data: \n\n',
      DONE,
    ],
    want: { content: 'All at once', finish: 'stop' },
  },
  {
    provider: 'a server of the older functions',
    lines: [
      chunk({ role: 'assistant', content: null, function_call: { name: 'get_w', arguments: '' } }),
      chunk({ function_call: { arguments: OSLO } }),
      end('function_call'),
      counted(),
      DONE,
    ],
    want: { calls: BOTH.slice(0, 1), finish: 'tool_calls' },
  },
];
