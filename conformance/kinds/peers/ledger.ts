import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../harness/postgres.ts';
import { statement } from '../../../db/ledger/statement.ts';
import { openStore, type Store } from '../../../db/store.ts';
import type { Account } from '../../../domain/account.ts';
import { fund, payments, payThroughStore, people, PLACE, throughput } from '../bench/ledgerBook.ts';
import { median } from '../bench/harness.mjs';
import { postgresPeer, sqlitePeer, type Peer } from './ledgerPeers.ts';

/**
 * `tsx conformance/kinds/peers/ledger.ts [sqlite] [postgres] [growth]`: interleaved payments as ratios
 * against the bare drivers, which carry over to other machines, and costs as the journal grows.
 */
const ROUNDS = 5;
const COUNT = Number(process.env['BENCH_COUNT'] ?? 3_000);
/** So few that each has a full page in the smallest journal. */
const CROWD = 20;
const SIZES = [1_000, 100_000, 1_000_000] as const;

type Path = readonly [name: string, measure: () => Promise<number>];

async function interleaved(title: string, floor: Path, paths: readonly Path[]): Promise<void> {
  const all = [floor, ...paths];
  const results = all.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, [, measure]] of all.entries()) {
      const value = await measure();
      // The first round warms up.
      if (round > 0) results[index]?.push(value);
    }
  }
  const base = median(results[0] ?? []);
  console.log(title);
  for (const [index, [name]] of all.entries()) {
    const middle = median(results[index] ?? []);
    const spread = (results[index] ?? []).map((each) => each.toFixed(0)).join(' ');
    console.log(
      `  ${name.padEnd(34)} ${middle.toFixed(0).padStart(7)}/s  x${(middle / base).toFixed(2)}  [${spread}]`,
    );
  }
}

function viaStore(store: Store, accounts: readonly Account[], width: number): Path[1] {
  const count = width === 1 ? Math.ceil(COUNT / 3) : COUNT;
  return () => throughput(payments(count), width, (each) => payThroughStore(store, accounts, each));
}

function viaPeer(peer: Peer, width: number): Path[1] {
  const count = width === 1 ? Math.ceil(COUNT / 3) : COUNT;
  return () => throughput(payments(count), width, (each, lane) => peer.pay(each, lane));
}

async function onSqlite(folder: string): Promise<void> {
  const accounts = people();
  const [ours, theirs] = [join(folder, 'ours.sqlite'), join(folder, 'theirs.sqlite')];
  const prepared = await openStore(`sqlite:${theirs}`);
  await fund(prepared, accounts);
  await prepared.close();
  const store = await openStore(`sqlite:${ours}`);
  await fund(store, accounts);
  const peer = await sqlitePeer(theirs, accounts);
  await interleaved(
    'SQLite, every commit synced',
    ['raw sqlite3, a commit each', viaPeer(peer, 1)],
    [
      ['store, 1 unit at a time', viaStore(store, accounts, 1)],
      ['store, 32 units at once', viaStore(store, accounts, 32)],
    ],
  );
  await peer.close();
  await store.close();
}

async function onPostgres(): Promise<void> {
  const server = await startPostgres(true);
  const accounts = people();
  const [ours, theirs] = [await server.freshDatabase(), await server.freshDatabase()];
  const prepared = await openStore(theirs);
  await fund(prepared, accounts);
  await prepared.close();
  const store = await openStore(ours);
  await fund(store, accounts);
  const peer = await postgresPeer(theirs, accounts, 16);
  await interleaved(
    'PostgreSQL, every commit synced, 16 at once',
    ['one stored function', viaPeer(peer, 16)],
    [['store', viaStore(store, accounts, 16)]],
  );
  await peer.close();
  await store.close();
  await server.stop();
}

interface Book {
  readonly size: number;
  readonly store: Store;
  readonly accounts: readonly Account[];
  readonly pay: number[];
  readonly page: number[];
}

