import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import knex, { type Knex } from 'knex';
import { sharedPostgres } from './databases.ts';
import type { Dialect } from '../../db/connection.ts';

/** A database without tables, and a connection to it beside the store's own. */
export interface Empty {
  readonly url: string;
  readonly dialect: Dialect;
  readonly db: Knex;
}

/** Returns a function that makes empty databases, which are gone when the suite has ended. */
export function emptyDatabases(): (dialect: Dialect) => Promise<Empty> {
  let folder = '';
  const opened: Knex[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hub-test-'));
  });
  after(async () => {
    for (const db of opened) await db.destroy();
    await rm(folder, { recursive: true, force: true });
  });
  return async (dialect) => {
    const filename = join(folder, `${opened.length}.sqlite`);
    const url =
      dialect === 'sqlite' ? `sqlite:${filename}` : await (await sharedPostgres()).emptyDatabase();
    const db = knex(
      dialect === 'sqlite'
        ? { client: 'sqlite3', connection: { filename }, useNullAsDefault: true }
        : { client: 'pg', connection: url, pool: { min: 0, max: 1 } },
    );
    opened.push(db);
    return { url, dialect, db };
  };
}
