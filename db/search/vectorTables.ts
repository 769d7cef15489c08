import * as columns from '../batch/columns.ts';
import { table, type RowIn } from '../batch/table.ts';

const USE = { use: 'single', personal: { apart: 'made from listings' } } as const;

/** The vectors of one model, by its name and everything that they depend on. */
export const SEARCH_MODELS = table(
  'search_models',
  {
    model: columns.text().key(),
    /** The last change of documents whose texts are known. */
    seen: columns.integer(),
    /** Counts the changes of its vectors. */
    changed: columns.integer(),
    vectors: columns.integer(),
    usedAt: columns.moment(),
    /** Hours since 1970, and the texts that were asked for in that one. */
    hour: columns.integer(),
    asked: columns.integer(),
    /** Until then one process asks for vectors. */
    claimedUntil: columns.moment(),
  },
  USE,
);
export type SearchModel = RowIn<typeof SEARCH_MODELS>;

/** The text of a listing; without a time it has its vector. */
export const SEARCH_TEXTS = table(
  'search_texts',
  {
    model: columns.text().key(),
    ref: columns.text().key(),
    digest: columns.text(),
    dueAt: columns.moment().optional(),
    faults: columns.integer(),
  },
  USE,
);
export type SearchText = RowIn<typeof SEARCH_TEXTS>;

export const SEARCH_VECTORS = table(
  'search_vectors',
  {
    no: columns.integer().numbered(),
    model: columns.text(),
    digest: columns.text(),
    changed: columns.integer(),
    vector: columns.text().optional(),
  },
  USE,
);
