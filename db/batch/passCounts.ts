/** How often transactions ran until they had read all that they looked up. */
export interface Passes {
  readonly transactions: number;
  readonly passes: number;
}

export interface PassCounts {
  add(name: string, passes: number): void;
  /** By the name of the transaction. */
  read(): ReadonlyMap<string, Passes>;
  /** A batch was decided on a row of this table that another process changed meanwhile. */
  addStale(table: string): void;
  /** How often, by table. */
  stale(): ReadonlyMap<string, number>;
}

export function openPassCounts(): PassCounts {
  const counts = new Map<string, Passes>();
  const stale = new Map<string, number>();
  return {
    add(name, more) {
      const { transactions, passes } = counts.get(name) ?? { transactions: 0, passes: 0 };
      counts.set(name, { transactions: transactions + 1, passes: passes + more });
    },
    read: () => counts,
    addStale: (table) => void stale.set(table, (stale.get(table) ?? 0) + 1),
    stale: () => stale,
  };
}
