import type { SqliteConnection } from './sqliteConnection.ts';

export interface SqliteReaders {
  /** Runs `work` on one committed snapshot, taken by its first statement. */
  use<T>(work: (connection: SqliteConnection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Each connection waits in a begun transaction without a snapshot or lock, so no caller waits for
 * BEGIN. After a failed read none is begun: a late statement would be the first in it.
 */
export function openReaders(connections: readonly SqliteConnection[]): SqliteReaders {
  const free = [...connections];
  const queue: ((connection: SqliteConnection) => void)[] = [];
  const begun = new Set<SqliteConnection>();
  const ending = new Set<Promise<void>>();
  const end = (connection: SqliteConnection, control: 'ROLLBACK' | 'ROLLBACK;BEGIN'): void => {
    begun.delete(connection);
    const ended = connection
      .exec(control)
      .then(
        () => void (control === 'ROLLBACK;BEGIN' && begun.add(connection)),
        // The disk or the memory ended the transaction already.
        () => undefined,
      )
      .then(() => {
        ending.delete(ended);
        const next = queue.shift();
        if (next === undefined) free.push(connection);
        else next(connection);
      });
    ending.add(ended);
  };
  return {
    async use(work) {
      const connection =
        free.pop() ?? (await new Promise<SqliteConnection>((resolve) => queue.push(resolve)));
      let control: Parameters<typeof end>[1] = 'ROLLBACK';
      try {
        if (!begun.has(connection)) await connection.exec('BEGIN');
        const result = await work(connection);
        control = 'ROLLBACK;BEGIN';
        return result;
      } finally {
        end(connection, control);
      }
    },
    async close() {
      while (ending.size > 0) await Promise.all(ending);
      await Promise.all(connections.map((each) => each.close()));
    },
  };
}
