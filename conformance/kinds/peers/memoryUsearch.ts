import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { SearchPeer } from './memoryPeer.ts';

/** usearch, in memory and on the event loop, with nothing durable. */
export const USEARCH = fileURLToPath(new URL('memory/node_modules/usearch', import.meta.url));
const K = 20;
const DIMENSIONS = 768;

interface Library {
  readonly MetricKind: { readonly Cos: string };
  exactSearch(
    rows: Float32Array,
    query: Float32Array,
    dimensions: number,
    count: number,
    metric: string,
    threads: number,
  ): { readonly keys: BigUint64Array };
  readonly Index: new (config: { readonly metric: string; readonly dimensions: number }) => {
    add(keys: BigUint64Array, rows: Float32Array): void;
    search(query: Float32Array, k: number, threads: number): { readonly keys: BigUint64Array };
  };
}

/** Its modules for `import` look for their own folder without end; those for `require` do not. */
const library = (): Library => createRequire(import.meta.url)(USEARCH) as Library;

/** Its search over all rows, as the plain loop has them. */
export function exactUsearch(vectors: readonly Float32Array[]): SearchPeer {
  const { exactSearch, MetricKind } = library();
  const rows = packed(vectors);
  return {
    search(query) {
      const { keys } = exactSearch(rows, query, DIMENSIONS, K, MetricKind.Cos, 1);
      return Promise.resolve([...keys].map(Number));
    },
    write(no, vector) {
      rows.set(vector, no * DIMENSIONS);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}

/** Its index, which is not exact. */
export function indexedUsearch(vectors: readonly Float32Array[]): Pick<SearchPeer, 'search'> {
  const { Index, MetricKind } = library();
  const index = new Index({ metric: MetricKind.Cos, dimensions: DIMENSIONS });
  index.add(
    BigUint64Array.from(vectors, (_, n) => BigInt(n)),
    packed(vectors),
  );
  return { search: (query) => Promise.resolve([...index.search(query, K, 1).keys].map(Number)) };
}

function packed(vectors: readonly Float32Array[]): Float32Array {
  const rows = new Float32Array(vectors.length * DIMENSIONS);
  for (const [n, vector] of vectors.entries()) rows.set(vector, n * DIMENSIONS);
  return rows;
}
