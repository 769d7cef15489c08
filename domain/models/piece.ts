import { isObject, listOf, type JsonObject } from '../jsonObject.ts';
import type { ToolCallPiece } from './toolCalls.ts';
import { defined } from '../defined.ts';

/** Words of an answer: what the model says, why it refuses, what it thinks aloud. */
export interface Words {
  readonly is: 'text' | 'refusal' | 'reasoning';
  readonly text: string;
}

/** Parts beside the words: sources, parts that are no text, probabilities of tokens. */
interface Beside {
  readonly is: 'beside';
  readonly annotations: readonly JsonObject[];
  /** Members of the message that its provider adds, such as images and audio. */
  readonly members?: JsonObject;
  readonly logprobs?: Logprobs;
}

/** Log probabilities of the tokens of the text and of a refusal, in their order. */
export interface Logprobs {
  readonly content?: readonly unknown[];
  readonly refusal?: readonly unknown[];
}

/** Vectors of all texts of a call, in their order. */
interface Vectors {
  readonly is: 'vectors';
  readonly vectors: readonly Float32Array[];
}

/** A piece of an answer that the caller is given and pays for. */
export type AnswerPiece =
  Words | Beside | Vectors | { readonly is: 'tools'; readonly calls: readonly ToolCallPiece[] };

export function isAnswerPiece(part: { readonly is: string }): part is AnswerPiece {
  return part.is === 'vectors' || part.is === 'tools' || part.is === 'beside' || isWords(part);
}

export function isWords(part: { readonly is: string }): part is Words {
  return part.is === 'text' || part.is === 'refusal' || part.is === 'reasoning';
}

export interface Answered {
  readonly text: string;
  readonly refusal: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCallPiece[];
  readonly annotations: readonly JsonObject[];
  readonly members: JsonObject;
  readonly logprobs?: Logprobs;
  readonly vectors: readonly Float32Array[];
}

export async function wholeAnswer(pieces: AsyncIterable<AnswerPiece>): Promise<Answered> {
  const words = { text: '', refusal: '', reasoning: '' };
  const calls: ToolCallPiece[] = [];
  const annotations: JsonObject[] = [];
  const vectors: Float32Array[] = [];
  let members: JsonObject = {};
  let logprobs: Logprobs | undefined;
  for await (const piece of pieces) {
    if (piece.is === 'tools') calls.push(...piece.calls);
    else if (piece.is === 'vectors') vectors.push(...piece.vectors);
    else if (piece.is === 'beside') {
      annotations.push(...piece.annotations);
      members = joinedMembers(members, piece.members ?? {});
      logprobs = joined(logprobs, piece.logprobs);
    } else words[piece.is] += piece.text;
  }
  return {
    ...words,
    calls,
    annotations,
    members,
    vectors,
    ...defined({ logprobs }),
  };
}

/** Members in which a provider streams one text; others of an object are whole in each chunk. */
const STREAMED_TEXTS = ['data', 'transcript'];

/** Lists go on, and so do texts within objects: a client joins audio in the same way. */
export function joinedMembers(first: JsonObject, more: JsonObject): JsonObject {
  const all = Object.entries(more).map(([name, value]) => {
    const known = first[name];
    if (Array.isArray(value)) return [name, [...listOf(known), ...listOf(value)]];
    if (!isObject(known) || !isObject(value)) return [name, value];
    const texts = STREAMED_TEXTS.filter((each) => each in value && each in known);
    const whole = texts.map((each) => [each, `${String(known[each])}${String(value[each])}`]);
    return [name, { ...known, ...value, ...(Object.fromEntries(whole) as JsonObject) }];
  });
  return { ...first, ...(Object.fromEntries(all) as JsonObject) };
}

function joined(first: Logprobs | undefined, more: Logprobs | undefined): Logprobs | undefined {
  if (first === undefined || more === undefined) return first ?? more;
  const both = (name: keyof Logprobs) => [...(first[name] ?? []), ...(more[name] ?? [])];
  const [content, refusal] = [both('content'), both('refusal')];
  return { ...(content.length > 0 && { content }), ...(refusal.length > 0 && { refusal }) };
}
