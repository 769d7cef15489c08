import { startPostgres } from '../../harness/postgres.ts';
import { recheck } from '../../../db/audit/recheck.ts';
import { makePartitionsAhead } from '../../../db/ledger/partitions.ts';
import type { HighWaterMark } from '../../../db/ledger/highWaterMark.ts';
import { statement } from '../../../db/ledger/statement.ts';
import { openStore, type Store } from '../../../db/store.ts';
import type { Account } from '../../../domain/account.ts';
import { median } from './harness.mjs';
import {
  fund,
  payments,
  payThroughStore,
  people,
  PLACE,
  throughput,
  type Payment,
} from './ledgerBook.ts';

/**
 * `npm run bench -- journal`: the cost of a long journal. Two databases on one durable PostgreSQL,
 * of ten thousand and 20 million (`JOURNAL_ROWS`) entries: payments, statement pages, checks.
 */
const SHORT = 10_000;
const LONG = Number(process.env['JOURNAL_ROWS'] ?? 20_000_000);
const PEOPLE = 1_000;
const ROUNDS = 5;
const COUNT = 1_000;
const WIDTH = 32;
const CHUNK = 500_000;

interface Book {
  readonly store: Store;
  readonly accounts: readonly Account[];
}

const server = await startPostgres(true, { settings: ['shared_buffers=1GB', 'max_wal_size=8GB'] });
const books = await Promise.all([SHORT, LONG].map(bookOf));
const kinds: readonly (readonly [string, (book: Book) => Promise<number>])[] = [
  ['payments a second', payRate],
  ['pages of ten entries a second', pageRate],
  ['milliseconds to check 1,000 new payments', checkMs],
];
for (const [what, measure] of kinds) {
  const figures = books.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [at, book] of books.entries()) {
      const figure = await measure(book);
      if (round > 0) figures[at]?.push(figure);
    }
  }
  const [short = 1, long = 1] = figures.map(median);
  const shown = `${short.toFixed(1)} and ${long.toFixed(1)}`;
  console.log(
    `${what}, ${SHORT} and ${LONG} entries: ${shown}, ratio ${(long / short).toFixed(2)}`,
  );
}
for (const { store } of books) await store.close();
await server.stop();

/** A journal of payments of one unit around a circle, so its books balance. */
async function bookOf(entries: number): Promise<Book> {
  const store = await openStore(await server.freshDatabase());
  const accounts = people(PEOPLE);
  await fund(store, accounts);
  const cycles = Math.ceil(entries / 2 / PEOPLE);
  const began = performance.now();
  const run = (sql: string): Promise<unknown> => store.write(({ knex }) => knex.raw(sql));
  await run(`CREATE TABLE bench_people AS
    SELECT row_number() OVER (ORDER BY id) - 1 AS n, id, name, posted
    FROM accounts WHERE name LIKE 'key:%'`);
  const perChunk = Math.floor(CHUNK / PEOPLE);
  for (let from = 0; from < cycles; from += perChunk) {
    await store.write(makePartitionsAhead);
    await run(chunkSql(from, Math.min(cycles, from + perChunk) - 1));
  }
  await run(`UPDATE accounts a SET seq = 1 + ${2 * cycles} FROM bench_people p WHERE p.id = a.id`);
  await run(`SELECT setval('transfers_seq_seq', (SELECT max(seq) FROM transfers))`);
  await run('DROP TABLE bench_people');
  await run('ANALYZE');
  const { rows } = await store.read(({ knex }) =>
    knex.raw<{ readonly rows: readonly { readonly bytes: string }[] }>(
      'SELECT pg_size_pretty(pg_database_size(current_database())) AS bytes',
    ),
  );
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  const check = ((await checkedMs(store)) / 1_000).toFixed(1);
  console.log(
    `${2 * cycles * PEOPLE} entries, ${rows[0]?.bytes}, loaded in ${seconds} s, checked whole in ${check} s`,
  );
  return { store, accounts };
}

/** Behind the first transfer, which funds all, each pays one unit from an account to the next one. */
function chunkSql(from: number, to: number): string {
  return `
    ALTER TABLE entries DISABLE TRIGGER USER;
    WITH paid AS (
      SELECT c, p.n, p.id AS payer, p.name AS payer_name, p.posted AS payer_had,
        q.n AS to_n, q.id AS payee, q.name AS payee_name, q.posted AS payee_had,
        c * ${PEOPLE} + p.n + 2 AS seq
      FROM generate_series(${from}::bigint, ${to}::bigint) AS c
      CROSS JOIN bench_people p JOIN bench_people q ON q.n = (p.n + 1) % ${PEOPLE}
    ), made AS (
      INSERT INTO transfers (seq, id, network, asset, event, ref_kind, ref_id, actor, at)
      OVERRIDING SYSTEM VALUE
      SELECT seq, '00000000-0000-7000-8000-' || lpad(to_hex(seq), 12, '0'), 'sandbox', 'USDC',
        'wallet.pay', 'bench', '1', payer_name, 1700000000000 + seq FROM paid
    )
    INSERT INTO entries (account_id, account_seq, transfer_seq, kind, reason, counterparty, delta,
      posted_after, held_after, at)
    SELECT payer, 2 * c + CASE WHEN n = 0 THEN 2 ELSE 3 END, seq, 'move', 'pay', payee_name, -1,
      payer_had - CASE WHEN n = 0 THEN 1 ELSE 0 END, 0, 1700000000000 + seq FROM paid
    UNION ALL
    SELECT payee, 2 * c + CASE WHEN to_n = 0 THEN 3 ELSE 2 END, seq, 'move', 'pay', payer_name, 1,
      payee_had + CASE WHEN to_n = 0 THEN 0 ELSE 1 END, 0, 1700000000000 + seq FROM paid;
    ALTER TABLE entries ENABLE TRIGGER USER`;
}

async function payRate({ store, accounts }: Book): Promise<number> {
  const orders: readonly Payment[] = payments(COUNT, PEOPLE);
  return throughput(orders, WIDTH, (order) => payThroughStore(store, accounts, order));
}

async function pageRate({ store, accounts }: Book): Promise<number> {
  return throughput(accounts, WIDTH, async (account) => {
    const page = await store.read((db) => statement(db, account, PLACE, { limit: 10 }));
    if (page.entries.length === 0) throw new Error('the account has a history');
  });
}

/** As `booksCheck` does every minute; the journal was checked up to the new payments before. */
async function checkMs(book: Book): Promise<number> {
  const { store } = book;
  const [{ newest } = { newest: 0 }] = await store.read(({ knex }) =>
    knex('transfers').max<{ readonly newest: number }[]>('seq as newest'),
  );
  await payRate(book);
  return checkedMs(store, { auditedUpTo: Number(newest) });
}

async function checkedMs(store: Store, mark?: HighWaterMark): Promise<number> {
  const began = performance.now();
  const { differences } = await store.read((db) => recheck(db, mark));
  if (differences.length > 0) throw new Error(JSON.stringify(differences[0]));
  return performance.now() - began;
}
