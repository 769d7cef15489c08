/**
 * Errors of a database that is gone, starting, full, locked or out of connections. The call may be
 * sent again: nothing was stored unless its COMMIT was under way (`UncertainCommit`).
 */
const CODES: ReadonlySet<unknown> = new Set([
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOSPC',
  'ETIMEDOUT',
  'COMMIT_UNCERTAIN',
  // PostgreSQL: no connection left, disk or memory full, lock timeout, shutting down, starting.
  '53000',
  '53100',
  '53200',
  '53300',
  '55P03',
  '57P01',
  '57P02',
  '57P03',
  '25P03',
  // A node that only reads: another one leads now.
  '25006',
]);
/** Texts of drivers without a code: alone, or at the end of the text that Knex puts before. */
const TEXTS: readonly RegExp[] = [
  /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY)\b/,
  /(?:^| - )Connection terminated(?: unexpectedly| due to connection timeout)?$/,
  /(?:^| - )timeout exceeded when trying to connect$/,
  /(?:^| - )Client (?:has encountered a connection error|was closed) and is not queryable$/,
];
const DEPTH_MAX = 4;

export function isUnavailable(thrown: unknown): boolean {
  let error: unknown = thrown;
  for (let depth = 0; depth < DEPTH_MAX && error instanceof Error; depth += 1) {
    const { code } = error as NodeJS.ErrnoException;
    // The socket file of a server that was stopped is gone.
    const isGone = code === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'connect';
    const isConnectionLost = typeof code === 'string' && /^08\w{3}$/.test(code);
    if (CODES.has(code) || isGone || isConnectionLost || saysSo(error)) return true;
    error = error.cause;
  }
  return false;
}

function saysSo({ message }: Error): boolean {
  return TEXTS.some((text) => text.test(message));
}
