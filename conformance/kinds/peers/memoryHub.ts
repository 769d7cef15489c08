import { vectorsAfter } from '../../../db/memory/vectors.ts';
import { openStore, type Store, type Writer } from '../../../db/store.ts';
import { openVectors, type Vectors } from '../../../workflows/kernel/vectors/vectors.ts';
import type { SearchPeer } from './memoryPeer.ts';
import { DIMENSIONS } from '../../../domain/memory/embedding.ts';
import { packVector } from '../../../domain/models/embedding.ts';

/** The hub's own search: its tables, its loads, its worker. Notes are numbered from one there. */
const K = 20;
const ROWS_AT_ONCE = 25;

export async function fillSpace(
  store: Store,
  name: string,
  vectors: readonly Float32Array[],
): Promise<number> {
  const owner = 'key:3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt';
  const count = vectors.length;
  return store.write(async (tx) => {
    const sums = { notes: count, embedded: count, words: count, bytes: count, changes: count };
    const made: unknown = await tx
      .knex('memory_spaces')
      .insert({ id: name, owner, name, kind: 'private', ...sums, created_at: 0 })
      .returning('no');
    const [{ no: space }] = made as [{ no: number }];
    const rows = vectors.map((vector, n) => ({
      id: `${name} ${n}`,
      space,
      author: owner,
      content: 'x',
      embedding: packVector(vector),
      digest: `${n}`,
      bytes: 1,
      words: 1,
      changed: n + 1,
      at: 0,
    }));
    for (let from = 0; from < count; from += ROWS_AT_ONCE) {
      await tx.knex('notes').insert(rows.slice(from, from + ROWS_AT_ONCE));
    }
    return space;
  });
}

/** The newest change of a space, as a search reads it. */
export async function changesOf(store: Store, space: number): Promise<number> {
  const row = await store.read((db) =>
    db.knex<{ no: number; changes: number }>('memory_spaces').where({ no: space }).first(),
  );
  return row?.changes ?? 0;
}

export async function hubSearch(
  url: string,
  vectors: readonly Float32Array[],
): Promise<SearchPeer> {
  const store = await openStore(url);
  const space = await fillSpace(store, 'bench', vectors);
  const worker = openVectors(256 * 2 ** 20);
  const write = (no: number, vector: Float32Array) => async (tx: Writer) => {
    await tx.knex('memory_spaces').where({ no: space }).increment('changes', 1);
    await tx
      .knex('notes')
      .where({ space, id: `bench ${no}` })
      .update({
        embedding: packVector(vector),
        changed: tx.knex('memory_spaces').where({ no: space }).select('changes'),
      });
  };
  return {
    search: (query) => searchIn(store, worker, space, vectors.length, query),
    write: (no, vector) => store.write(write(no, vector)),
    async close() {
      await worker.close();
      await store.close();
    },
  };
}

export async function searchIn(
  store: Store,
  worker: Vectors,
  space: number,
  embedded: number,
  query: Float32Array,
): Promise<readonly number[]> {
  const hits = await worker.nearest({
    space,
    changes: await changesOf(store, space),
    embedded,
    query,
    k: K,
    load: (after) =>
      store.read((db) => vectorsAfter(db, { no: space, dimensions: DIMENSIONS }, after)),
  });
  return hits.map(({ no }) => no - 1);
}