async function growth(folder: string): Promise<void> {
  const books: Book[] = [];
  for (const size of SIZES) {
    const url = `sqlite:${join(folder, `grown-${size}.sqlite`)}`;
    const accounts = people(CROWD);
    const made = await openStore(url);
    await fund(made, accounts);
    await grow(made, size);
    // Closed and opened, so that writing the book back to its file is not measured.
    await made.close();
    const store = await openStore(url);
    books.push({ size, store, accounts, pay: [], page: [] });
  }
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { store, accounts, pay, page } of books) {
      const paid = await costs(payments(200, CROWD), (each) =>
        payThroughStore(store, accounts, each),
      );
      const read = await costs(repeated(accounts, 200), (account) =>
        store.read((db) => statement(db, account, PLACE, { limit: 50 })),
      );
      // The first round warms up.
      if (round > 0) pay.push(...paid);
      if (round > 0) page.push(...read);
    }
  }
  console.log('SQLite, cost as the journal grows (microseconds, median)');
  for (const { size, pay, page, store } of books) {
    const first = books[0] ?? { pay, page };
    const payRatio = (median(pay) / median(first.pay)).toFixed(2);
    const pageRatio = (median(page) / median(first.page)).toFixed(2);
    console.log(
      `  ${String(size).padStart(8)} entries  pay ${median(pay).toFixed(0)} (x${payRatio})` +
        `  page of 50 ${median(page).toFixed(0)} (x${pageRatio})`,
    );
    await store.close();
  }
}

function repeated<T>(items: readonly T[], times: number): readonly T[] {
  return Array.from({ length: times }, (_, index) => items[index % items.length]).filter(
    (item) => item !== undefined,
  );
}

/** Writes a journal of `size` entries over the accounts, as payments in a ring. */
async function grow(store: Store, size: number): Promise<void> {
  await store.write(async ({ knex }) => {
    const numbers = 'WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?)';
    await knex.raw(
      `${numbers} INSERT INTO transfers (id, network, asset, event, ref_kind, ref_id, actor, at)
       SELECT printf('00000000-%04x-7000-8000-%012x', i >> 16, i), 'sandbox', 'USDC', 'wallet.pay',
         'bench', '1', 'hub', 1800000000000 + i FROM n`,
      [size / 2 - 1],
    );
    await knex.raw(`
      WITH users AS (
        SELECT id, name, row_number() OVER (ORDER BY id) - 1 AS n FROM accounts
        WHERE class = 'user'),
      legs AS (
        SELECT seq, at, seq % ${CROWD} AS n, -1 AS delta FROM transfers WHERE seq > 1
        UNION ALL SELECT seq, at, (seq + 1) % ${CROWD}, 1 FROM transfers WHERE seq > 1)
      INSERT INTO entries SELECT u.id,
        1 + row_number() OVER (PARTITION BY u.id ORDER BY l.seq, l.delta), l.seq, 'move',
        'pay', u.name, l.delta, 1000000000, 0, l.at
      FROM legs l JOIN users u ON u.n = l.n`);
    await knex.raw(`UPDATE accounts SET seq = (SELECT max(account_seq) FROM entries e
      WHERE e.account_id = accounts.id) WHERE class = 'user'`);
  });
}

async function costs<T>(
  items: readonly T[],
  run: (item: T) => Promise<unknown>,
): Promise<readonly number[]> {
  const taken: number[] = [];
  for (const item of items) {
    const start = performance.now();
    await run(item);
    taken.push((performance.now() - start) * 1000);
  }
  return taken;
}

const asked = process.argv.slice(2);
const wanted = (name: string): boolean => asked.length === 0 || asked.includes(name);
const folder = await mkdtemp(join(tmpdir(), 'hub-bench-'));
try {
  if (wanted('sqlite')) await onSqlite(folder);
  if (wanted('postgres')) await onPostgres();
  if (wanted('growth')) await growth(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
