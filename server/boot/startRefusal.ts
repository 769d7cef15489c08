import { shownUrl } from '../../db/databaseUrl.ts';
import { isReadOnly } from '../../db/postgresNodes.ts';
import { isUnavailable } from '../../db/unavailable.ts';
import type { Settings } from '../../workflows/kernel/settings.ts';
import { StartError } from '../../workflows/kernel/startError.ts';

type Known = Pick<Settings, 'host' | 'port' | 'dataDir' | 'databaseUrl'>;

/** Why the hub does not start and what to do, in one line; undefined for an unexpected error. */
export function startRefusal(thrown: unknown, settings: Known | undefined): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if (settings === undefined || thrown instanceof StartError) return thrown.message;
  const database = shownUrl(settings.databaseUrl);
  if (isReadOnly(thrown)) {
    return `${database} only reads, as a standby does; set HUB_DATABASE_URL to the node that takes writes, or to all nodes (postgres://a,b/hub)`;
  }
  return (
    bySystem(thrown, settings) ??
    byDatabase(thrown.message, database) ??
    (isUnavailable(thrown)
      ? `${database} does not answer (${thrown.message}); start it, or set HUB_DATABASE_URL`
      : undefined)
  );
}

function bySystem(thrown: Error, { host, port, dataDir }: Known): string | undefined {
  const { code = '', path } = thrown as NodeJS.ErrnoException;
  if (/^ERR_(?:OSSL|SSL)/.test(code)) {
    return `HUB_TLS_CERT and HUB_TLS_KEY are no certificate and key in PEM that belong together (${code})`;
  }
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use; stop what listens there or set HUB_PORT to another`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is no address of this machine; set HUB_HOST to one that is`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `no right to use ${path ?? `port ${port}`}; give the hub's user that right, or set HUB_DATA_DIR (${dataDir}) or HUB_PORT to another`;
    case 'ENOTDIR':
    case 'EISDIR':
    case 'EEXIST':
      return `${path ?? dataDir} is not what it must be (${code}): a folder where files lie, a file where one is read; correct the setting that names it`;
    case 'ENOENT':
      return `there is no file ${path ?? ''}; correct the setting that names it`;
    case 'ENOSPC':
      return `the disk of ${dataDir} is full; make room and start again`;
    case '28P01':
    case '28000':
    case '3D000':
    case '42501':
      return `the database refuses the hub (${thrown.message}); correct the user, password and name in HUB_DATABASE_URL, and let the user make tables`;
    default:
      return undefined;
  }
}

const DAMAGES: readonly (readonly [says: RegExp, then: string])[] = [
  [
    /SQLITE_(?:NOTADB|CORRUPT)/,
    'is damaged or no SQLite database; restore a backup or set HUB_DATABASE_URL to another',
  ],
  [
    /SQLITE_(?:READONLY|CANTOPEN)/,
    "cannot be written; give the hub's user that right on the file and on its folder",
  ],
  [/SQLITE_(?:BUSY|LOCKED)/, 'is locked by another process; stop it and start again'],
  [/SQLITE_FULL/, 'has no room on its disk; make room and start again'],
  [
    /pooler does not pass on notifications/,
    'is reached through a pooler in transaction mode, where LISTEN does not work; set HUB_DATABASE_DIRECT_URL to the address of the server itself, or pool_mode to session',
  ],
  [
    /version that is newer/,
    'was made by a newer hub; start that version, or restore an older backup',
  ],
  [
    /version that is unreleased/,
    'was made by an unreleased version of the hub, or by another program; set HUB_DATABASE_URL to a new, empty database',
  ],
];

function byDatabase(message: string, database: string): string | undefined {
  const damage = DAMAGES.find(([says]) => says.test(message));
  return damage && `${database} ${damage[1]}`;
}
