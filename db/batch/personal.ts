/**
 * Whose rows a table has. An export of an account's data and the answer of its erasure follow from
 * it (choices operator.personal).
 */
export type Personal = Owned | Apart;

export interface Owned {
  /** The column that holds the account, or what leads to it. */
  readonly owner: string;
  /** The column holds a key of the account, or the number of one of its ledger accounts. */
  readonly through?: 'keys' | 'accounts';
  /**
   * The columns of a unique index, by which an export turns pages; those of the key when absent. A
   * whole number that the description does not have is named `no:int`.
   */
  readonly order?: readonly string[];
  /** Secrets and derived values, which no export has. */
  readonly without?: readonly string[];
  /** Why the rows, or their rest, stay; absent where all of them are erased. */
  readonly stays?: string;
}

interface Apart {
  /** Why its rows are in no export: they are about no account, or the export has them elsewhere. */
  readonly apart: string;
}

/** Why rows of several tables stay. */
export const STAYS = {
  books: 'The books and their seals need every entry.',
  paid: 'It was paid for, and its digest is in receipts and terms of others.',
  parties: 'The other parties of the market, table or loan rely on it.',
} as const;
