import { wordsOf } from '../analysis/words.ts';

/**
 * Listings with nearly the same text and tools are copies of one (choices registry.copies): the
 * least hashes of the triples of words estimate how much two texts share (MinHash), and bands of
 * those hashes find the candidates without comparing all with all.
 */
const HASHES = 64;
const BAND_ROWS = 4;
const WORDS_MAX = 1_500;
/** Too short a text says nothing: many servers have one tool without a description. */
const TRIPLES_MIN = 12;
/** The shared part of the triples of two texts from which one is a copy. */
const SHARED_MIN = 0.7;

export interface CopiedText {
  readonly description: string;
  readonly tools: readonly { readonly name: string; readonly description: string }[];
}

export type Signature = readonly number[];

/** Undefined when the text is too short to compare; the name is left out, since a copy changes it. */
export function signatureOf({ description, tools }: CopiedText): Signature | undefined {
  const text = [description, ...tools.map((tool) => `${tool.name} ${tool.description}`)].join('\n');
  const words = wordsOf(text, WORDS_MAX).map(({ stem }) => stem);
  const triples = new Set<number>();
  for (let at = 0; at + 2 < words.length; at += 1) {
    triples.add(hashOf(`${words[at]} ${words[at + 1]} ${words[at + 2]}`));
  }
  if (triples.size < TRIPLES_MIN) return undefined;
  const least = new Uint32Array(HASHES).fill(0xffff_ffff);
  for (const triple of triples) {
    for (let nth = 0; nth < HASHES; nth += 1) {
      const hash = mixed(triple ^ Math.imul(nth + 1, 0x9e37_79b1));
      if (hash < (least[nth] ?? 0)) least[nth] = hash;
    }
  }
  return [...least];
}

/** Two texts that share enough have one of these in common nearly always. */
export function bandsOf(signature: Signature): readonly string[] {
  return Array.from({ length: HASHES / BAND_ROWS }, (_, band) => {
    const rows = signature.slice(band * BAND_ROWS, (band + 1) * BAND_ROWS);
    return `${band}:${rows.map((hash) => hash.toString(36)).join('.')}`;
  });
}

/** 0 to 1: about how many of their triples both have. */
export function shared(a: Signature, b: Signature): number {
  return a.filter((hash, nth) => hash === b[nth]).length / HASHES;
}

export function isCopy(a: Signature, b: Signature): boolean {
  return shared(a, b) >= SHARED_MIN;
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  }
  return hash >>> 0;
}

/** The last step of MurmurHash3, so that each of the hashes orders the triples differently. */
function mixed(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The facts that decide which of a group stands for it: a proved domain, then the first sight. */
export interface Standing {
  readonly id: string;
  readonly isProved: boolean;
  readonly firstSeenAt: number;
}

export function standsBefore(a: Standing, b: Standing): boolean {
  if (a.isProved !== b.isProved) return a.isProved;
  if (a.firstSeenAt !== b.firstSeenAt) return a.firstSeenAt < b.firstSeenAt;
  return a.id < b.id;
}
