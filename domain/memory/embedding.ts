/**
 * An embedding is 768 finite numbers, not all zero. Only its direction is kept, as float32 of
 * length 1, because the cosine distance asks for nothing else.
 */
export const DIMENSIONS = 768;
const BYTES = DIMENSIONS * 4;

/** Undefined for no embedding. Scaling first keeps squares from over- or underflow. */
export function normalised(values: readonly number[]): Float32Array | undefined {
  if (values.length !== DIMENSIONS) return undefined;
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
  const vector = new Float32Array(DIMENSIONS);
  for (let n = 0; n < DIMENSIONS; n += 1) vector[n] = (values[n] ?? 0) / most / length;
  return vector;
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Base64 of its little-endian float32, the form in which it is stored and exported. */
export function packEmbedding(vector: Float32Array): string {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, BYTES);
  return (IS_LITTLE_ENDIAN ? bytes : Buffer.from(bytes).swap32()).toString('base64');
}

/** The error that rounding to float32 can add to a length of 1. */
const ROUNDING = 1e-6;

/**
 * The embedding in a packed text; undefined when it holds none. One that is normalised stays as it
 * is to the bit, so that what was exported is the same note when it comes back.
 */
export function unpackEmbedding(text: string): Float32Array | undefined {
  const packed = Buffer.from(text, 'base64');
  if (packed.length !== BYTES || packed.toString('base64') !== text) return undefined;
  const bytes = new DataView(packed.buffer, packed.byteOffset, BYTES);
  const vector = Float32Array.from({ length: DIMENSIONS }, (_, n) => bytes.getFloat32(n * 4, true));
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return Math.abs(length - 1) < ROUNDING ? vector : normalised([...vector]);
}
