import { linkOf, statement, type Reader } from './connection.ts';

const SETTINGS = statement(
  '',
  `SELECT current_setting('synchronous_standby_names') AS standbys,
    current_setting('synchronous_commit') AS waits`,
);
/** Values of `synchronous_commit` by which a COMMIT waits for no standby. */
const ALONE: readonly unknown[] = ['off', 'local'];

/** Describes calls that a lost node may lose; undefined on SQLite or if COMMIT awaits a standby. */
export async function lossOf(db: Reader): Promise<string | undefined> {
  const link = linkOf(db);
  if (link.dialect === 'sqlite') return undefined;
  const [settings] = await link.rows(SETTINGS, []);
  if (settings?.['standbys'] !== '' && !ALONE.includes(settings?.['waits'])) return undefined;
  return 'PostgreSQL confirms a commit before a standby has it, so payments that were answered are lost with its node: set synchronous_standby_names, and synchronous_commit to on';
}
