import { readFileSync } from 'node:fs';
import { listingDocuments } from '../../domain/search/documents.ts';
import type { IndexRow } from '../../domain/search/found.ts';
import { openIndex, type SearchIndex } from '../../domain/search/index.ts';
import { KINDS } from '../../domain/search/plan.ts';
import { termsText } from '../../domain/search/terms.ts';
import { listings } from './_set.ts';

export interface AskedIn {
  readonly language: string;
  readonly query: string;
  readonly right: readonly string[];
}

/** `language query = listing listing`; every second query is held out. */
export const asked: readonly AskedIn[] = readFileSync(
  new URL('languages.txt', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [query = '', right = ''] = line.slice(3).split(' = ');
    const hosts = right.split(' ').map((name) => `${name}.example`);
    return { language: line.slice(0, 2), query, right: hosts };
  });

const STANDING = { answers: true, karma: 0, reach: 0 };

interface Given {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly skills?: readonly { readonly name: string; readonly description: string }[];
}

export function rowsOf({ id, name, description = '', skills = [] }: Given): readonly IndexRow[] {
  const listed = skills.map((skill, place) => ({ ...skill, tags: [], place }));
  const documents = listingDocuments({
    id,
    name,
    description,
    host: id,
    skills: listed,
    standing: STANDING,
  });
  return documents.map(({ kind, ref, part, digest, weights }) => [
    KINDS.indexOf(kind),
    ref,
    part,
    digest,
    termsText(weights),
    1,
    0,
    0,
  ]);
}

export function indexOf(given: readonly Given[]): SearchIndex {
  const index = openIndex();
  index.take(given.flatMap(rowsOf));
  return index;
}

/** The listings of the search set, by their hosts. */
export const given: readonly Given[] = listings.map(
  ({ listing: { host: id, name, description }, skills }) => ({
    id,
    name,
    ...(description !== undefined && { description }),
    skills,
  }),
);
