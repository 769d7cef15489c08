import { packVector, unpackVector } from '../models/embedding.ts';

/**
 * An embedding is finite numbers, not all zero, as many as its space has dimensions. Only its
 * direction is kept, as float32 of length 1, because the cosine distance asks for nothing else.
 */
export const DIMENSIONS = 768;

/**
 * Returns undefined for no embedding of so many numbers. Scaling first keeps squares from over- or
 * underflow.
 */
export function normalised(
  values: ArrayLike<number> & Iterable<number>,
  dimensions = DIMENSIONS,
): Float32Array | undefined {
  if (values.length !== dimensions) return undefined;
  // Plain loops: with a function for each number this is a tenth of writing a note.
  let most = 0;
  for (const value of values) {
    if (!Number.isFinite(value)) return undefined;
    most = Math.max(most, Math.abs(value));
  }
  if (most === 0) return undefined;
  let squares = 0;
  for (const value of values) {
    const scaled = value / most;
    squares += scaled * scaled;
  }
  const length = Math.sqrt(squares);
  const vector = new Float32Array(dimensions);
  for (let n = 0; n < dimensions; n += 1) vector[n] = (values[n] ?? 0) / most / length;
  return vector;
}

/** Bytes of a packed embedding, 4 a number. */
export function packedBytes(packed: string): number {
  return Buffer.byteLength(packed, 'base64');
}

/** The error that rounding to float32 can add to a length of 1. */
const ROUNDING = 1e-6;

/**
 * The embedding in a packed text; undefined when it holds none. One that is normalised stays as it
 * is to the bit, so that what was exported is the same note when it comes back.
 */
export function unpackEmbedding(text: string, dimensions = DIMENSIONS): Float32Array | undefined {
  const vector = unpackVector(text);
  if (vector?.length !== dimensions || packVector(vector) !== text) return undefined;
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return Math.abs(length - 1) < ROUNDING ? vector : normalised(vector, dimensions);
}
