import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../conformance/harness/postgres.ts';
import { statement } from '../../db/ledger/statement.ts';
import { openStore, type Store } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import {
  fund,
  median,
  payments,
  payThroughStore,
  people,
  PLACE,
  throughput,
} from './ledgerBook.ts';
import { postgresPeer, sqlitePeer, type Peer } from './ledgerPeers.ts';

/**
 * `tsx tools/bench/ledger.ts [sqlite] [postgres] [growth]`: payments through the store as ratios
 * against the bare drivers, every pair interleaved in one run, and the cost of a payment and of a
 * statement page as the journal grows. Ratios carry over to other machines; the counts do not.
 */
const ROUNDS = 5;
const COUNT = Number(process.env['BENCH_COUNT'] ?? 3_000);
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

async function growth(folder: string): Promise<void> {
  console.log('SQLite, cost as the journal grows (microseconds, median)');
  let first: readonly number[] | undefined;
  for (const size of SIZES) {
    const store = await openStore(`sqlite:${join(folder, `grown-${size}.sqlite`)}`);
    const accounts = people();
    await fund(store, accounts);
    await grow(store, size);
    const pay = await costs(400, async () => {
      const [one] = payments(1);
      if (one !== undefined) await payThroughStore(store, accounts, one);
    });
    const page = await costs(400, async (index) => {
      const account = accounts[index % accounts.length];
      if (account === undefined) return;
      await store.read((db) => statement(db, account, PLACE, { limit: 50 }));
    });
    first ??= [pay, page];
    const ratio = (value: number, at: number): string => (value / (first?.[at] ?? 1)).toFixed(2);
    console.log(
      `  ${String(size).padStart(8)} entries  pay ${pay.toFixed(0)} (x${ratio(pay, 0)})` +
        `  page of 50 ${page.toFixed(0)} (x${ratio(page, 1)})`,
    );
    await store.close();
  }
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
    for (const [shift, delta] of [
      [0, -1],
      [1, 1],
    ] as const) {
      await knex.raw(
        `INSERT INTO entries SELECT a.id, 1 + 2 * ((t.seq - 2) / 1000) + ${shift} + 1, t.seq, 'move',
           'pay', a.name, ${delta}, 1000000000, 0, t.at
         FROM transfers t JOIN accounts a ON a.id = 2 + (t.seq + ${shift}) % 1000 WHERE t.seq > 1`,
      );
    }
    await knex.raw(`UPDATE accounts SET seq = (SELECT max(account_seq) FROM entries e
      WHERE e.account_id = accounts.id)`);
  });
}

async function costs(times: number, run: (index: number) => Promise<void>): Promise<number> {
  const taken: number[] = [];
  for (let index = 0; index < times; index += 1) {
    const start = performance.now();
    await run(index);
    taken.push((performance.now() - start) * 1000);
  }
  return median(taken);
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
