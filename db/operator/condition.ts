import { originOf, type Origin } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import { MIGRATIONS } from '../backup/snapshot.ts';
import { one, text, timeOrNull, whole } from '../columns.ts';
import { linkOf, statement, type Dialect, type Reader } from '../connection.ts';
import { DATABASE_NOW } from './databaseClock.ts';

/** The facts that `hubctl doctor` reads of a database, which it does not change. */
export interface Condition {
  readonly dialect: Dialect;
  readonly version: string;
  /** Milliseconds since 1970 by the clock of the database's machine. */
  readonly databaseTime: number;
  readonly origin: Origin;
  /** Migrations of the database that this hub does not have. */
  readonly unknown: readonly string[];
  /** The migrations of this hub that the database has not had, in their order. */
  readonly waiting: readonly string[];
  /** When the newest pulse was issued; undefined before the first. */
  readonly newestPulse: number | undefined;
}

const SERVER = statement(
  `SELECT sqlite_version() AS version, ${DATABASE_NOW.sqlite} AS now`,
  `SELECT current_setting('server_version') AS version, ${DATABASE_NOW.postgres} AS now`,
);
const PULSE = statement('SELECT max(issued_at) AS issued FROM time_pulses');

export async function condition(db: Reader): Promise<Condition> {
  const link = linkOf(db);
  const server = one(await link.rows(SERVER, []));
  if (server === undefined) throw new Error('a server has a version');
  const applied = (await link.rows(MIGRATIONS, [])).map((row) => text(row, 'name'));
  const names = migrations.map(({ name }) => name);
  const pulse = one(await link.rows(PULSE, []));
  return {
    dialect: link.dialect,
    version: text(server, 'version'),
    databaseTime: whole(server, 'now'),
    origin: originOf(applied),
    unknown: applied.filter((name) => !names.includes(name)),
    waiting: names.filter((name) => !applied.includes(name)),
    newestPulse: (pulse && timeOrNull(pulse, 'issued')) ?? undefined,
  };
}
