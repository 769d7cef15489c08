import type pg from 'pg';
import { linkOf, statement, type Reader } from './connection.ts';

/**
 * The nodes of one PostgreSQL, one of which takes writes: `postgres://a,b:5433/hub`, or with
 * sockets, `?host=/run/a,/run/b`, as libpq reads them. One that is gone or only reads is left.
 */
export interface Nodes {
  readonly count: number;
  /** The address of the node that is used now. */
  current(): string;
  /** Leaves a node that failed; does nothing when it was left before. */
  leave(url: string): void;
  /** Leaves a node, and uses it again after a minute or when all others are resting as well. */
  rest(url: string): void;
}

/** Each attempt to connect to a machine that does not answer takes ten seconds. */
const REST_MS = 60_000;

export function openNodes(url: string): Nodes {
  const urls = nodeUrls(url);
  const restsUntil = new Map<string, number>();
  let at = 0;
  const nodeAt = (place: number): string => urls[place % urls.length] ?? url;
  const current = (): string => nodeAt(at);
  const leave = (failed: string): void => {
    if (failed !== current()) return;
    at += 1;
    const now = performance.now();
    const rested = urls.findIndex((_, n) => (restsUntil.get(nodeAt(at + n)) ?? 0) <= now);
    at += Math.max(0, rested);
  };
  return {
    count: urls.length,
    current,
    leave,
    rest(silent) {
      restsUntil.set(silent, performance.now() + REST_MS);
      leave(silent);
    },
  };
}

const SOCKETS = /([?&]host=)([^&]*)/;
const AUTHORITY = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s;

export function nodeUrls(url: string): readonly string[] {
  const sockets = SOCKETS.exec(url)?.[2]?.split(/,|%2C/i) ?? [];
  if (sockets.length > 1) return sockets.map((host) => url.replace(SOCKETS, `$1${host}`));
  const [, before = '', hosts = '', after = ''] = AUTHORITY.exec(url) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => `${before}${host}${after}`) : [url];
}

/** SQLSTATE of a write at a node that only reads. */
const READ_ONLY = '25006';

class ReadOnlyNode extends Error {
  override readonly name = 'ReadOnlyNode';
  readonly code = READ_ONLY;

  constructor() {
    super('this node of PostgreSQL only reads');
  }
}

export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === READ_ONLY;
}

const READS_ONLY = `SELECT pg_is_in_recovery()
  OR current_setting('default_transaction_read_only')::boolean AS reads_only`;
const SERVES = statement('SELECT 0 AS reads_only', READS_ONLY);

/** Asks the database whether it takes writes. @throws ReadOnlyNode. */
export async function mustServe(db: Reader): Promise<void> {
  const [row] = await linkOf(db).rows(SERVES, []);
  if (row?.['reads_only'] === true) throw new ReadOnlyNode();
}

/** @throws ReadOnlyNode. */
export async function mustTakeWrites(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<{ readonly reads_only: boolean }>(READS_ONLY);
  if (rows[0]?.reads_only === true) throw new ReadOnlyNode();
}
