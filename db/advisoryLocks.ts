import type { Account } from '../domain/account.ts';
import { linkOf, statement, type Writer } from './connection.ts';

/** Transaction locks of PostgreSQL for rare writes. postgresMigrate.ts has another, 1096304706. */
const BY_NAME = {
  searchIndex: statement('', 'SELECT pg_advisory_xact_lock(1096304711)'),
  depositAddresses: statement('', 'SELECT pg_advisory_xact_lock(1096304720)'),
  journalPartitions: statement('', 'SELECT pg_advisory_xact_lock(1096304721)'),
} as const;
const KEYS_OF_ACCOUNT = statement('', 'SELECT pg_advisory_xact_lock(hashtextextended(?, 22))');
const WEBHOOKS_OF_ACCOUNT = statement('', 'SELECT pg_advisory_xact_lock(hashtextextended(?, 23))');

export async function lock(tx: Writer, name: keyof typeof BY_NAME): Promise<void> {
  const link = linkOf(tx);
  if (link.dialect === 'postgres') await link.rows(BY_NAME[name], []);
}

export async function lockApiKeys(tx: Writer, account: Account): Promise<void> {
  const link = linkOf(tx);
  if (link.dialect === 'postgres') await link.rows(KEYS_OF_ACCOUNT, [account]);
}

export async function lockWebhooks(tx: Writer, account: Account): Promise<void> {
  const link = linkOf(tx);
  if (link.dialect === 'postgres') await link.rows(WEBHOOKS_OF_ACCOUNT, [account]);
}
