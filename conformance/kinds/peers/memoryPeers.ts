import { fileURLToPath } from 'node:url';
import type { SearchPeer } from './memoryPeer.ts';
import sqlite3 from 'sqlite3';

/** The extension that the hub's search is measured against. */
export const SQLITE_VEC = fileURLToPath(new URL('node_modules/sqlite-vec', import.meta.url));
const K = 20;
const DIMENSIONS = 768;

/** A loop over one array, on the event loop, with nothing durable. */
export function plainSearch(vectors: readonly Float32Array[]): SearchPeer {
  const rows = new Float32Array(vectors.length * DIMENSIONS);
  for (const [n, vector] of vectors.entries()) rows.set(vector, n * DIMENSIONS);
  return {
    search(query) {
      const best: { no: number; product: number }[] = [];
      for (let no = 0; no < vectors.length; no += 1) {
        let product = 0;
        for (let n = 0; n < DIMENSIONS; n += 1) {
          product += (rows[no * DIMENSIONS + n] ?? 0) * (query[n] ?? 0);
        }
        if (best.length === K && product <= (best[K - 1]?.product ?? 0)) continue;
        best.push({ no, product });
        best.sort((a, b) => b.product - a.product);
        best.length = Math.min(best.length, K);
      }
      return Promise.resolve(best.map(({ no }) => no));
    },
    write(no, vector) {
      rows.set(vector, no * DIMENSIONS);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}

/** sqlite-vec in a file of its own, as durable as the hub's. */
export async function rawSqliteVec(
  path: string,
  vectors: readonly Float32Array[],
): Promise<SearchPeer> {
  const { getLoadablePath } = (await import(`${SQLITE_VEC}/index.mjs`)) as {
    readonly getLoadablePath: () => string;
  };
  const db = new sqlite3.Database(path);
  const run = (sql: string, values: readonly unknown[] = []): Promise<void> =>
    new Promise((resolve, reject) => {
      db.run(sql, values, (error) => (error === null ? resolve() : reject(error)));
    });
  await new Promise<void>((resolve, reject) => {
    db.loadExtension(getLoadablePath(), (error) => (error === null ? resolve() : reject(error)));
  });
  await run('PRAGMA journal_mode=WAL');
  await run('PRAGMA synchronous=FULL');
  await run(`CREATE VIRTUAL TABLE notes USING vec0
    (no INTEGER PRIMARY KEY, embedding float[${DIMENSIONS}] distance_metric=cosine)`);
  const bytes = (vector: Float32Array): Buffer => Buffer.from(vector.buffer.slice(0));
  await run('BEGIN');
  for (const [no, vector] of vectors.entries()) {
    await run('INSERT INTO notes (no, embedding) VALUES (?, ?)', [no, bytes(vector)]);
  }
  await run('COMMIT');
  return {
    search: (query) =>
      new Promise((resolve, reject) => {
        db.all<{ no: number }>(
          `SELECT no, distance FROM notes WHERE embedding MATCH ? AND k = ${K} ORDER BY distance`,
          [bytes(query)],
          (error: Error | null, rows) =>
            error === null ? resolve(rows.map(({ no }) => no)) : reject(error),
        );
      }),
    write: (no, vector) => run('UPDATE notes SET embedding = ? WHERE no = ?', [bytes(vector), no]),
    close: () =>
      new Promise((resolve, reject) => {
        db.close((error) => (error === null ? resolve() : reject(error)));
      }),
  };
}
