import pg from 'pg';
import sqlite3 from 'sqlite3';

/** Texts of the statements that this process has sent since the last `take`. */
const sent: string[] = [];

/**
 * Notifications are shared by all commits of some milliseconds, and silent connections are asked
 * whether their server is there, so these belong to no operation.
 */
const OF_NONE = /pg_notify|^SELECT 1$/;

let isPatched = false;

/** Begins to note the statements of all databases of this process. */
function patch(): void {
  if (isPatched) return;
  isPatched = true;
  noteCalls(pg.Client.prototype, 'query');
  // `all` of a database is that of a statement, which is noted.
  for (const verb of ['exec', 'run']) noteCalls(sqlite3.Database.prototype, verb);
  noteCalls(sqlite3.Statement.prototype, 'all');
}

function noteCalls(prototype: object, name: string): void {
  const methods = prototype as Record<string, (...given: readonly unknown[]) => unknown>;
  const method = methods[name];
  if (method === undefined) throw new Error(`there is no ${name}`);
  methods[name] = function noted(this: object, ...given) {
    const text = textOf(given[0]) ?? textOf(this) ?? '';
    if (!OF_NONE.test(text)) sent.push(text.replace(/\s+/g, ' ').trim());
    return method.apply(this, [...given]);
  };
}

/** A query of the driver, its configuration, or a prepared statement. */
function textOf(query: unknown): string | undefined {
  if (typeof query === 'string') return query;
  if (typeof query !== 'object' || query === null) return undefined;
  if ('text' in query && typeof query.text === 'string') return query.text;
  return 'sql' in query && typeof query.sql === 'string' ? query.sql : undefined;
}

/** The statements that `work` sends until it ends, one after another; BEGIN and COMMIT count. */
export async function statementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  patch();
  sent.length = 0;
  await work();
  // A read on SQLite ends its transaction behind the answer.
  await new Promise((resolve) => setTimeout(resolve, 20));
  return [...sent];
}
