import { isObject, listOf, type JsonObject } from '../../../domain/jsonObject.ts';
import { isWords, type Words } from '../../../domain/models/piece.ts';
import { FINISH_REASONS, type FinishReason } from '../../../domain/models/receipt.ts';
import { ToolCalls } from '../../../domain/models/toolCalls.ts';
import { readUsage } from '../../../domain/models/usage.ts';
import { openEvents, type StreamEvent } from '../outbound/eventStream.ts';
import type { BodyStream } from '../outbound/outcome.ts';
import { faultIn } from './faults.ts';
import type { ModelPart } from './part.ts';

/** A provider's chat-completions answer as parts. It is untrusted: only known fields pass. */
const DONE = '[DONE]';

export async function* partsOfStream({ parts }: BodyStream): AsyncGenerator<ModelPart> {
  const events = openEvents();
  const calls = new ToolCalls();
  for await (const part of parts) {
    if (part.kind === 'failed') {
      yield { is: 'fault', why: part.message };
      return;
    }
    yield* partsOfEvents(events.push(part.bytes), calls);
  }
  yield* partsOfEvents(events.end(), calls);
}

/** Text that arrived in one read is one part: it was not available earlier, and parts cost. */
function* partsOfEvents(events: readonly StreamEvent[], calls: ToolCalls): Generator<ModelPart> {
  let words: Words | undefined;
  for (const { data } of events) {
    if (data === DONE) continue;
    for (const part of partsOfChunk(data, calls)) {
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

function* partsOfChunk(data: string, calls: ToolCalls): Generator<ModelPart> {
  const chunk = parsed(data);
  if (chunk === undefined) {
    yield { is: 'fault', why: 'The provider sent a chunk that is no JSON object.' };
    return;
  }
  yield* partsOf(chunk, 'delta', calls);
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
  else yield* partsOf(whole, 'message', new ToolCalls());
}

function* partsOf(
  chunk: JsonObject,
  place: 'delta' | 'message',
  calls: ToolCalls,
): Generator<ModelPart> {
  const fault = faultIn(chunk);
  if (fault !== undefined) {
    yield fault;
    return;
  }
  const choice = listOf(chunk['choices'])[0];
  if (isObject(choice)) {
    const said = choice[place];
    if (isObject(said)) yield* partsOfSaid(said, calls);
    yield* partsOfEnd(choice['finish_reason']);
  }
  const usage = readUsage(chunk['usage']);
  if (usage !== undefined) yield { is: 'usage', usage };
}

function* partsOfSaid(said: JsonObject, toolCalls: ToolCalls): Generator<ModelPart> {
  const { content, refusal, reasoning_content: thought, reasoning } = said;
  const words = [
    ['reasoning', typeof thought === 'string' ? thought : reasoning],
    ['text', content],
    ['refusal', refusal],
  ] as const;
  for (const [is, text] of words) if (typeof text === 'string' && text !== '') yield { is, text };
  const calls = listOf(said['tool_calls']).filter(isObject);
  if (calls.length > 0) yield { is: 'tools', calls: toolCalls.piecesOf(calls) };
}

/** Words of servers for an answer that was broken off. */
const BROKEN_OFF: readonly unknown[] = ['error', 'abort'];

function* partsOfEnd(said: unknown): Generator<ModelPart> {
  if (BROKEN_OFF.includes(said)) {
    yield { is: 'fault', why: `The provider broke the answer off and gave "${String(said)}".` };
  } else if (typeof said === 'string' && said !== '') {
    yield { is: 'finish', reason: finishOf(said) };
  }
}

/** Servers have words of their own for an answer that ended by itself. */
function finishOf(said: string): FinishReason {
  return FINISH_REASONS.find((each) => each === said) ?? 'stop';
}

export function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
