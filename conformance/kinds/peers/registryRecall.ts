// Compares the results of search in a large registry with a judge that scores every document.
import { openJudge } from '../../../domain/search/fixture.ts';
import { aQuery, drawnQuery } from '../../search/_synthetic.ts';
import { documentsFor } from '../../../db/search/queue.ts';
import { openStore } from '../../../db/store.ts';
import type { Document } from '../../../domain/search/documents.ts';
import { KINDS } from '../../../domain/search/plan.ts';
import { openSearch } from '../../../workflows/kernel/search/search.ts';

const READ_AT_ONCE = 500;
const FIRST = 20;

/** How many of so many queries have the same first twenty. */
export async function recall(database: string, listings: number, asked: number): Promise<number> {
  const store = await openStore(`sqlite:${database}`);
  const search = openSearch(store, (error) => process.stderr.write(`${String(error)}\n`));
  try {
    await search.begin();
    const ids = await store.read((db) => db.knex('listings').pluck<string[]>('id'));
    const documents: Document[] = [];
    for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
      const some = ids.slice(from, from + READ_AT_ONCE);
      const entries = some.map((ref) => ({ kind: 'listing', ref, stamp: 1 }) as const);
      documents.push(...(await store.read((db) => documentsFor(db, entries))));
    }
    const judge = openJudge(documents);
    await search.loaded();
    let same = 0;
    for (let n = 0; n < asked; n += 1) {
      const text = n % 5 === 4 ? aQuery(n) : drawnQuery(n, listings);
      const request = { text, kinds: KINDS, order: 'score', count: FIRST } as const;
      const found = await search.find(request);
      const wanted = judge.search({ ...request, answeringOnly: false });
      if (JSON.stringify(found) === JSON.stringify(wanted)) same += 1;
    }
    return same;
  } finally {
    await search.close();
    await store.close();
  }
}
