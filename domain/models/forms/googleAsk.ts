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
  type FormedAsk,
} from './fault.ts';
import { plainSchema } from './googleSchema.ts';

const MEMBERS = [
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'safetySettings',
  'labels',
  'model',
];

/** Reads a request of the generateContent form; throws FormFault for what cannot be handed on. */
export function readGoogle(body: JsonObject): FormedAsk {
  onlyKnown(body, MEMBERS, 'body');
  const { contents, systemInstruction, tools, toolConfig, generationConfig, safetySettings } =
    withoutUnset(body);
  refuseSafety(safetySettings);
  const talk = new Conversation();
  if (systemInstruction !== undefined) {
    const { parts } = objectAt(systemInstruction, 'body.systemInstruction');
    talk.say('system', partsOf(parts, 'body.systemInstruction.parts'));
  }
  const calls = new OpenCalls();
  for (const [n, content] of listAt(contents, 'body.contents').entries()) {
    addContent({ talk, calls }, objectAt(content, `body.contents[${n}]`), `body.contents[${n}]`);
  }
  const { maxTokens, options } = configOf(generationConfig);
  const declared = listOf(tools).flatMap((tool, n) => toolsOf(tool, `body.tools[${n}]`));
  const prompt = {
    messages: talk.ended(),
    options: {
      ...options,
      ...(declared.length > 0 && { tools: declared }),
      ...choiceOf(toolConfig),
    },
  };
  return { prompt, ...defined({ maxTokens }) };
}

/** Calls that have no answer yet. This form may leave out their ids, and answers then go by name. */
class OpenCalls {
  readonly #open: { readonly id: string; readonly name: string }[] = [];
  #count = 0;

  opened(id: unknown, name: string): string {
    this.#count += 1;
    const call = { id: typeof id === 'string' ? id : `call_${this.#count}`, name };
    this.#open.push(call);
    return call.id;
  }

  answered(id: unknown, name: string): string {
    const at = this.#open.findIndex((call) =>
      typeof id === 'string' ? call.id === id : call.name === name,
    );
    const [call] = at < 0 ? [] : this.#open.splice(at, 1);
    return call?.id ?? (typeof id === 'string' ? id : name);
  }
}

interface Around {
  readonly talk: Conversation;
  readonly calls: OpenCalls;
}

function addContent({ talk, calls }: Around, { role, parts }: JsonObject, at: string): void {
  const texts: JsonObject[] = [];
  for (const [n, given] of listAt(parts, `${at}.parts`).entries()) {
    const place = `${at}.parts[${n}]`;
    const part = withoutUnset(objectAt(given, place));
    const { functionCall, functionResponse, thought } = part;
    // Thought is shown and not taken back (models.translations).
    if (thought === true) continue;
    if (functionCall !== undefined) {
      const { id, name, args } = objectAt(functionCall, `${place}.functionCall`);
      const called = textAt(name, `${place}.functionCall.name`);
      talk.speak(texts.splice(0));
      talk.called(calls.opened(id, called), called, JSON.stringify(args ?? {}), moreOf(part));
    } else if (functionResponse !== undefined) {
      const { id, name, response } = objectAt(functionResponse, `${place}.functionResponse`);
      const called = textAt(name, `${place}.functionResponse.name`);
      talk.answered(calls.answered(id, called), [textPart(JSON.stringify(response ?? {}))]);
    } else texts.push(partOf(part, place));
  }
  if (role === 'model') talk.speak(texts);
  else talk.say('user', texts);
}

/** A provider that signs its thought wants the signature back with the call. */
function moreOf({ thoughtSignature }: JsonObject): JsonObject {
  if (thoughtSignature === undefined) return {};
  return { extra_content: { google: { thought_signature: thoughtSignature } } };
}

function partsOf(parts: unknown, at: string): readonly JsonObject[] {
  return listAt(parts, at).map((each, n) => partOf(objectAt(each, `${at}[${n}]`), `${at}[${n}]`));
}

function partOf(part: JsonObject, at: string): JsonObject {
  const { text, inlineData, fileData } = part;
  onlyKnown(part, ['text', 'inlineData', 'fileData', 'thought', 'thoughtSignature'], at);
  if (typeof text === 'string') return textPart(text);
  if (inlineData !== undefined) {
    const { mimeType, data, displayName } = objectAt(inlineData, `${at}.inlineData`);
    const type = textAt(mimeType, `${at}.inlineData.mimeType`);
    const url = `data:${type};base64,${textAt(data, `${at}.inlineData.data`)}`;
    return mediaPart(type, url, displayName ?? undefined, `${at}.inlineData.mimeType`);
  }
  const { mimeType, fileUri } = objectAt(fileData, `${at}.text`);
  const url = textAt(fileUri, `${at}.fileData.fileUri`);
  return mediaPart(
    textAt(mimeType, `${at}.fileData.mimeType`),
    url,
    undefined,
    `${at}.fileData.mimeType`,
  );
}

