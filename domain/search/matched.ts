import { larger } from './larger.ts';

/** Which documents the running query has met. */
export interface Met {
  /** Another query, over documents with numbers below `end`. */
  begin(end: number): void;
  isFirst(document: number): boolean;
}

const QUERIES_MAX = 2 ** 32 - 1;

export function openMatched(): Met {
  /** By document: the last query that met it. */
  let lastQuery = new Uint32Array(0);
  let query = 0;
  return {
    begin(end) {
      if (end > lastQuery.length) {
        lastQuery = larger(lastQuery, new Uint32Array(Math.max(2 * lastQuery.length, end)));
      }
      if (query === QUERIES_MAX) {
        lastQuery.fill(0);
        query = 0;
      }
      query += 1;
    },
    isFirst(document) {
      if (lastQuery[document] === query) return false;
      lastQuery[document] = query;
      return true;
    },
  };
}
