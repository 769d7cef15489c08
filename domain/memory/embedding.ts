/**
 * An embedding is 768 finite numbers, not all zero. Only its direction is kept, as float32 of
 * length 1, because the cosine distance asks for nothing else; the length of what was sent is not
 * stored.
 */
export const DIMENSIONS = 768;
const BYTES = DIMENSIONS * 4;

/**
 * Normalised; undefined when it is no embedding. Scaled first, so that no square over- or
 * underflows.
 */
export function normalised(values: readonly number[]): Float32Array | undefined {
  if (values.length !== DIMENSIONS || !values.every(Number.isFinite)) return undefined;
  const most = values.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  if (most === 0) return undefined;
  const scaled = values.map((value) => value / most);
  const length = Math.sqrt(scaled.reduce((sum, value) => sum + value * value, 0));
  return Float32Array.from(scaled, (value) => value / length);
}

/** Base64 of its little-endian float32, the form in which it is stored and exported. */
export function packEmbedding(vector: Float32Array): string {
  const bytes = new DataView(new ArrayBuffer(BYTES));
  for (const [n, value] of vector.entries()) bytes.setFloat32(n * 4, value, true);
  return Buffer.from(bytes.buffer).toString('base64');
}

/** What the rounding to float32 makes of a length of 1. */
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
