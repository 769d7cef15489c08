import { readFileSync } from 'node:fs';
import type { Probed } from '../../db/registry/listings.ts';
import { listing, skill } from '../registry/_index.ts';

/** The published query set: listings as operators write them, and what people ask for. */
export interface Asked {
  readonly query: string;
  /** Hosts of the listings that are right answers. */
  readonly right: readonly string[];
}

const read = (name: string): readonly string[] =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');

/** `kind host | name | description | tool: what it does ; tool: what it does` */
export const listings: readonly Probed[] = read('listings.txt').map((line) => {
  const [place = '', name = '', description = '', tools = ''] = line.split(' | ');
  const [kind, host = ''] = place.split(' ');
  const skills = tools.split(' ; ').map((tool) => {
    const [id = '', ...text] = tool.split(': ');
    return skill(id, { description: text.join(': ') });
  });
  const of =
    kind === 'a2a' ? ({ kind, transport: 'JSONRPC' } as const) : ({ kind: 'mcp' } as const);
  return listing(host, { ...of, name, description }, skills);
});

/** `query = host host` */
export const queries: readonly Asked[] = read('queries.txt').map((line) => {
  const [query = '', right = ''] = line.split(' = ');
  return { query, right: right.split(' ') };
});

export interface Scores {
  readonly top1: number;
  readonly top5: number;
  /** Mean of one over the place of the first right answer. */
  readonly mrr: number;
  /** Questions whose answer was not among the first five, with what was first. */
  readonly missed: readonly string[];
}

/** `answers` are the hosts that were found for each query, best first. */
export function scoresOf(answers: readonly (readonly string[])[]): Scores {
  const places = queries.map(({ right }, n) =>
    (answers[n] ?? []).findIndex((host) => right.includes(host)),
  );
  const share = (most: number): number =>
    places.filter((place) => place >= 0 && place < most).length / queries.length;
  const worth = places.map((place) => (place < 0 ? 0 : 1 / (place + 1)));
  const missed = queries.flatMap(({ query }, n) => {
    const place = places[n] ?? -1;
    return place >= 0 && place < 5
      ? []
      : [`${query}: ${(answers[n] ?? []).slice(0, 3).join(', ')}`];
  });
  return {
    top1: share(1),
    top5: share(5),
    mrr: worth.reduce((sum, each) => sum + each, 0) / queries.length,
    missed,
  };
}
