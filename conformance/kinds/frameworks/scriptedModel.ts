import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A model that plays a worker: it claims a task, delivers the word that the task asks for, and says
 * the outcome. It answers as chat completions, responses and messages, whole and streamed.
 */
export interface ScriptedModel {
  /** Without `/v1`. */
  readonly url: string;
  close(): void;
}

type Fields = Readonly<Record<string, unknown>>;
interface Turn {
  readonly text: string;
  readonly call?: { readonly name: string; readonly input: Fields };
}

const DELIVERED = 'hello';
/** Less than the task of the run pays, and more than a starter task does. */
const MIN_REWARD = '60000';

export async function openScriptedModel(): Promise<ScriptedModel> {
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  const path = (request.url ?? '').split('?')[0] ?? '';
  const form = FORMS.find(({ end }) => path.endsWith(end));
  if (form === undefined || request.method !== 'POST') {
    response.writeHead(request.method === 'HEAD' ? 200 : 404).end();
    return;
  }
  const asked = JSON.parse(text) as Fields;
  const turn = nextTurn(asked);
  const isStream = asked['stream'] === true;
  response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
  response.end(isStream ? form.events(turn) : JSON.stringify(form.whole(turn)));
}

/** Reads only the texts of the conversation, so it is the same in each form. */
function nextTurn(asked: Fields): Turn {
  const conversation = JSON.stringify(asked['messages'] ?? asked['input'] ?? []).replaceAll(
    '\\',
    '',
  );
  const token = [...conversation.matchAll(/"claimToken" ?: ?"([\w-]+)"/g)].at(-1)?.[1];
  const outcome = [...conversation.matchAll(/"outcome" ?: ?"(\w+)"/g)].at(-1)?.[1];
  const tools = namesIn(asked['tools']);
  const named = (end: string): string | undefined =>
    tools.find((name) => name.replaceAll('_', '-').endsWith(end));
  const [claim, submit] = [named('claim-task'), named('submit-solution')];
  if (claim === undefined || submit === undefined) return { text: 'I have no tool for that.' };
  if (outcome !== undefined) return { text: `The result is ${outcome}.` };
  if (token === undefined) {
    if (/"minReward" ?: ?"/.test(conversation))
      return { text: `No task came: ${conversation.slice(-300)}` };
    return { text: '', call: { name: claim, input: { minReward: MIN_REWARD } } };
  }
  const id = /"work" ?: ?\{[^{}]*?"id" ?: ?"([\w-]{36})"/.exec(conversation)?.[1] ?? '';
  return {
    text: '',
    call: { name: submit, input: { id, claimToken: token, result: DELIVERED } },
  };
}

function namesIn(tools: unknown): readonly string[] {
  return (Array.isArray(tools) ? (tools as readonly Fields[]) : []).map((tool) => {
    const inner = tool['function'] as Fields | undefined;
    return String((inner ?? tool)['name'] ?? '');
  });
}

interface Form {
  readonly end: string;
  whole(turn: Turn): Fields;
  events(turn: Turn): string;
}

let made = 0;
const nextId = (kind: string): string => `${kind}_${(made += 1)}`;

const CHAT: Form = {
  end: '/chat/completions',
  whole: (turn) => ({
    ...chatHead('chat.completion'),
    choices: [{ index: 0, message: chatMessage(turn), finish_reason: chatEnd(turn) }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
  events: (turn) => {
    const head = chatHead('chat.completion.chunk');
    const { tool_calls: calls, ...message } = chatMessage(turn);
    const delta = {
      ...message,
      ...(Array.isArray(calls) && {
        tool_calls: calls.map((call: Fields) => ({ index: 0, ...call })),
      }),
    };
    const chunks = [
      { ...head, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...head, choices: [{ index: 0, delta: {}, finish_reason: chatEnd(turn) }] },
    ];
    return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;
  },
};

const chatHead = (object: string): Fields => ({ id: nextId('c'), object, created: 1, model: 'm' });
const chatEnd = ({ call }: Turn): string => (call === undefined ? 'stop' : 'tool_calls');

function chatMessage({ text, call }: Turn): Fields {
  if (call === undefined) return { role: 'assistant', content: text };
  const made = { name: call.name, arguments: JSON.stringify(call.input) };
  const tool_calls = [{ id: nextId('call'), type: 'function', function: made }];
  return { role: 'assistant', content: null, tool_calls };
}

const RESPONSES: Form = {
  end: '/responses',
  whole: (turn) => responseOf(turn),
  events: (turn) => {
    const whole = responseOf(turn);
    const [item] = whole['output'] as readonly Fields[];
    return sse([
      { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: whole },
    ]);
  },
};

function responseOf({ text, call }: Turn): Fields {
  const item =
    call === undefined
      ? {
          id: nextId('msg'),
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text, annotations: [] }],
        }
      : {
          id: nextId('fc'),
          type: 'function_call',
          status: 'completed',
          call_id: nextId('call'),
          name: call.name,
          arguments: JSON.stringify(call.input),
        };
  const usage = {
    input_tokens: 1,
    output_tokens: 1,
    total_tokens: 2,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  return {
    id: nextId('resp'),
    object: 'response',
    created_at: 1,
    model: 'm',
    status: 'completed',
    output: [item],
    usage,
    tools: [],
    tool_choice: 'auto',
    parallel_tool_calls: false,
  };
}

const MESSAGES: Form = {
  end: '/messages',
  whole: (turn) => messageOf(turn),
  events: (turn) => {
    const whole = messageOf(turn);
    const [block = {}] = whole['content'] as readonly Fields[];
    const isText = block['type'] === 'text';
    const delta = isText
      ? { type: 'text_delta', text: block['text'] }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) };
    const empty = isText ? { ...block, text: '' } : { ...block, input: {} };
    return sse([
      { type: 'message_start', message: { ...whole, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: empty },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: whole['stop_reason'], stop_sequence: null },
        usage: { output_tokens: 1 },
      },
      { type: 'message_stop' },
    ]);
  },
};

function messageOf({ text, call }: Turn): Fields {
  const content = [
    call === undefined
      ? { type: 'text', text }
      : { type: 'tool_use', id: nextId('toolu'), name: call.name, input: call.input },
  ];
  return {
    id: nextId('msg'),
    type: 'message',
    role: 'assistant',
    model: 'm',
    content,
    stop_reason: call === undefined ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

const FORMS: readonly Form[] = [CHAT, RESPONSES, MESSAGES];

function sse(events: readonly Fields[]): string {
  return events
    .map((event, place) => ({ ...event, sequence_number: place }))
    .map(
      (event) => `event: ${String((event as Fields)['type'])}\ndata: ${JSON.stringify(event)}\n\n`,
    )
    .join('');
}
