import { isObject, listOf, type JsonObject } from '../jsonObject.ts';
import type { Words } from './piece.ts';

/** The contents of a message or a delta, read from all forms that providers give it (models.forms). */
export interface ReadMessage {
  readonly words: readonly Words[];
  /** Parts that are no text, such as references and images. */
  readonly others: readonly JsonObject[];
  /** Members that only clients of the provider know, as they are. */
  readonly members: JsonObject;
}

type Content = Pick<ReadMessage, 'words' | 'others'>;

/** Members of a delta that are part of the answer and go on under their names. */
const MEMBERS: readonly string[] = [
  'audio',
  'images',
  'executed_tools',
  'reasoning_details',
  'reasoning_items',
  'reasoning_steps',
  'thinking_blocks',
  'graph_data',
  'translation_data',
  'web_search_data',
];

export function readMessage(message: JsonObject): ReadMessage {
  const content = readContent(message['content']);
  const thought = thoughtIn(message);
  const refusal = message['refusal'];
  return {
    words: joinedWords([
      { is: 'reasoning', text: thought },
      ...content.words,
      { is: 'refusal', text: typeof refusal === 'string' ? refusal : '' },
    ]),
    others: content.others,
    members: Object.fromEntries(
      Object.entries(message).filter(([name, value]) => MEMBERS.includes(name) && !isEmpty(value)),
    ),
  };
}

/** Fields in which providers show thought; some give the same text in two of them. */
const THOUGHT_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'] as const;
/** Lists of parts of thought, which are read where no field has its text. */
const DETAILS_OF_THOUGHT = [
  'reasoning_details',
  'thinking_blocks',
  'reasoning_items',
  'reasoning_steps',
] as const;

function thoughtIn(message: JsonObject): string {
  const shown = THOUGHT_FIELDS.map((name) => textIn(message[name])).find((text) => text !== '');
  if (shown !== undefined) return shown;
  const parts = DETAILS_OF_THOUGHT.map((name) => listOf(message[name]).filter(isObject));
  const details = parts.find((each) => each.length > 0) ?? [];
  return details.map(thoughtOfPart).join('');
}

function isEmpty(value: unknown): boolean {
  return !isObject(value) && listOf(value).length === 0;
}

/** Content is a text, a part, or a list of parts. */
function readContent(content: unknown): Content {
  const words: Words[] = [];
  const others: JsonObject[] = [];
  for (const part of Array.isArray(content) ? (content as unknown[]) : [content]) {
    if (typeof part === 'string') words.push({ is: 'text', text: part });
    if (!isObject(part)) continue;
    const read = readPart(part);
    if (read === undefined) others.push(part);
    else words.push(read);
    if (read?.is === 'reasoning') others.push(...partsBesideThought(part));
  }
  return { words, others };
}

const THOUGHT_PART = /think|reason/i;
const THOUGHT_MEMBERS = ['thinking', 'summary', 'text', 'content', 'reasoning', 'thought'] as const;

function thoughtOfPart(part: JsonObject): string {
  return THOUGHT_MEMBERS.map((name) => textIn(part[name])).find((each) => each !== '') ?? '';
}

/** Parts of a thought that are no text, such as the sources that it is about. */
function partsBesideThought({ thinking }: JsonObject): readonly JsonObject[] {
  return listOf(thinking).filter((each): each is JsonObject => isObject(each) && !('text' in each));
}

function readPart(part: JsonObject): Words | undefined {
  const { type } = part;
  if (typeof type === 'string' && THOUGHT_PART.test(type)) {
    return { is: 'reasoning', text: thoughtOfPart(part) };
  }
  if (type === 'refusal') return { is: 'refusal', text: textIn(part['refusal']) };
  const isText = type === undefined || type === 'text' || type === 'output_text';
  return isText && 'text' in part ? { is: 'text', text: textIn(part['text']) } : undefined;
}

/** A text, an object with one (`value` in older forms), or a list of such, joined. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textIn).join('');
  if (!isObject(value)) return '';
  return textIn(value['text'] ?? value['value'] ?? value['content'] ?? value['summary']);
}

/** Neighbours of one kind are one piece; empty ones are none. */
function joinedWords(all: readonly Words[]): readonly Words[] {
  const words: Words[] = [];
  for (const each of all) {
    const last = words.at(-1);
    if (each.text === '') continue;
    if (last?.is === each.is) words[words.length - 1] = { ...each, text: last.text + each.text };
    else words.push(each);
  }
  return words;
}

/** Tool calls of a message: a list, one alone, or the older `function_call`. */
export function toolCallsIn(message: JsonObject): readonly JsonObject[] {
  const { tool_calls: calls, function_call: older } = message;
  const all = isObject(calls) ? [calls] : listOf(calls).filter(isObject);
  const hasOlder = isObject(older) && Boolean(older['name'] ?? older['arguments']);
  return all.length === 0 && hasOlder ? [{ function: older }] : all;
}
