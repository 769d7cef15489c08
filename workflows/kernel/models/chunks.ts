import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../../../domain/defined.ts';
import { isObject, listOf, type JsonObject } from '../../../domain/jsonObject.ts';
import { readMessage, toolCallsIn, type ReadMessage } from '../../../domain/models/content.ts';
import { finishOf } from '../../../domain/models/finish.ts';
import { readLogprobs } from '../../../domain/models/logprobs.ts';
import { isWords, type Logprobs, type Words } from '../../../domain/models/piece.ts';
import { ToolCalls } from '../../../domain/models/toolCalls.ts';
import { readUsage } from '../../../domain/models/usage.ts';
import { openEvents, type StreamEvent } from '../outbound/eventStream.ts';
import type { BodyStream } from '../outbound/outcome.ts';
import { faultIn } from './faults.ts';
import type { ModelPart } from './part.ts';

/** A provider's chat-completions answer as parts. It is untrusted: only known fields pass. */
const DONE = '[DONE]';

/** The parts of one answer that were read so far. */
interface Reading {
  readonly calls: ToolCalls;
  /** Sources that providers list again in every chunk. */
  readonly sources: Set<string>;
  hasDelta: boolean;
  isDone: boolean;
}

const newReading = (): Reading => ({
  calls: new ToolCalls(),
  sources: new Set(),
  hasDelta: false,
  isDone: false,
});

export async function* partsOfStream({ parts }: BodyStream): AsyncGenerator<ModelPart> {
  const events = openEvents();
  const reading = newReading();
  const items = parts[Symbol.asyncIterator]();
  for (;;) {
    const coming = items.next();
    const next = reading.isDone ? await Promise.race([coming, afterDone()]) : await coming;
    if (next.done === true) break;
    const part = next.value;
    if (part.kind === 'bytes') yield* partsOfEvents(events.push(part.bytes), reading);
    else if (!reading.isDone) {
      yield { is: 'fault', why: part.message };
      return;
    }
  }
  yield* partsOfEvents(events.end(), reading);
}

/** An answer is whole with its last line; a connection that ends soon after it can be kept. */
const AFTER_DONE_MS = 200;

async function afterDone(): Promise<{ readonly done: true }> {
  await sleep(AFTER_DONE_MS, undefined, { ref: false });
  return { done: true };
}

/** Text that arrived in one read is one part: it was not available earlier, and parts cost. */
function* partsOfEvents(events: readonly StreamEvent[], reading: Reading): Generator<ModelPart> {
  let words: Words | undefined;
  for (const { data } of events) {
    const text = data.trim();
    reading.isDone ||= text === DONE;
    if (reading.isDone) break;
    if (text === '') continue;
    for (const part of partsOfChunk(text, reading)) {
      if (isWords(part) && words?.is === part.is) {
        words = { is: part.is, text: words.text + part.text };
        continue;
      }
      if (words !== undefined) yield words;
      words = undefined;
      if (isWords(part)) words = part;
      else yield part;
    }
  }
  if (words !== undefined) yield words;
}

function* partsOfChunk(data: string, reading: Reading): Generator<ModelPart> {
  const chunk = parsed(data);
  if (chunk === undefined) {
    yield { is: 'fault', why: 'The provider sent a chunk that is no JSON object.' };
    return;
  }
  yield* partsOf(chunk, reading);
}

/** A provider that does not stream answers whole. */
export async function* partsOfWhole({ parts }: BodyStream): AsyncGenerator<ModelPart> {
  const pieces: Uint8Array[] = [];
  for await (const part of parts) {
    if (part.kind === 'failed') {
      yield { is: 'fault', why: part.message };
      return;
    }
    pieces.push(part.bytes);
  }
  const whole = parsed(Buffer.concat(pieces).toString());
  if (whole === undefined) yield { is: 'fault', why: 'The provider answered no JSON object.' };
  else yield* partsOf(whole, newReading());
}

function* partsOf(chunk: JsonObject, reading: Reading): Generator<ModelPart> {
  const fault = faultIn(chunk);
  if (fault !== undefined) {
    yield fault;
    return;
  }
  const first = listOf(chunk['choices'])[0];
  const choice = isObject(first) ? first : {};
  const piece = pieceIn(choice, reading);
  const read = piece === undefined ? EMPTY_MESSAGE : readMessage(piece);
  yield* read.words;
  if (piece !== undefined) yield* partsOfCalls(piece, reading.calls);
  const annotations = [...read.others, ...annotationsIn(chunk, piece, reading)];
  yield* partsBeside(annotations, read.members, readLogprobs(choice, textOf(read)));
  yield* partsOfEnd(choice['finish_reason']);
  const usage = [chunk['usage'], choice['usage'], usageApart(chunk)].map(readUsage).find(Boolean);
  if (usage !== undefined) yield { is: 'usage', usage };
}

/**
 * A chunk has a delta. Some streams end with the whole message once more, which is read only when
 * no delta came before it.
 */
function pieceIn(choice: JsonObject, reading: Reading): JsonObject | undefined {
  const { delta, message, text } = choice;
  if (isObject(delta)) {
    reading.hasDelta = true;
    return delta;
  }
  if (reading.hasDelta) return undefined;
  if (isObject(message)) return message;
  return typeof text === 'string' ? { content: text } : undefined;
}

/** Groq counts in a member of its own. */
function usageApart(chunk: JsonObject): unknown {
  const own = chunk['x_groq'];
  return isObject(own) ? own['usage'] : undefined;
}

const EMPTY_MESSAGE: ReadMessage = { words: [], others: [], members: {} };

function textOf({ words }: ReadMessage): string {
  return words.map(({ is, text }) => (is === 'text' ? text : '')).join('');
}

function* partsOfCalls(piece: JsonObject, toolCalls: ToolCalls): Generator<ModelPart> {
  const calls = toolCallsIn(piece);
  if (calls.length > 0) yield { is: 'tools', calls: toolCalls.piecesOf(calls) };
}

/** Sources are annotations of the message, or addresses beside the choices. */
function annotationsIn(
  chunk: JsonObject,
  piece: JsonObject | undefined,
  { sources }: Reading,
): readonly JsonObject[] {
  const own = listOf(piece?.['annotations']).filter(isObject);
  // Results of a search have the title of the source that the citations only name.
  const found = [...listOf(chunk['search_results']), ...listOf(chunk['citations'])];
  const cited = found.flatMap((each): JsonObject[] => {
    const url = isObject(each) ? each['url'] : each;
    if (typeof url !== 'string' || sources.has(url)) return [];
    sources.add(url);
    return [{ type: 'url_citation', url_citation: { ...(isObject(each) && each), url } }];
  });
  return [...own, ...cited];
}

function* partsBeside(
  annotations: readonly JsonObject[],
  members: JsonObject,
  logprobs: Logprobs | undefined,
): Generator<ModelPart> {
  const hasMembers = Object.keys(members).length > 0;
  if (annotations.length === 0 && !hasMembers && logprobs === undefined) return;
  yield { is: 'beside', annotations, ...(hasMembers && { members }), ...defined({ logprobs }) };
}

function* partsOfEnd(word: unknown): Generator<ModelPart> {
  if (typeof word !== 'string' || word === '') return;
  const reason = finishOf(word);
  if (reason !== undefined) yield { is: 'finish', reason };
  else yield { is: 'fault', why: `The provider broke the answer off and gave "${word}".` };
}

/** The JSON object of a text; of a list, as some providers give errors, its first. */
export function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const first = Array.isArray(value) ? (value[0] as unknown) : value;
    return isObject(first) ? first : undefined;
  } catch {
    return undefined;
  }
}
