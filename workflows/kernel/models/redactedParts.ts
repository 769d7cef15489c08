import { Redaction, type RedactedFlow } from '../../../domain/outbound/redaction.ts';
import { isObject, type JsonObject } from '../../../domain/jsonObject.ts';
import type { ToolCallPiece } from '../../../domain/models/toolCalls.ts';
import type { ModelPart } from './part.ts';

/**
 * The parts of an answer without the key that asked for it (choices outbound.secrets). The guard
 * removes it from the bytes; here it is found when it was escaped or cut into several chunks.
 */
export async function* redactedParts(
  key: string | undefined,
  parts: AsyncIterable<ModelPart>,
): AsyncGenerator<ModelPart> {
  const redaction = new Redaction(key === undefined ? [] : [key]);
  if (redaction.isEmpty) {
    yield* parts;
    return;
  }
  const flows = new Map<string, RedactedFlow>();
  const within = (place: string, text: string): string => {
    const flow = flows.get(place) ?? redaction.flow();
    flows.set(place, flow);
    return flow(text);
  };
  for await (const part of parts) {
    if (part.is === 'fault') yield { ...part, why: redaction.text(part.why) };
    else if (part.is === 'tools') {
      yield { ...part, calls: part.calls.map((call) => redactedCall(call, redaction, within)) };
    } else if (part.is === 'beside') {
      yield redactedDeep(part, (text) => redaction.text(text)) as ModelPart;
    } else if ('text' in part) yield { ...part, text: within(part.is, part.text) };
    else yield part;
  }
}

function redactedCall(
  call: ToolCallPiece,
  redaction: Redaction,
  within: (place: string, text: string) => string,
): ToolCallPiece {
  const { index, function: made, custom, ...rest } = call;
  const redacted = (members: JsonObject): JsonObject =>
    redactedValues(members, (text, name) => within(`${index} ${name}`, text));
  return {
    ...(redactedDeep(rest, (text) => redaction.text(text)) as JsonObject),
    index,
    ...(made !== undefined && { function: redacted(made) }),
    ...(custom !== undefined && { custom: redacted(custom) }),
  };
}

function redactedDeep(value: unknown, redacted: (text: string) => string): unknown {
  if (typeof value === 'string') return redacted(value);
  if (Array.isArray(value)) return value.map((each) => redactedDeep(each, redacted));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, redactedDeep(each, redacted)]);
  return Object.fromEntries(entries);
}

function redactedValues<T extends object>(
  object: T,
  redacted: (text: string, name: string) => string,
): T {
  const entries = Object.entries(object).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? redacted(value, name) : value,
  ]);
  return Object.fromEntries(entries) as T;
}
