import { isObject, listOf, type JsonObject } from '../jsonObject.ts';
import type { Tokens } from './offer.ts';

/** A text, or the ids of its tokens as some clients send it. */
export type EmbeddingInput = string | readonly number[];

/** Texts that become vectors (choices models.vectors). */
export interface EmbeddingAsk {
  readonly inputs: readonly EmbeddingInput[];
  /** Numbers of each vector, when fewer than the model's own are wanted. */
  readonly dimensions?: number;
}

export const DIMENSIONS_MAX = 4_096;
/** Numbers of one call in base64, and as digits, which cost the event loop twenty times as much. */
export const PACKED_VALUES_MAX = 1_572_864;
export const PLAIN_VALUES_MAX = 65_536;

/** The texts of a request: one or many, as text or as ids of tokens. */
export function inputsOf(input: unknown): readonly EmbeddingInput[] {
  if (typeof input === 'string') return [input];
  const all = listOf(input);
  if (typeof all[0] === 'number') return [all as readonly number[]];
  return all as readonly EmbeddingInput[];
}

/** Returns the place of an input that has nothing to be embedded; -1 when all have. */
export function emptyInput(inputs: readonly EmbeddingInput[]): number {
  return inputs.findIndex((each) =>
    typeof each === 'string' ? each.trim() === '' : each.length === 0,
  );
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Base64 of little-endian float32, the form of the protocol. */
export function packVector(vector: Float32Array): string {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
  return (IS_LITTLE_ENDIAN ? bytes : Buffer.from(bytes).swap32()).toString('base64');
}

/** The floats of such a text; undefined when its length is that of none. */
export function unpackVector(text: string): Float32Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined;
  // A copy of its own, since the bytes of small buffers begin anywhere.
  const own = new Uint8Array(bytes);
  if (!IS_LITTLE_ENDIAN) Buffer.from(own.buffer).swap32();
  return new Float32Array(own.buffer);
}

/** A provider's answer: a vector for each input in their order, or why it cannot be used. */
export type ReadVectors =
  | { readonly vectors: readonly Float32Array[]; readonly usage?: Tokens }
  | { readonly fault: string };

/** Goes in steps of a vector each, since an answer may have a million numbers. */
export function* readVectors(
  body: JsonObject,
  ask: Required<EmbeddingAsk>,
): Generator<undefined, ReadVectors> {
  const { inputs, dimensions } = ask;
  const items = listOf(body['data']).filter(isObject);
  if (items.length !== inputs.length) {
    return { fault: `The provider answered ${items.length} vectors for ${inputs.length} inputs.` };
  }
  const vectors: Float32Array[] = [];
  for (const [place, item] of items.entries()) {
    const { index = place, embedding } = item;
    const vector = vectorIn(embedding);
    if (vector === undefined || vector.length !== dimensions || !vector.every(Number.isFinite)) {
      return { fault: `The provider answered no vector of ${dimensions} finite numbers.` };
    }
    if (typeof index !== 'number' || !(index in inputs) || vectors[index] !== undefined) {
      return { fault: 'The provider answered two vectors for one input.' };
    }
    vectors[index] = vector;
    yield;
  }
  const input = promptTokens(body['usage']);
  return { vectors, ...(input !== undefined && { usage: { input, output: 0 } }) };
}

function vectorIn(value: unknown): Float32Array | undefined {
  if (typeof value === 'string') return unpackVector(value);
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'number')) return undefined;
  return Float32Array.from(value);
}

function promptTokens(usage: unknown): number | undefined {
  const { prompt_tokens: first, total_tokens: all } = isObject(usage) ? usage : {};
  const tokens = first ?? all;
  return Number.isSafeInteger(tokens) && Number(tokens) >= 0 ? Number(tokens) : undefined;
}
