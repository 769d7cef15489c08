import pg from 'pg';
import sqlite3 from 'sqlite3';
import type { Account } from '../../../domain/account.ts';
import type { Payment } from '../bench/ledgerBook.ts';

/** The least code that writes the store's rows by the same drivers; only the tables check them. */
export interface Peer {
  pay(payment: Payment, lane: number): Promise<void>;
  close(): Promise<void>;
}

/** sqlite3 with prepared statements, one commit for each payment, synced like the store's. */
export async function sqlitePeer(path: string, accounts: readonly Account[]): Promise<Peer> {
  const db = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened: sqlite3.Database = new sqlite3.Database(path, (error) =>
      error === null ? resolve(opened) : reject(error),
    );
  });
  await new Promise<void>((resolve, reject) => {
    db.exec(
      'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON',
      (error: Error | null) => (error === null ? resolve() : reject(error)),
    );
  });
  const prepared = (sql: string) => {
    const handle = db.prepare(sql);
    return (...values: (string | number | null)[]) =>
      new Promise<Record<string, number>>((resolve, reject) => {
        handle.all<Record<string, number>>(values, (error, rows) =>
          error === null ? resolve(rows[0] ?? {}) : reject(error),
        );
      });
  };
  const begin = prepared('BEGIN IMMEDIATE');
  const commit = prepared('COMMIT');
  const update = prepared(`UPDATE accounts SET posted = posted + ?, seq = seq + 1
    WHERE network = 'sandbox' AND asset = 'USDC' AND name = ? AND shard = 0
    RETURNING id, posted, held, seq`);
  const insert = prepared(`INSERT INTO transfers
    (id, network, asset, event, ref_kind, ref_id, actor, memo, at)
    VALUES (?, 'sandbox', 'USDC', 'wallet.pay', 'bench', '1', 'hub', NULL, 1800000000000)
    RETURNING seq`);
  const entry = "(?, ?, ?, 'move', 'pay', ?, ?, ?, ?, 1800000000000)";
  const entries =
    prepared(`INSERT INTO entries (account_id, account_seq, transfer_seq, kind, reason,
    counterparty, delta, posted_after, held_after, at) VALUES ${entry}, ${entry}`);
  const line = (row: Record<string, number>, seq: number, other: string, delta: number) => [
    row['id'] ?? 0,
    row['seq'] ?? 0,
    seq,
    other,
    delta,
    row['posted'] ?? 0,
    row['held'] ?? 0,
  ];
  return {
    async pay({ id, from, to }) {
      const [payer = '', payee = ''] = [accounts[from], accounts[to]];
      await begin();
      const out = await update(-1, payer);
      const into = await update(1, payee);
      const { seq = 0 } = await insert(id);
      await entries(...line(out, seq, payee, -1), ...line(into, seq, payer, 1));
      await commit();
    },
    close: () =>
      new Promise((resolve) => {
        db.close(() => resolve());
      }),
  };
}

const FUNCTION = `
CREATE FUNCTION bench_pay(transfer text, payer text, payee text) RETURNS bigint AS $$
DECLARE
  o accounts; i accounts; written bigint;
BEGIN
  PERFORM 1 FROM accounts WHERE network = 'sandbox' AND asset = 'USDC' AND shard = 0
    AND name IN (payer, payee) ORDER BY id FOR NO KEY UPDATE;
  UPDATE accounts SET posted = posted - 1, seq = seq + 1 WHERE network = 'sandbox'
    AND asset = 'USDC' AND name = payer AND shard = 0 RETURNING * INTO o;
  UPDATE accounts SET posted = posted + 1, seq = seq + 1 WHERE network = 'sandbox'
    AND asset = 'USDC' AND name = payee AND shard = 0 RETURNING * INTO i;
  INSERT INTO transfers (id, network, asset, event, ref_kind, ref_id, actor, memo, at)
    VALUES (transfer, 'sandbox', 'USDC', 'wallet.pay', 'bench', '1', 'hub', NULL, 1800000000000)
    RETURNING seq INTO written;
  INSERT INTO entries (account_id, account_seq, transfer_seq, kind, reason, counterparty, delta,
      posted_after, held_after, at)
    VALUES (o.id, o.seq, written, 'move', 'pay', payee, -1, o.posted, o.held, 1800000000000),
      (i.id, i.seq, written, 'move', 'pay', payer, 1, i.posted, i.held, 1800000000000);
  RETURN written;
END $$ LANGUAGE plpgsql`;

/** One stored function a payment through pg: a single round trip and its own commit. */
export async function postgresPeer(
  url: string,
  accounts: readonly Account[],
  width: number,
): Promise<Peer> {
  const clients = await Promise.all(
    Array.from({ length: width }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client;
    }),
  );
  await clients[0]?.query(FUNCTION);
  return {
    async pay({ id, from, to }, lane) {
      await clients[lane]?.query({
        name: 'pay',
        text: 'SELECT bench_pay($1, $2, $3)',
        values: [id, accounts[from], accounts[to]],
      });
    },
    async close() {
      await Promise.all(clients.map((client) => client.end()));
    },
  };
}
