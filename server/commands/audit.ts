import { audit as auditBooks, type Audit } from '../../db/audit/audit.ts';
import type { Difference } from '../../db/audit/check.ts';
import type { Reader } from '../../db/connection.ts';
import { auditSeals, type SealAudit } from '../../db/ledger/sealAudit.ts';
import { hubKeyRows } from '../../db/time/hubKeys.ts';
import { readSnapshot } from '../../db/wallet/snapshot.ts';
import { sealVerifier } from '../archive/sealVerifier.ts';
import { readSettings } from '../boot/config.ts';
import { databaseExists, type Command } from './command.ts';

/** Recomputes the books and their seals in one snapshot, and changes nothing. */
export const audit: Command = async (words, env, print) => {
  const asJson = words.length === 1 && words[0] === '--json';
  if (words.length > 0 && !asJson) return undefined;
  const { databaseUrl } = readSettings(env);
  if (!databaseExists(databaseUrl, print)) return 2;
  const books = await readSnapshot(databaseUrl, booksOf);
  print(asJson ? jsonOf(books) : textOf(books));
  return books.differences.length === 0 ? 0 : 1;
};

type Books = Audit & { readonly seals: Omit<SealAudit, 'differences'> };

export async function booksOf(db: Reader): Promise<Books> {
  const books = await auditBooks(db);
  const own = new Set<string>((await hubKeyRows(db)).map(({ keyId }) => keyId));
  const { differences, ...seals } = await auditSeals(db, sealVerifier(own));
  return { ...books, seals, differences: [...books.differences, ...differences] };
}

/** Amounts as decimal strings, like everywhere on the wire. */
function jsonOf(books: Books): string {
  const text = (_: string, value: unknown): unknown =>
    typeof value === 'bigint' ? value.toString() : value;
  return `${JSON.stringify({ balanced: books.differences.length === 0, ...books }, text, 2)}\n`;
}

export function textOf({ sums, transfers, newestDigest, seals, differences }: Books): string {
  const rows = sums.map(({ network, asset, supply, held, committed, total }) => [
    `${network} ${asset}`,
    ...[supply, held, committed, total].map(String),
  ]);
  const head = ['atomic units', 'supply', 'held', 'committed', 'difference'];
  const count = differences.length;
  return [
    ...table([head, ...rows]),
    `${transfers} transfers${newestDigest === undefined ? '' : `, newest ${newestDigest}`}`,
    `${seals.blocks} sealed blocks, up to transfer ${seals.sealedUpTo}`,
    count === 0 ? 'The books balance.' : `${count} ${count === 1 ? 'difference' : 'differences'}:`,
    ...differences.map(lineOf),
    '',
  ].join('\n');
}

function lineOf({ invariant, says, found }: Difference): string {
  const row = Object.entries(found).map(([name, value]) => `${name}=${value}`);
  return `${invariant} broken: ${says}: ${row.join(' ')}`;
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows.reduce<readonly number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, cell.length)),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
