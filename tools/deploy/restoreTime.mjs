// npm run deploy:restore -- FROM TO [GB]: how long `hubctl backup` and `hubctl restore` take.
// FROM and TO are addresses of two empty PostgreSQL databases. FROM gets a hub with payments between
// two accounts until it has GB gigabytes (1 when absent), because restoring recounts each payment.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newAccount } from './account.mjs';
import { freePort } from './freePort.mjs';
import pg from 'pg';

const GB = 2 ** 30;
const PAYMENTS_AT_ONCE = 100_000;
const [from, to, gigabytes = '1'] = process.argv.slice(2);
const cli = resolve(import.meta.dirname, '../../dist/server/cli.js');
if (from === undefined || to === undefined || !(Number(gigabytes) > 0) || !existsSync(cli)) {
  process.stderr.write('npm run deploy:restore -- FROM TO [GB], after npm run build\n');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'hub-restore-'));
const bytesMin = Number(gigabytes) * GB;
const accounts = [newAccount(), newAccount()];

try {
  await startOnce();
  const database = new pg.Client(from);
  await database.connect();
  let payments = 0;
  while ((await bytesOf(database)) < bytesMin) payments += await pay(database);
  await database.query('VACUUM ANALYZE');
  const size = (await bytesOf(database)) / GB;
  await database.end();
  process.stdout.write(`database  ${size.toFixed(2)} GB with ${payments} payments\n`);
  const backup = join(folder, 'backup');
  const backedUp = timed(['backup', backup], from, 'data');
  const written = treeBytes(backup) / GB;
  process.stdout.write(`backup    ${say(backedUp, size)}, ${written.toFixed(2)} GB written\n`);
  process.stdout.write(`restore   ${say(timed(['restore', backup], to, 'restored'), size)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function environment(url, data) {
  const { PATH } = process.env;
  return { PATH, HUB_DATABASE_URL: url, HUB_DATA_DIR: join(folder, data), HUB_LOG: 'warn' };
}

/** Creates the tables, and the two accounts by the faucet. */
async function startOnce() {
  const port = await freePort();
  const env = { ...environment(from, 'data'), HUB_PORT: String(port), FAUCET_ENABLED: 'true' };
  const hub = spawn(process.execPath, [cli, 'start'], { env, stdio: 'inherit' });
  try {
    const at = `http://127.0.0.1:${port}`;
    for (let n = 0; n < 240 && !(await isReady(at)); n += 1) await sleep(250);
    for (const account of accounts) {
      const answer = await fetch(`${at}/api/v1/wallet/${account}/credit`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ amount: '1000000', idempotencyKey: 'restore-time' }),
      });
      if (!answer.ok) throw new Error(await answer.text());
    }
  } finally {
    hub.kill('SIGTERM');
    if (hub.exitCode === null) await new Promise((done) => hub.once('exit', done));
  }
}

async function isReady(at) {
  return fetch(`${at}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function bytesOf(database) {
  const { rows } = await database.query('SELECT pg_database_size(current_database()) AS n');
  return Number(rows[0].n);
}

/** Payments of one unit there and back, as the ledger writes them. */
async function pay(database) {
  const at = Date.now();
  await database.query('BEGIN');
  const [a, b] = await Promise.all(
    accounts.map(async (name) => {
      const { rows } = await database.query('SELECT * FROM accounts WHERE name = $1', [name]);
      return rows[0];
    }),
  );
  const head = (await database.query('SELECT max(seq) AS seq FROM transfers')).rows[0].seq;
  const values = [head, a.network, a.asset, PAYMENTS_AT_ONCE, at, ...accounts];
  await database.query(
    `INSERT INTO transfers (seq, id, network, asset, event, ref_kind, ref_id, actor, at)
      OVERRIDING SYSTEM VALUE
      SELECT $1::bigint + n, u, $2, $3, 'pay', 'payment', u,
        CASE WHEN n % 2 = 1 THEN $6 ELSE $7 END, $5
      FROM (SELECT n, gen_random_uuid()::text AS u FROM generate_series(1, $4::bigint) AS n) AS made`,
    values,
  );
  for (const [own, other, sign] of [
    [a, accounts[1], -1],
    [b, accounts[0], 1],
  ]) {
    await database.query(
      `INSERT INTO entries (account_id, account_seq, transfer_seq, kind, reason, counterparty,
          delta, posted_after, held_after, at)
        SELECT $1, $2::bigint + n, $3::bigint + n, 'move', 'pay', $4,
          CASE WHEN n % 2 = 1 THEN $5::bigint ELSE -$5::bigint END,
          $6::bigint + CASE WHEN n % 2 = 1 THEN $5::bigint ELSE 0 END, $7, $8
        FROM generate_series(1, $9::bigint) AS n`,
      [own.id, own.seq, head, other, sign, own.posted, own.held, at, PAYMENTS_AT_ONCE],
    );
    const moved = [PAYMENTS_AT_ONCE, own.id];
    await database.query('UPDATE accounts SET seq = seq + $1 WHERE id = $2', moved);
  }
  await database.query(
    `SELECT setval(pg_get_serial_sequence('transfers', 'seq'), (SELECT max(seq) FROM transfers))`,
  );
  await database.query('COMMIT');
  return PAYMENTS_AT_ONCE;
}

function timed(words, url, data) {
  const began = performance.now();
  const ran = spawnSync(process.execPath, [cli, ...words], {
    env: environment(url, data),
    encoding: 'utf8',
  });
  if (ran.status !== 0) throw new Error(`hubctl ${words[0]}: ${ran.stdout}${ran.stderr}`);
  return (performance.now() - began) / 1_000;
}

function say(seconds, size) {
  return `${seconds.toFixed(0)} s, ${(seconds / size).toFixed(0)} s per GB`;
}

function treeBytes(path) {
  const found = statSync(path);
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + treeBytes(join(path, name)), 0);
}
