import type { VerifyCrypto } from './crypto.ts';

/** Walks an audit path from a leaf to the root (RFC 6962 2.1.1, spec/BYTES.md 2). */
const [LEAF, NODE] = [0, 1];

export interface Place {
  /** Below `leaves`. */
  readonly index: number;
  readonly leaves: number;
}

/**
 * The root that a leaf's 32 bytes and its path, from the leaf up, lead to. Undefined when the path
 * is longer or shorter than that leaf's.
 */
export async function rootFrom(
  data: Uint8Array,
  { index, leaves }: Place,
  path: readonly Uint8Array[],
  { sha256 }: VerifyCrypto,
): Promise<Uint8Array | undefined> {
  let hash = await sha256(concat(LEAF, data));
  // Halved with division, since the operators on bits stop at 2^32 leaves.
  let [place, last] = [index, leaves - 1];
  for (const beside of path) {
    if (last === 0) return undefined;
    if (place % 2 === 1 || place === last) {
      hash = await sha256(concat(NODE, beside, hash));
      // The last of an odd level rises unpaired to the level where it has a neighbour on its left.
      while (place % 2 === 0 && place > 0) [place, last] = [place / 2, half(last)];
    } else {
      hash = await sha256(concat(NODE, hash, beside));
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 ? hash : undefined;
}

function half(value: number): number {
  return Math.floor(value / 2);
}

function concat(prefix: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 1));
  whole[0] = prefix;
  let at = 1;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
