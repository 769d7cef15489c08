import { sqlitePath } from '../../db/databaseUrl.ts';
import { CHECK_MS_MAX, checkMigrations, type MigrationCheck } from '../../db/migrateCheck.ts';
import { condition } from '../../db/operator/condition.ts';
import { openStore } from '../../db/store.ts';
import { readSnapshot } from '../../db/wallet/snapshot.ts';
import { readSettings } from '../boot/config.ts';
import { databaseExists, type Command } from './command.ts';

/** `hubctl migrate`: brings the tables up to date without a start; `--plan` says what that would do. */
export const migrate: Command = async (words, env, print) => {
  const [option, ...more] = words;
  if (more.length > 0 || (option !== undefined && option !== '--plan')) return undefined;
  const settings = readSettings(env);
  const { databaseUrl, databaseDirectUrl: directUrl } = settings;
  if (option === '--plan') {
    if (!databaseExists(databaseUrl, print)) return 2;
    print(await check(databaseUrl));
    return 0;
  }
  const store = await openStore(databaseUrl, { directUrl, notice: (text) => print(`${text}\n`) });
  await store.close();
  print('The tables are those of this version.\n');
  return 0;
};

async function check(databaseUrl: string): Promise<string> {
  if (sqlitePath(databaseUrl) !== undefined) {
    const { waiting } = await readSnapshot(databaseUrl, condition);
    return waiting.length === 0
      ? 'No migration waits.\n'
      : `These run at the next start, in one transaction: ${waiting.join(', ')}.\n`;
  }
  const checks = await checkMigrations(databaseUrl);
  return checks.length === 0 ? 'No migration waits.\n' : checks.map(line).join('');
}

function line({ name, locks, rows, ms }: MigrationCheck): string {
  if (ms === undefined) {
    return `${name}: takes more than ${CHECK_MS_MAX / 1000} s under a lock; migrations behind it were not tried\n`;
  }
  if (rows > 0) {
    return `${name}: changes about ${rows} rows in pages, beside all writes; it may be stopped and goes on\n`;
  }
  return locks.length === 0
    ? `${name}: locks no table against writes\n`
    : `${name}: locks ${locks.join(', ')} for ${ms} ms\n`;
}
