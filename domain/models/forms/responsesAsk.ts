import { defined } from '../../defined.ts';
import { isObject, listOf, withoutUnset, type JsonObject } from '../../jsonObject.ts';
import { Conversation } from './conversation.ts';
import {
  functionTool,
  listAt,
  namedTool,
  objectAt,
  onlyKnown,
  textAt,
  textPart,
  unsupported,
  wrong,
  type FormedAsk,
} from './fault.ts';

/** Reads a request of the responses form; throws FormFault for what cannot be handed on. */
export function readResponses(body: JsonObject): FormedAsk {
  const {
    input,
    instructions,
    max_output_tokens: longest,
    tools,
    tool_choice: choice,
    text,
    reasoning,
    include,
    top_logprobs: logprobs,
    ...rest
  } = withoutUnset(body);
  refuseKept(rest);
  const talk = new Conversation();
  if (instructions !== undefined) {
    talk.say('system', [textPart(textAt(instructions, 'body.instructions'))]);
  }
  if (typeof input === 'string') talk.say('user', [textPart(input)]);
  else for (const [n, item] of listAt(input, 'body.input').entries()) addItem(talk, item, n);
  const { model: _model, stream: _stream, ...passed } = withoutEffect(rest);
  const options = {
    ...passed,
    ...defined({ tools: tools === undefined ? undefined : toolsOf(tools) }),
    ...defined({ tool_choice: choice === undefined ? undefined : choiceOf(choice) }),
    ...formatOf(text),
    ...thoughtOf(reasoning),
    ...probabilities(include, logprobs),
  };
  const maxTokens = typeof longest === 'number' ? longest : undefined;
  return { prompt: { messages: talk.ended(), options }, ...defined({ maxTokens }) };
}

const SEND_ALL =
  'The hub keeps no answers: send the items of the whole conversation as `input`, with `store: false`.';
const KEPT = ['previous_response_id', 'conversation', 'prompt'] as const;

function refuseKept(body: JsonObject): void {
  const kept = KEPT.find((name) => body[name] !== undefined);
  if (kept !== undefined) unsupported(`body.${kept}`, SEND_ALL);
  if (body['store'] === true) unsupported('body.store', SEND_ALL);
  if (body['background'] === true) unsupported('body.background', 'Leave it out, or stream.');
}

/** Values that ask for what every answer of the desk is, and labels. */
const LABELS: readonly string[] = [
  'metadata',
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'stream_options',
  'client_metadata',
];
const AS_IT_IS: Readonly<Record<string, readonly unknown[]>> = {
  store: [false],
  background: [false],
  truncation: ['disabled'],
  service_tier: ['auto', 'default'],
};

function withoutEffect(body: JsonObject): JsonObject {
  const kept = Object.entries(body).filter(
    ([name, value]) => !LABELS.includes(name) && AS_IT_IS[name]?.includes(value) !== true,
  );
  return Object.fromEntries(kept);
}

function addItem(talk: Conversation, given: unknown, n: number): void {
  const at = `body.input[${n}]`;
  const item = withoutUnset(objectAt(given, at));
  const { type = 'message' } = item;
  if (type === 'message') addMessage(talk, item, at);
  else if (type === 'function_call') {
    const {
      type: _type,
      id: _id,
      status: _status,
      call_id: id,
      name,
      arguments: input,
      ...more
    } = item;
    const called = textAt(name, `${at}.name`);
    talk.called(
      textAt(id, `${at}.call_id`),
      called,
      textAt(input ?? '{}', `${at}.arguments`),
      more,
    );
  } else if (type === 'function_call_output') {
    const { output } = item;
    const parts = typeof output === 'string' ? [textPart(output)] : partsOf(output, `${at}.output`);
    talk.answered(textAt(item['call_id'], `${at}.call_id`), parts);
  } else if (type === 'item_reference') unsupported(`${at}.type`, SEND_ALL, type);
  // Thought is shown and not taken back (models.translations).
  else if (type !== 'reasoning') unsupported(`${at}.type`, undefined, type);
}

function addMessage(talk: Conversation, item: JsonObject, at: string): void {
  const { role, content } = item;
  const parts =
    typeof content === 'string' ? [textPart(content)] : partsOf(content, `${at}.content`);
  if (role === 'assistant') talk.speak(parts);
  else if (role === 'user') talk.say('user', parts);
  else if (role === 'system' || role === 'developer') talk.say('system', parts);
  else wrong(`${at}.role`, 'is not user, assistant, system or developer');
}

function partsOf(content: unknown, at: string): readonly JsonObject[] {
  return listAt(content, at).map((given, n) =>
    partOf(objectAt(given, `${at}[${n}]`), `${at}[${n}]`),
  );
}

