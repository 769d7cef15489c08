import { emptyInput, type EmbeddingAsk } from './embedding.ts';
import { isObject, listOf, withoutNulls, type JsonObject } from '../jsonObject.ts';
import { isMedia } from './mediaPart.ts';

export interface Prompt {
  readonly messages: readonly JsonObject[];
  /** Parameters that are passed on as they came: temperature, tools, response_format and others. */
  readonly options: JsonObject;
  /** Texts of which vectors are wanted; the prompt then has no messages. */
  readonly embeds?: EmbeddingAsk;
}

/** The tokens that the template of a model puts around each message, and before the answer. */
const AROUND_MESSAGE = 4;
const BEFORE_ANSWER = 3;

/** Everything of the prompt that becomes tokens, as texts; their count is the input's. */
export function textsOf({ messages, options, embeds }: Prompt): readonly string[] {
  if (embeds !== undefined) return embeds.inputs.filter((each) => typeof each === 'string');
  const texts = messages.flatMap((message) => [
    ...contentTexts(message['content']),
    ...['name', 'tool_call_id', 'refusal'].flatMap((field) => textIn(message[field])),
    ...listOf(message['tool_calls']).map((call) => JSON.stringify(call)),
  ]);
  for (const field of ['tools', 'response_format'] as const) {
    if (options[field] !== undefined) texts.push(JSON.stringify(options[field]));
  }
  return texts;
}

/** Tokens that no text of the prompt stands for. */
export function overheadOf({ messages, embeds }: Prompt): number {
  if (embeds !== undefined) {
    return embeds.inputs.reduce(
      (sum, each) => sum + (typeof each === 'string' ? 0 : each.length),
      0,
    );
  }
  return messages.length * AROUND_MESSAGE + BEFORE_ANSWER;
}

export function contentTexts(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  return listOf(content).flatMap((part) => (isObject(part) ? partTexts(part) : []));
}

/** An assistant's own refusal comes back as a part of its message. */
function partTexts(part: JsonObject): readonly string[] {
  return textIn(part['type'] === 'refusal' ? part['refusal'] : part['text']);
}

function textIn(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : [];
}

/** Objects of a message that clients build: its parts, its tool calls and their functions. */
const MESSAGE_LEVELS = 3;

/** A message without its unset members; `content` stays, because null is a value of it. */
export function messageOf(message: JsonObject): JsonObject {
  const { content, ...rest } = message;
  const set = withoutNulls(rest, MESSAGE_LEVELS) as JsonObject;
  if (content === undefined) return set;
  return { ...set, content: withoutNulls(content, MESSAGE_LEVELS - 1) };
}

export interface PromptFault {
  readonly error: string;
  readonly hint: string;
  readonly field: string;
}

/**
 * Returns the fault of a prompt that no model could answer: an empty message, a tool call that is
 * not answered next, an answer without its tool call, a tool without its parameters.
 */
export function promptFault({ messages, options, embeds }: Prompt): PromptFault | undefined {
  if (embeds !== undefined) return inputFault(embeds);
  const open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const field = `body.messages[${index}]`;
    const calls = listOf(message['tool_calls']);
    const fault =
      message['role'] === 'tool'
        ? answerFault(message, open, field)
        : (unansweredFault(open, field) ?? contentFault(message, calls.length, field));
    if (fault !== undefined) return fault;
    for (const [nth, call] of calls.entries()) {
      const id = isObject(call) ? call['id'] : undefined;
      if (typeof id !== 'string') return callFault(`${field}.tool_calls[${nth}].id`);
      open.add(id);
    }
  }
  return unansweredFault(open, 'body.messages') ?? toolsFault(listOf(options['tools']));
}

function inputFault({ inputs }: EmbeddingAsk): PromptFault | undefined {
  const at = emptyInput(inputs);
  if (at < 0) return undefined;
  const field = `body.input[${at}]`;
  const hint = 'Leave the empty text out, or give it words.';
  return { error: `${field} has nothing to be embedded.`, hint, field };
}

function answerFault(message: JsonObject, open: Set<string>, at: string): PromptFault | undefined {
  const id = message['tool_call_id'];
  if (typeof id === 'string' && open.delete(id)) return contentFault(message, 0, at);
  return {
    error: `${at} answers the tool call ${JSON.stringify(id ?? null)}, which no assistant message before it makes, or which is answered.`,
    hint: 'Put the assistant message with that `tool_calls` entry before it.',
    field: `${at}.tool_call_id`,
  };
}

function unansweredFault(open: ReadonlySet<string>, at: string): PromptFault | undefined {
  const [id] = open;
  if (id === undefined) return undefined;
  return {
    error: `The tool call ${JSON.stringify(id)} has no answer before ${at === 'body.messages' ? 'the end' : at}.`,
    hint: 'Put a message {"role":"tool","tool_call_id":"…","content":"…"} for each call right after the assistant message that makes it.',
    field: at,
  };
}

function callFault(field: string): PromptFault {
  return {
    error: `${field} is required: the answer of the tool names it.`,
    hint: 'Send tool calls back as the model gave them.',
    field,
  };
}

function contentFault(message: JsonObject, calls: number, at: string): PromptFault | undefined {
  const { content } = message;
  const parts = listOf(content).map(
    (part) => isObject(part) && (isMedia(part) || partTexts(part).length > 0),
  );
  if (!parts.includes(false)) {
    if (contentTexts(content).length > 0 || parts.length > 0) return undefined;
    const says = calls > 0 || typeof message['refusal'] === 'string';
    if (message['role'] === 'assistant' && says) return undefined;
  }
  const place = parts.includes(false) ? `[${parts.indexOf(false)}].text` : '';
  return {
    error: `${at}.content${place} has no text.`,
    hint: 'Give it text; only an assistant message that calls tools or refuses goes without `content`.',
    field: `${at}.content${place}`,
  };
}

function toolsFault(tools: readonly unknown[]): PromptFault | undefined {
  for (const [index, tool] of tools.entries()) {
    const fault = toolFault(tool);
    if (fault === undefined) continue;
    const field = `body.tools[${index}].${fault.at}`;
    return {
      error: `${field} ${fault.is}.`,
      hint: 'Send {"type":"function","function":{"name":"…","parameters":{"type":"object",…}}}.',
      field,
    };
  }
  return undefined;
}

/** Without `parameters` a tool takes none. */
function toolFault(tool: unknown): { readonly at: string; readonly is: string } | undefined {
  const { type, function: made } = isObject(tool) ? tool : {};
  if (type !== 'function')
    return { at: 'type', is: 'is not "function", the one kind that is known' };
  const { name, parameters } = isObject(made) ? made : {};
  if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    return { at: 'function.name', is: 'is no name of up to 64 letters, digits, _ and -' };
  }
  const isSchema = isObject(parameters) && (parameters['type'] ?? 'object') === 'object';
  if (parameters === undefined || isSchema) return undefined;
  return { at: 'function.parameters', is: 'is no JSON Schema of an object' };
}
