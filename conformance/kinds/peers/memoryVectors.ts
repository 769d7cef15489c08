import { normalised } from '../../../domain/memory/embedding.ts';

/** Vectors of 768 numbers, the same for the same seed. */
export function vectorSource(seed: number): () => Float32Array {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  return () => {
    const vector = normalised(Array.from({ length: 768 }, next));
    if (vector === undefined) throw new Error('a random vector is not zero');
    return vector;
  };
}
