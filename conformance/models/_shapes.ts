import {
  BERN,
  BOTH,
  called,
  chunk,
  citation,
  counted,
  data,
  DONE,
  end,
  head,
  role,
  token,
  tools,
  usage,
  type Shape,
} from './_shapeParts.ts';
import { SHAPES_OF_CLIENTS } from './_typesOfClients.ts';
import { SHAPES_OF_PARTS } from './_typesOfParts.ts';
import { SHAPES_OF_SERVERS } from './_typesOfServers.ts';
import { SHAPES_OF_HOSTS } from './_shapesOfHosts.ts';

/** Streams of the makers of models, and of OpenRouter; the others are those of hosts. */
export const SHAPES: readonly Shape[] = [
  ...SHAPES_OF_HOSTS,
  ...SHAPES_OF_CLIENTS,
  ...SHAPES_OF_PARTS,
  ...SHAPES_OF_SERVERS,
  {
    provider: 'OpenAI, text with probabilities and sources',
    lines: [
      chunk(
        { role: 'assistant', content: '', refusal: null },
        { logprobs: null },
        { usage: null, obfuscation: 'x' },
      ),
      chunk({ content: 'Hel' }, { logprobs: { content: [token('Hel')], refusal: null } }),
      chunk({ content: 'lo' }, { logprobs: { content: [token('lo')], refusal: null } }),
      chunk({ annotations: [citation] }),
      end('stop'),
      counted(),
      DONE,
    ],
  },
  {
    provider: 'OpenAI, a refusal',
    lines: [
      chunk({ role: 'assistant', content: null, refusal: '' }),
      chunk({ refusal: 'I can' }, { logprobs: { content: null, refusal: [token('I can')] } }),
      chunk({ refusal: 'not.' }, { logprobs: { content: null, refusal: [token('not.')] } }),
      end('stop'),
      counted(),
      DONE,
    ],
  },
  {
    provider: 'OpenAI, two tool calls',
    lines: [
      role,
      tools(called(0, 'call_a', 'get_w', '')),
      tools(called(0, undefined, undefined, '{"city":')),
      tools(called(0, undefined, undefined, '"Oslo"}')),
      tools(called(1, 'call_b', 'get_a', '')),
      tools(called(1, undefined, undefined, BERN)),
      end('tool_calls'),
      counted(),
      DONE,
    ],
  },
  {
    provider: 'Azure OpenAI, filter results before and beside',
    lines: [
      data({
        ...head,
        choices: [],
        prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }],
      }),
      chunk(
        { role: 'assistant', content: 'Hello' },
        { content_filter_results: { hate: { filtered: false } } },
      ),
      end('content_filter'),
      counted(),
      DONE,
    ],
  },
  {
    provider: 'Mistral, content as parts with thought and a reference',
    lines: [
      chunk({ role: 'assistant', content: '' }),
      chunk({
        content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Two and two.' }] }],
      }),
      chunk({
        content: [
          { type: 'text', text: 'Four' },
          { type: 'reference', reference_ids: [1] },
        ],
      }),
      chunk({ content: '.' }, { finish_reason: 'stop' }, { usage }),
      DONE,
    ],
    want: {
      content: 'Four.',
      reasoning: 'Two and two.',
      annotations: [{ type: 'reference', reference_ids: [1] }],
    },
  },
  {
    provider: 'Mistral, tool calls with the id "null" and arguments as objects',
    lines: [
      role,
      tools(
        called(0, 'null', 'get_w', { city: 'Oslo' }),
        called(1, 'null', 'get_a', { city: 'Bern' }),
      ),
      end('tool_calls', {}, { usage }),
      DONE,
    ],
    want: { calls: BOTH, finish: 'tool_calls' },
  },
  {
    provider: 'Groq, thought and usage in a member of its own',
    lines: [
      chunk({ role: 'assistant', content: '' }, {}, { x_groq: { id: 'req_1' } }),
      chunk({ reasoning: 'Hm, ' }),
      chunk({ reasoning: 'yes.' }),
      chunk({ content: 'Yes.' }),
      end('stop', {}, { x_groq: { id: 'req_1', usage } }),
      DONE,
    ],
  },
  {
    provider: 'DeepSeek, thought before text',
    lines: [
      chunk({ role: 'assistant', content: null, reasoning_content: '' }),
      chunk({ content: null, reasoning_content: 'First ' }),
      chunk({ content: null, reasoning_content: 'this.' }),
      chunk({ content: 'Done', reasoning_content: null }),
      chunk({ content: '', reasoning_content: null }, { finish_reason: 'stop' }, { usage }),
      DONE,
    ],
  },
  {
    provider: 'OpenRouter, comments, details of thought and an annotation',
    lines: [
      ': OPENROUTER PROCESSING\n\n',
      chunk({
        role: 'assistant',
        content: '',
        reasoning: 'Look',
        reasoning_details: [{ type: 'reasoning.text', text: 'Look' }],
      }),
      chunk({
        content: '',
        reasoning: null,
        reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }],
      }),
      chunk({ role: 'assistant', content: 'Found.' }),
      chunk({ role: 'assistant', content: '', annotations: [citation] }),
      end('stop', { native_finish_reason: 'STOP' }),
      counted(),
      DONE,
    ],
  },
  {
    provider: 'OpenRouter, an error in the middle',
    lines: [
      chunk({ role: 'assistant', content: 'Some' }),
      chunk(
        { content: '' },
        { finish_reason: 'error' },
        {
          error: {
            code: 502,
            message: 'Provider disconnected',
            metadata: { provider_name: 'P', raw: 'upstream reset' },
          },
        },
      ),
      DONE,
    ],
    want: { error: 'upstream reset' },
  },
];