function partOf(part: JsonObject, at: string): JsonObject {
  const { type } = part;
  if (type === 'input_text' || type === 'output_text' || type === 'text') {
    return textPart(textAt(part['text'], `${at}.text`));
  }
  if (type === 'refusal') return { type, refusal: textAt(part['refusal'], `${at}.refusal`) };
  const known = withoutUnset(part);
  if (type === 'input_image') {
    onlyKnown(known, ['type', 'image_url', 'detail'], at);
    const { detail } = known;
    const url = textAt(known['image_url'], `${at}.image_url`);
    return { type: 'image_url', image_url: { url, ...defined({ detail }) } };
  }
  if (type === 'input_file') {
    onlyKnown(known, ['type', 'filename', 'file_data'], at);
    const { filename } = known;
    const data = textAt(known['file_data'], `${at}.file_data`);
    return { type: 'file', file: { file_data: data, ...defined({ filename }) } };
  }
  return unsupported(`${at}.type`, undefined, type);
}

function toolsOf(tools: unknown): readonly JsonObject[] {
  return listAt(tools, 'body.tools').map((given, n) => {
    const at = `body.tools[${n}]`;
    const tool = withoutUnset(objectAt(given, at));
    if (tool['type'] !== 'function') unsupported(`${at}.type`, undefined, tool['type']);
    onlyKnown(tool, ['type', 'name', 'description', 'parameters', 'strict'], at);
    const { description, parameters, strict } = tool;
    return functionTool({
      name: textAt(tool['name'], `${at}.name`),
      description,
      parameters,
      strict,
    });
  });
}

const CHOICES: readonly unknown[] = ['auto', 'none', 'required'];

function choiceOf(choice: unknown): unknown {
  if (CHOICES.includes(choice)) return choice;
  const { type, name } = objectAt(choice, 'body.tool_choice');
  if (type !== 'function') unsupported('body.tool_choice.type', undefined, type);
  return namedTool(textAt(name, 'body.tool_choice.name'));
}

function formatOf(text: unknown): JsonObject {
  if (text === undefined) return {};
  const { format, ...rest } = withoutUnset(objectAt(text, 'body.text'));
  onlyKnown(rest, ['verbosity'], 'body.text');
  if (format === undefined) return rest;
  const { type, ...schema } = withoutUnset(objectAt(format, 'body.text.format'));
  if (type === 'text') return rest;
  if (type === 'json_object') return { ...rest, response_format: { type } };
  if (type !== 'json_schema') unsupported('body.text.format.type', undefined, type);
  return { ...rest, response_format: { type, json_schema: schema } };
}

/** A summary of thought is given whenever the model shows its thought. */
function thoughtOf(reasoning: unknown): JsonObject {
  if (reasoning === undefined) return {};
  const { effort, ...rest } = withoutUnset(objectAt(reasoning, 'body.reasoning'));
  onlyKnown(rest, ['summary', 'generate_summary'], 'body.reasoning');
  return defined({ reasoning_effort: effort });
}

/** Thought is never encrypted here, so that it is asked for changes nothing. */
const INCLUDED: readonly unknown[] = ['reasoning.encrypted_content'];
const PROBABILITIES = 'message.output_text.logprobs';

function probabilities(include: unknown, top: unknown): JsonObject {
  const all = listOf(include);
  const strange = all.find((each) => each !== PROBABILITIES && !INCLUDED.includes(each));
  if (strange !== undefined) unsupported('body.include', undefined, strange);
  if (!all.includes(PROBABILITIES) && top === undefined) return {};
  return { logprobs: true, ...defined({ top_logprobs: top }) };
}

/** The members that an answer repeats of its request, because clients of this form read it there. */
export function repeatedOf(body: JsonObject): JsonObject {
  const { text } = body;
  const { effort = null } = isObject(body['reasoning']) ? body['reasoning'] : {};
  return {
    background: false,
    error: null,
    instructions: body['instructions'] ?? null,
    max_output_tokens: body['max_output_tokens'] ?? null,
    metadata: isObject(body['metadata']) ? body['metadata'] : {},
    parallel_tool_calls: body['parallel_tool_calls'] ?? true,
    previous_response_id: null,
    reasoning: { effort, summary: null },
    service_tier: 'default',
    store: false,
    temperature: body['temperature'] ?? null,
    text: isObject(text)
      ? { format: { type: 'text' }, ...withoutUnset(text) }
      : { format: { type: 'text' } },
    tool_choice: body['tool_choice'] ?? 'auto',
    tools: listOf(body['tools']),
    top_p: body['top_p'] ?? null,
    truncation: 'disabled',
  };
}
