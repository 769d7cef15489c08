import { defined } from '../../defined.ts';
import { isObject, withoutUnset, type JsonObject } from '../../jsonObject.ts';
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

/** Reads a request of the messages form; throws FormFault for what cannot be handed on. */
export function readMessages(body: JsonObject): FormedAsk {
  const {
    model: _model,
    stream: _stream,
    max_tokens: maxTokens,
    messages,
    system,
    tools,
    tool_choice: choice,
    stop_sequences: stop,
    thinking,
    ...rest
  } = withoutUnset(body);
  const talk = new Conversation();
  if (system !== undefined) talk.say('system', textsOf(system, 'body.system'));
  for (const [n, message] of listAt(messages, 'body.messages').entries()) {
    addMessage(talk, objectAt(message, `body.messages[${n}]`), `body.messages[${n}]`);
  }
  const options = {
    ...withoutEffect(rest),
    ...defined({ stop, tools: tools === undefined ? undefined : toolsOf(tools) }),
    ...(choice !== undefined && choiceOf(choice)),
    ...thoughtOf(thinking),
  };
  return { prompt: { messages: talk.ended(), options }, maxTokens: Number(maxTokens) };
}

/** Labels, and what asks for what is so anyway: a provider's cache is its own business. */
const LABELS: readonly string[] = ['metadata', 'cache_control'];
const AS_IT_IS: Readonly<Record<string, readonly unknown[]>> = {
  service_tier: ['auto', 'standard_only'],
};

function withoutEffect(body: JsonObject): JsonObject {
  const kept = Object.entries(body).filter(
    ([name, value]) => !LABELS.includes(name) && AS_IT_IS[name]?.includes(value) !== true,
  );
  return Object.fromEntries(kept);
}

function thoughtOf(thinking: unknown): JsonObject {
  if (thinking === undefined) return {};
  return objectAt(thinking, 'body.thinking')['type'] === 'disabled' ? {} : { thinking };
}

/** A text, or blocks that have nothing but text. */
function textsOf(content: unknown, at: string): readonly JsonObject[] {
  if (typeof content === 'string') return [textPart(content)];
  return listAt(content, at).map((given, n) => {
    const block = objectAt(given, `${at}[${n}]`);
    if (block['type'] !== 'text') unsupported(`${at}[${n}].type`, undefined, block['type']);
    return textPart(textAt(block['text'], `${at}[${n}].text`));
  });
}

function addMessage(talk: Conversation, { role, content }: JsonObject, at: string): void {
  const field = `${at}.content`;
  if (role === 'system') return talk.say('system', textsOf(content, field));
  const blocks = typeof content === 'string' ? [textPart(content)] : listAt(content, field);
  const parts: JsonObject[] = [];
  for (const [n, given] of blocks.entries()) {
    const place = `${field}[${n}]`;
    const block = objectAt(given, place);
    if (role === 'assistant') addAssistantBlock(talk, block, place);
    else if (block['type'] === 'tool_result') parts.push(...addResult(talk, block, place));
    else parts.push(partOf(block, place));
  }
  if (role === 'user') talk.say('user', parts);
}

function addAssistantBlock(talk: Conversation, block: JsonObject, at: string): void {
  const { type } = block;
  if (type === 'tool_use') {
    const { type: _type, id, name, input, cache_control: _cache, ...more } = withoutUnset(block);
    const text = JSON.stringify(input ?? {});
    talk.called(textAt(id, `${at}.id`), textAt(name, `${at}.name`), text, more);
  } else if (type === 'text') talk.speak([textPart(textAt(block['text'], `${at}.text`))]);
  // Thought is shown and not taken back (models.translations).
  else if (type !== 'thinking' && type !== 'redacted_thinking') {
    unsupported(`${at}.type`, undefined, type);
  }
}

/** The text answers the call; images of a result follow in a message, where providers take them. */
function addResult(talk: Conversation, block: JsonObject, at: string): readonly JsonObject[] {
  const { content = '' } = withoutUnset(block);
  const parts =
    typeof content === 'string'
      ? [textPart(content)]
      : listAt(content, `${at}.content`).map((each, n) =>
          partOf(objectAt(each, `${at}.content[${n}]`), `${at}.content[${n}]`),
        );
  const texts = parts.filter(({ type }) => type === 'text');
  const marked = block['is_error'] === true ? [textPart('Error:'), ...texts] : texts;
  talk.answered(
    textAt(block['tool_use_id'], `${at}.tool_use_id`),
    marked.length > 0 ? marked : [textPart(parts.length > 0 ? 'See below.' : 'No output.')],
  );
  return parts.filter(({ type }) => type !== 'text');
}

function partOf(block: JsonObject, at: string): JsonObject {
  const { type } = block;
  if (type === 'text') return textPart(textAt(block['text'], `${at}.text`));
  if (type !== 'image' && type !== 'document') return unsupported(`${at}.type`, undefined, type);
  const source = objectAt(block['source'], `${at}.source`);
  if (type === 'image') return { type: 'image_url', image_url: { url: urlOf(source, at) } };
  if (source['type'] === 'text') return textPart(textAt(source['data'], `${at}.source.data`));
  const { title } = withoutUnset(block);
  const data = source['type'] === 'base64' ? urlOf(source, at) : undefined;
  if (data === undefined) return unsupported(`${at}.source.type`, undefined, source['type']);
  return { type: 'file', file: { file_data: data, filename: title ?? 'document.pdf' } };
}

function urlOf(source: JsonObject, at: string): string {
  if (source['type'] === 'url') return textAt(source['url'], `${at}.source.url`);
  if (source['type'] !== 'base64') unsupported(`${at}.source.type`, undefined, source['type']);
  const type = textAt(source['media_type'], `${at}.source.media_type`);
  return `data:${type};base64,${textAt(source['data'], `${at}.source.data`)}`;
}

function toolsOf(tools: unknown): readonly JsonObject[] {
  return listAt(tools, 'body.tools').map((given, n) => {
    const at = `body.tools[${n}]`;
    const tool = withoutUnset(objectAt(given, at));
    const { type = 'custom', input_schema: parameters, description, strict } = tool;
    if (type !== 'custom') unsupported(`${at}.type`, undefined, type);
    const known = ['type', 'name', 'description', 'input_schema', 'strict', 'cache_control'];
    onlyKnown(tool, known, at);
    return functionTool({
      name: textAt(tool['name'], `${at}.name`),
      description,
      parameters,
      strict,
    });
  });
}

const CHOICES: Readonly<Record<string, string>> = { auto: 'auto', any: 'required', none: 'none' };

function choiceOf(given: unknown): JsonObject {
  const choice = isObject(given) ? given : wrong('body.tool_choice', 'is no object');
  const { type, name, disable_parallel_tool_use: alone } = choice;
  const only = alone === true ? { parallel_tool_calls: false } : {};
  if (type === 'tool') {
    return { tool_choice: namedTool(textAt(name, 'body.tool_choice.name')), ...only };
  }
  const word = CHOICES[String(type)];
  return { tool_choice: word ?? unsupported('body.tool_choice.type', undefined, type), ...only };
}
