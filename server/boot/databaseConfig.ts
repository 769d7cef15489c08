import { nodeUrls } from '../../db/postgresNodes.ts';
import { wholeNumber, type Range } from './wholeNumber.ts';
import type { Settings } from '../../workflows/kernel/settings.ts';

export const DATABASE_NAMES = [
  'HUB_DATABASE_URL',
  'HUB_DATABASE_DIRECT_URL',
  'HUB_DATABASE_CONNECTIONS',
  'HUB_DATABASE_READ_URL',
  'HUB_DATABASE_READ_LAG_MS',
] as const;

/** One listens, and the others write and read: below four a read would wait for each write. */
const CONNECTIONS: Range = { least: 4, most: 100, usual: 8 };
/** A replica is asked four times a second how far it is. */
const LAG_MS: Range = { least: 500, most: 60_000, usual: 1_000 };

type DatabaseSettings = Pick<
  Settings,
  'databaseUrl' | 'databaseDirectUrl' | 'databaseConnections' | 'databaseReplica'
>;

/** @throws Error whose text names the setting and the accepted form. */
export function databaseSettings(
  env: Readonly<Record<string, string | undefined>>,
  dataDir: string,
): DatabaseSettings {
  const url = env['HUB_DATABASE_URL'] || `sqlite:${dataDir}/hub.sqlite`;
  if (!isPostgres(url) && !/^sqlite:./.test(url)) {
    throw new Error(
      'HUB_DATABASE_URL is sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME; other databases are not supported',
    );
  }
  const direct = env['HUB_DATABASE_DIRECT_URL'] || undefined;
  if (direct !== undefined && !(isPostgres(direct) && isPostgres(url))) {
    throw new Error(
      'HUB_DATABASE_DIRECT_URL is postgres://USER:PASSWORD@HOST/NAME, the same database as HUB_DATABASE_URL without the pooler',
    );
  }
  const connections = wholeNumber(env, 'HUB_DATABASE_CONNECTIONS', CONNECTIONS);
  const replica = env['HUB_DATABASE_READ_URL'] || undefined;
  if (replica !== undefined && !(isPostgres(replica) && isPostgres(url))) {
    throw new Error(
      'HUB_DATABASE_READ_URL is postgres://USER:PASSWORD@HOST/NAME, a replica of the database of HUB_DATABASE_URL',
    );
  }
  const lagMsMax = wholeNumber(env, 'HUB_DATABASE_READ_LAG_MS', LAG_MS);
  return {
    databaseUrl: url,
    ...(direct && { databaseDirectUrl: direct }),
    databaseConnections: connections,
    ...(replica && { databaseReplica: { url: replica, lagMsMax } }),
  };
}

function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url) && nodeUrls(url).every((each) => URL.canParse(each));
}
