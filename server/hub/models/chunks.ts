import { isObject, listOf, type JsonObject } from '../../../domain/jsonObject.ts';
import { FINISH_REASONS, sentence } from '../../../domain/models/receipt.ts';
import { readUsage } from '../../../domain/models/usage.ts';
import { openEvents, type StreamEvent } from '../outbound/eventStream.ts';
import type { BodyStream } from '../outbound/outcome.ts';
import type { ModelPart } from './part.ts';

/**
 * The answer of a provider in the chat-completions form, as a stream or whole, read into parts.
 * What the provider says of itself is a stranger's word: only known fields of the right type pass.
 */
const DONE = '[DONE]';

export async function* partsOfStream({ parts }: BodyStream): AsyncGenerator<ModelPart> {
  const events = openEvents();
  for await (const part of parts) {
    if (part.kind === 'failed') {
      yield { is: 'fault', why: part.message };
      return;
    }
    yield* partsOfEvents(events.push(part.bytes));
  }
  yield* partsOfEvents(events.end());
}

/**
 * Text that came in one breath is one part: nobody could have had the first piece of it earlier, and
 * each part costs every stage that it goes through.
 */
function* partsOfEvents(events: readonly StreamEvent[]): Generator<ModelPart> {
  let text = '';
  for (const { data } of events) {
    if (data === DONE) continue;
    for (const part of partsOfChunk(data)) {
      if (part.is === 'text') {
        text += part.text;
        continue;
      }
      if (text !== '') yield { is: 'text', text };
      text = '';
      yield part;
    }
  }
  if (text !== '') yield { is: 'text', text };
}

function* partsOfChunk(data: string): Generator<ModelPart> {
  const chunk = parsed(data);
  if (chunk === undefined) {
    yield { is: 'fault', why: 'The provider sent a chunk that is no JSON object.' };
    return;
  }
  yield* partsOf(chunk, 'delta');
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
  else yield* partsOf(whole, 'message');
}

function* partsOf(chunk: JsonObject, place: 'delta' | 'message'): Generator<ModelPart> {
  if (chunk['error'] !== undefined && chunk['error'] !== null) {
    yield { is: 'fault', why: `The provider says: ${errorIn(chunk)}` };
    return;
  }
  const choice = listOf(chunk['choices'])[0];
  if (isObject(choice)) {
    const said = choice[place];
    if (isObject(said)) yield* partsOfSaid(said);
    const reason = FINISH_REASONS.find((each) => each === choice['finish_reason']);
    if (reason !== undefined) yield { is: 'finish', reason };
  }
  const usage = readUsage(chunk['usage']);
  if (usage !== undefined) yield { is: 'usage', usage };
}

function* partsOfSaid(said: JsonObject): Generator<ModelPart> {
  const { content } = said;
  if (typeof content === 'string' && content !== '') yield { is: 'text', text: content };
  const calls = listOf(said['tool_calls']).filter(isObject);
  if (calls.length > 0) yield { is: 'tools', calls };
}

/** What a refusal of the provider says, in one line. */
export function errorIn(body: JsonObject): string {
  const { error } = body;
  const text = isObject(error) ? error['message'] : error;
  return sentence(typeof text === 'string' ? text.slice(0, 2_000) : '');
}

export function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
