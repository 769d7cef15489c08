import { isObject, listOf, type JsonObject } from '../jsonObject.ts';

/** What is asked of a model, whichever door it came through. */
export interface Prompt {
  readonly messages: readonly JsonObject[];
  /** Fields that are handed on as they came: temperature, tools, response_format and the like. */
  readonly options: JsonObject;
}

/** Fields beside messages that models know; anything else a client sends is not handed on. */
export const PASSED_ON = [
  'temperature',
  'top_p',
  'seed',
  'stop',
  'response_format',
  'tools',
  'tool_choice',
] as const;

/** What the template of a model puts around each message, and before the answer. */
const AROUND_MESSAGE = 4;
const BEFORE_ANSWER = 3;

/** Everything of the prompt that becomes tokens, as texts; their count is the input's. */
export function textsOf({ messages, options }: Prompt): readonly string[] {
  const texts = messages.flatMap((message) => [
    ...contentTexts(message['content']),
    ...['name', 'tool_call_id'].flatMap((field) => textIn(message[field])),
    ...listOf(message['tool_calls']).map((call) => JSON.stringify(call)),
  ]);
  for (const field of ['tools', 'response_format'] as const) {
    if (options[field] !== undefined) texts.push(JSON.stringify(options[field]));
  }
  return texts;
}

/** Tokens that no text of the prompt stands for. */
export function overheadOf({ messages }: Prompt): number {
  return messages.length * AROUND_MESSAGE + BEFORE_ANSWER;
}

export function contentTexts(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  return listOf(content).flatMap((part) => (isObject(part) ? textIn(part['text']) : []));
}

function textIn(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : [];
}

/** Of fields that came, those that are handed on; null means absent, as these clients write it. */
export function optionsOf(body: JsonObject): JsonObject {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) =>
      body[name] === undefined || body[name] === null ? [] : [[name, body[name]]],
    ),
  );
}

export interface PromptFault {
  readonly error: string;
  readonly hint: string;
  readonly field: string;
}

/**
 * What no model could answer: an answer of a tool that nobody called, a message that says nothing,
 * a tool without a name.
 */
export function promptFault({ messages, options }: Prompt): PromptFault | undefined {
  const called = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const field = `body.messages[${index}]`;
    const calls = listOf(message['tool_calls']);
    for (const call of calls) {
      if (isObject(call) && typeof call['id'] === 'string') called.add(call['id']);
    }
    const fault =
      message['role'] === 'tool'
        ? toolFault(message, called, field)
        : contentFault(message, calls.length, field);
    if (fault !== undefined) return fault;
  }
  return toolsFault(listOf(options['tools']));
}

function toolFault(
  message: JsonObject,
  called: ReadonlySet<string>,
  at: string,
): PromptFault | undefined {
  const id = message['tool_call_id'];
  if (typeof id === 'string' && called.has(id)) return undefined;
  return {
    error: `${at} answers the tool call ${JSON.stringify(id ?? null)}, which no assistant message before it makes.`,
    hint: 'Put the assistant message with that `tool_calls` entry before it.',
    field: `${at}.tool_call_id`,
  };
}

function contentFault(message: JsonObject, calls: number, at: string): PromptFault | undefined {
  if (contentTexts(message['content']).length > 0) return undefined;
  if (message['role'] === 'assistant' && calls > 0) return undefined;
  return {
    error: `${at} has no text.`,
    hint: 'Give it `content`; only an assistant message that calls tools goes without.',
    field: `${at}.content`,
  };
}

function toolsFault(tools: readonly unknown[]): PromptFault | undefined {
  for (const [index, tool] of tools.entries()) {
    const made = isObject(tool) ? tool['function'] : undefined;
    const name = isObject(made) ? made['name'] : undefined;
    if (typeof name === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(name)) continue;
    return {
      error: `body.tools[${index}] has no function with a name of up to 64 letters.`,
      hint: 'Send {"type":"function","function":{"name":"…","parameters":{…}}}.',
      field: `body.tools[${index}].function.name`,
    };
  }
  return undefined;
}
