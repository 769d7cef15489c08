import { isStopWord, wordsOf } from '../analysis/words.ts';
import type { EmbeddingInput } from './embedding.ts';
import type { Offer } from './offer.ts';

/**
 * The stand-in of a hub without a provider of embeddings, on test money: each word adds to a few
 * numbers that its hash chooses, so texts with words in common are near each other. It knows no
 * meaning, is the same everywhere, and exists to try embeddings and memory (models.vectors).
 */
export const HASHED_WORDS: Offer = {
  id: 'hub/words',
  name: 'Hashed words',
  description:
    'Makes a vector of the words of a text by their hashes. It knows no meaning and exists to try embeddings: texts are near when they have words in common.',
  contextLength: 1_024,
  maxAnswerTokens: 1,
  embeds: { dimensions: 768, shortens: true },
  backend: 'mock',
  counter: 'hub-words',
  reads: {},
  thinks: false,
  rewrites: false,
  parameters: [],
  since: 0,
  providers: [
    {
      name: 'hub',
      model: 'words',
      lengthField: 'max_tokens',
      price: { input: 500_000n, output: 0n },
      firstTokenMs: 30_000,
      idleMs: 30_000,
      totalMs: 600_000,
    },
  ],
};

const WORDS_MAX = 2_048;
/** Numbers that a word adds to: two words rarely share all of them. */
const PLACES = 4;
const STOP_WEIGHT = 0.2;

/** The vectors of all texts, in steps of a text each. */
export function* hashedTexts(
  inputs: readonly EmbeddingInput[],
  dimensions: number,
): Generator<undefined, readonly Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const input of inputs) {
    vectors.push(hashedWords(input, dimensions));
    yield;
  }
  return vectors;
}

export function hashedWords(input: EmbeddingInput, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const [word, weight] of weighted(input)) {
    for (let place = 0; place < PLACES; place += 1) {
      const hash = hashOf(`${place}${word}`);
      const at = (hash >>> 1) % dimensions;
      vector[at] = (vector[at] ?? 0) + ((hash & 1) === 0 ? weight : -weight);
    }
  }
  const length = Math.hypot(...vector);
  if (length === 0) vector[hashOf(String(input)) % dimensions] = 1;
  else for (const [at, value] of vector.entries()) vector[at] = value / length;
  return vector;
}

function weighted(input: EmbeddingInput): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const add = (word: string, by: number): void =>
    void weights.set(word, (weights.get(word) ?? 0) + by);
  if (typeof input !== 'string') for (const id of input) add(String(id), 1);
  else {
    for (const { whole, stem, parts } of wordsOf(input, WORDS_MAX)) {
      add(stem, isStopWord(whole) ? STOP_WEIGHT : 1);
      for (const part of parts) if (part !== stem) add(part, 1);
    }
  }
  for (const [word, weight] of weights) weights.set(word, Math.log1p(weight));
  return weights;
}

/** FNV-1a of 32 bits, with its bits mixed once more, since the low ones choose the place. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let n = 0; n < text.length; n += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
