import { nodeUrls } from '../db/postgresNodes.ts';
import type { Settings } from './hub/settings.ts';

export const DATABASE_NAMES = [
  'HUB_DATABASE_URL',
  'HUB_DATABASE_DIRECT_URL',
  'HUB_DATABASE_CONNECTIONS',
] as const;

/** One listens, and the others write and read: below four a read would wait for each write. */
const CONNECTIONS_MIN = 4;
const CONNECTIONS_MAX = 100;
const CONNECTIONS_DEFAULT = '8';

type DatabaseSettings = Pick<Settings, 'databaseUrl' | 'databaseDirectUrl' | 'databaseConnections'>;

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
  const text = env['HUB_DATABASE_CONNECTIONS'] ?? CONNECTIONS_DEFAULT;
  const connections = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(connections >= CONNECTIONS_MIN && connections <= CONNECTIONS_MAX)) {
    throw new Error(
      `HUB_DATABASE_CONNECTIONS is a whole number from ${CONNECTIONS_MIN} to ${CONNECTIONS_MAX}`,
    );
  }
  return {
    databaseUrl: url,
    ...(direct && { databaseDirectUrl: direct }),
    databaseConnections: connections,
  };
}

function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url) && nodeUrls(url).every((each) => URL.canParse(each));
}
