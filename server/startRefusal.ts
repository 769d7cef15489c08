import { isUnavailable } from '../db/unavailable.ts';
import type { Settings } from './hub/settings.ts';

/**
 * Why the hub does not start, as one line that says what to do; undefined for what nobody expected,
 * which shows its stack.
 */
export function startRefusal(
  thrown: unknown,
  settings: Pick<Settings, 'host' | 'port' | 'dataDir' | 'databaseUrl'> | undefined,
): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if (settings === undefined) return thrown.message;
  const { code, message } = thrown as NodeJS.ErrnoException;
  const { host, port, dataDir } = settings;
  const database = settings.databaseUrl.split('@').at(-1) ?? '';
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use; stop what listens there or set HUB_PORT to another`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is no address of this machine; set HUB_HOST to one that is`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `no right to use ${(thrown as NodeJS.ErrnoException).path ?? `port ${port}`}; give the hub's user that right, or set HUB_DATA_DIR (${dataDir}) or HUB_PORT to another`;
    case 'ENOENT':
      return `there is no file ${(thrown as NodeJS.ErrnoException).path ?? ''}; correct the setting that names it`;
    case 'ENOSPC':
      return `the disk of ${dataDir} is full; make room and start again`;
    case undefined:
    default:
  }
  if (/SQLITE_(?:NOTADB|CORRUPT)/.test(message)) {
    return `${database} is damaged or no SQLite database; restore a backup or set HUB_DATABASE_URL to another`;
  }
  if (/SQLITE_READONLY/.test(message)) {
    return `${database} cannot be written; give the hub's user that right`;
  }
  if (/SQLITE_(?:BUSY|LOCKED)/.test(message)) {
    return `${database} is locked by another process; stop it and start again`;
  }
  if (/migration directory is corrupt/.test(message)) {
    return `${database} was made by a newer hub; start that version, or restore an older backup`;
  }
  if (isUnavailable(thrown))
    return `${database} does not answer (${message}); start it, or set HUB_DATABASE_URL`;
  return undefined;
}