function mediaPart(type: string, url: string, name: unknown, at: string): JsonObject {
  if (type.startsWith('image/')) return { type: 'image_url', image_url: { url } };
  if (/^(audio|video)\//.test(type)) return unsupported(at, undefined, type);
  return { type: 'file', file: { file_data: url, ...defined({ filename: name }) } };
}

function toolsOf(given: unknown, at: string): readonly JsonObject[] {
  const tool = withoutUnset(objectAt(given, at));
  onlyKnown(tool, ['functionDeclarations'], at);
  return listAt(tool['functionDeclarations'], `${at}.functionDeclarations`).map((each, n) => {
    const place = `${at}.functionDeclarations[${n}]`;
    const declared = withoutUnset(objectAt(each, place));
    const { description, parameters, parametersJsonSchema } = declared;
    onlyKnown(declared, ['name', 'description', 'parameters', 'parametersJsonSchema'], place);
    const schema = parametersJsonSchema ?? (parameters && plainSchema(parameters));
    return functionTool({
      name: textAt(declared['name'], `${place}.name`),
      description,
      parameters: schema,
    });
  });
}

const MODES: Readonly<Record<string, string>> = { AUTO: 'auto', ANY: 'required', NONE: 'none' };

function choiceOf(config: unknown): JsonObject {
  const { functionCallingConfig: given, ...rest } = isObject(config) ? withoutUnset(config) : {};
  onlyKnown(rest, [], 'body.toolConfig');
  if (given === undefined) return {};
  const at = 'body.toolConfig.functionCallingConfig';
  const { mode = 'AUTO', allowedFunctionNames } = withoutUnset(objectAt(given, at));
  const [name, ...others] = listOf(allowedFunctionNames);
  if (others.length > 0) unsupported(`${at}.allowedFunctionNames`, 'Name one function, or none.');
  if (typeof name === 'string' && mode === 'ANY') return { tool_choice: namedTool(name) };
  return { tool_choice: MODES[String(mode)] ?? unsupported(`${at}.mode`, undefined, mode) };
}

const SAMPLING: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  seed: 'seed',
  stopSequences: 'stop',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  responseLogprobs: 'logprobs',
  logprobs: 'top_logprobs',
};
const FORMAT = ['responseMimeType', 'responseSchema', 'responseJsonSchema'];
const OTHERS = ['maxOutputTokens', 'candidateCount', 'thinkingConfig', 'responseModalities'];

function configOf(given: unknown): { readonly maxTokens?: number; readonly options: JsonObject } {
  if (given === undefined) return { options: {} };
  const at = 'body.generationConfig';
  const config = withoutUnset(objectAt(given, at));
  onlyKnown(config, [...Object.keys(SAMPLING), ...FORMAT, ...OTHERS], at);
  const { maxOutputTokens, candidateCount = 1, responseModalities = ['TEXT'] } = config;
  if (candidateCount !== 1) unsupported(`${at}.candidateCount`, 'A call has one answer.');
  if (JSON.stringify(responseModalities) !== '["TEXT"]') unsupported(`${at}.responseModalities`);
  const sampling = Object.entries(SAMPLING).flatMap(([theirs, ours]) =>
    config[theirs] === undefined ? [] : [[ours, config[theirs]] as const],
  );
  const options = {
    ...Object.fromEntries(sampling),
    ...formatOf(config, at),
    ...thoughtOf(config['thinkingConfig'], `${at}.thinkingConfig`),
  };
  if (maxOutputTokens === undefined) return { options };
  if (typeof maxOutputTokens === 'number' && Number.isSafeInteger(maxOutputTokens)) {
    return { options, maxTokens: Math.max(1, maxOutputTokens) };
  }
  return unsupported(`${at}.maxOutputTokens`, 'Send a whole number above 0.');
}

function formatOf(config: JsonObject, at: string): JsonObject {
  const { responseMimeType: type = 'text/plain', responseSchema, responseJsonSchema } = config;
  if (type === 'text/plain') return {};
  if (type !== 'application/json') unsupported(`${at}.responseMimeType`, undefined, type);
  const schema = responseJsonSchema ?? (responseSchema && plainSchema(responseSchema));
  if (schema === undefined) return { response_format: { type: 'json_object' } };
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } };
}

/** Thought is given whenever the model shows it; how much of it is asked for by `thinking_budget`. */
function thoughtOf(given: unknown, at: string): JsonObject {
  if (given === undefined) return {};
  const config = withoutUnset(objectAt(given, at));
  onlyKnown(config, ['includeThoughts', 'thinkingBudget', 'thinkingLevel'], at);
  const { thinkingBudget, thinkingLevel } = config;
  const effort = typeof thinkingLevel === 'string' ? thinkingLevel.toLowerCase() : undefined;
  return defined({ thinking_budget: thinkingBudget, reasoning_effort: effort });
}

/** Nothing here is blocked by a threshold of the caller's, so only those that block nothing hold. */
const BLOCKS_NOTHING: readonly unknown[] = ['BLOCK_NONE', 'OFF'];

function refuseSafety(settings: unknown): void {
  for (const [n, given] of listOf(settings).entries()) {
    const { threshold } = isObject(given) ? given : {};
    const at = `body.safetySettings[${n}].threshold`;
    if (!BLOCKS_NOTHING.includes(threshold))
      unsupported(at, 'Send OFF, or leave it out.', threshold);
  }
}
