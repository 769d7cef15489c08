#!/usr/bin/env node
import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { audit, type Audit, type Difference } from '../db/ledger/audit.ts';
import { auditEscrow } from '../db/wallet/escrow.ts';
import { readSnapshot } from '../db/wallet/snapshot.ts';
import { readSettings } from './config.ts';

/**
 * The operator's command. Exit codes: 0 done, 1 the books differ, 2 the command could not be done.
 */
const HELP = `hub start           runs the hub until SIGTERM
hub audit [--json]  recomputes the books of HUB_DATABASE_URL without changing them: sums for each
                    network and asset, and every difference; exit 1 when there is one
hub help            this text

Settings are read from the environment (README): HUB_DATABASE_URL, HUB_PORT, FAUCET_ENABLED, ...
`;

type Environment = Readonly<Record<string, string | undefined>>;
type Print = (text: string) => void;

/** Does one command and answers its exit code. */
export async function runCli(
  [command, ...rest]: readonly string[],
  env: Environment,
  print: Print,
): Promise<number> {
  const plain = rest.length === 0;
  if (command === 'start' && plain) {
    await import('./main.ts');
    return 0;
  }
  if (command === 'audit' && (plain || (rest.length === 1 && rest[0] === '--json'))) {
    return auditBooks(env, print, !plain);
  }
  print(HELP);
  return command === 'help' && plain ? 0 : 2;
}

async function auditBooks(env: Environment, print: Print, asJson: boolean): Promise<number> {
  const { databaseUrl } = readSettings(env);
  const path = /^sqlite:(.+)$/.exec(databaseUrl)?.[1];
  if (path !== undefined && !existsSync(path)) {
    print(`There is no database at ${path}; HUB_DATABASE_URL names another.\n`);
    return 2;
  }
  const books = await readSnapshot(databaseUrl, async (db) => {
    const ledger = await audit(db);
    const escrow = await auditEscrow(db);
    return { ...ledger, differences: [...ledger.differences, ...escrow] };
  });
  print(asJson ? jsonOf(books) : textOf(books));
  return books.differences.length === 0 ? 0 : 1;
}

/** Amounts as decimal strings, like everywhere on the wire. */
function jsonOf(books: Audit): string {
  const text = (_: string, value: unknown): unknown =>
    typeof value === 'bigint' ? value.toString() : value;
  return `${JSON.stringify({ balanced: books.differences.length === 0, ...books }, text, 2)}\n`;
}

function textOf({ sums, transfers, newestDigest, differences }: Audit): string {
  const rows = sums.map(({ network, asset, supply, held, committed, total }) => [
    `${network} ${asset}`,
    ...[supply, held, committed, total].map(String),
  ]);
  const head = ['atomic units', 'supply', 'held', 'committed', 'difference'];
  const count = differences.length;
  return [
    ...table([head, ...rows]),
    `${transfers} transfers${newestDigest === undefined ? '' : `, newest ${newestDigest}`}`,
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

const started = process.argv[1];
if (started !== undefined && realpathSync(started) === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await runCli(process.argv.slice(2), process.env, (text) => {
      process.stdout.write(text);
    });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}
