import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import knex from 'knex';
import pg from 'pg';
import { mnemonicToAccount } from 'viem/accounts';
import { openSqliteConnection } from '../../db/sqliteConnection.ts';
import { mustBeAbleToStart } from '../../server/boot/beforeStart.ts';
import { readSettings } from '../../server/boot/config.ts';
import { openHub } from '../../server/boot/open.ts';
import { startRefusal } from '../../server/boot/startRefusal.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { startHub } from '../harness/hub.ts';

/** A database and keys as a hub leaves them; answers the path of the database. */
async function made(folder: string): Promise<string> {
  const path = join(folder, 'hub.sqlite');
  const env = { HUB_DATA_DIR: folder };
  await (await startHub({ databaseUrl: `sqlite:${path}`, env })).close();
  return path;
}

async function change(path: string, sql: string): Promise<readonly { readonly name?: unknown }[]> {
  const db = knex({ client: 'sqlite3', connection: path, useNullAsDefault: true });
  try {
    const texts = sql.split(';');
    let rows: readonly { readonly name?: unknown }[] = [];
    for (const text of texts) rows = (await db.raw(text)) as typeof rows;
    return rows;
  } finally {
    await db.destroy();
  }
}

async function inPostgres(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A hub that cannot start says in one line what to do, and shows no stack. */
describe('a start that is refused', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hub-start-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function refusalOf(env: Readonly<Record<string, string>>): Promise<string> {
    const settings = readSettings({ HUB_DATA_DIR: folder, HUB_LOG: 'silent', ...env });
    const start = async (): Promise<void> => {
      await mustBeAbleToStart(settings);
      await (await openHub({ settings, runJobs: false })).close();
    };
    const thrown: unknown = await start().then(
      () => assert.fail('it started'),
      (error: unknown) => error,
    );
    const why = startRefusal(thrown, settings);
    assert.ok(why !== undefined, String(thrown));
    assert.ok(!why.includes('\n'), why);
    return why;
  }

  /** The same, of a start that has changed nothing in the folder and in the database. */
  async function quietRefusalOf(env: Readonly<Record<string, string>>): Promise<string> {
    const state = (): unknown =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => !/-(?:wal|shm)$/.test(name) && statSync(join(folder, name)).isFile())
        .map((name) => [name, statSync(join(folder, name)).mode, readFileSync(join(folder, name))]);
    const before = state();
    const why = await refusalOf({ HUB_PORT: '0', ...env });
    assert.deepEqual(state(), before);
    return why;
  }

  it('names a table of another program, and leaves its database alone', async () => {
    const path = join(folder, 'shop.sqlite');
    await change(path, `CREATE TABLE accounts (name TEXT); INSERT INTO accounts VALUES ('a')`);
    chmodSync(path, 0o644);
    const says = /has accounts, of another program; set HUB_DATABASE_URL to a new, empty/;
    assert.match(await quietRefusalOf({ HUB_DATABASE_URL: `sqlite:${path}` }), says);
    const url = await (await sharedPostgres()).emptyDatabase();
    await inPostgres(url, 'CREATE TABLE accounts (name TEXT)');
    assert.match(await quietRefusalOf({ HUB_DATABASE_URL: url }), says);
    const tables = await inPostgres(
      url,
      `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    assert.deepEqual(tables, [{ relname: 'accounts' }]);
  });

  it('names a node of PostgreSQL that only reads', async () => {
    const url = await (await sharedPostgres()).emptyDatabase();
    const name = new URL(url).pathname.slice(1);
    await inPostgres(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const why = await quietRefusalOf({ HUB_DATABASE_URL: url });
    assert.match(why, /only reads, as a standby does; set HUB_DATABASE_URL to the node that takes/);
  });

  it('names a signing key that does not fit before it changes the tables', async () => {
    const path = await made(folder);
    const [newest] = await change(
      path,
      'SELECT name FROM knex_migrations ORDER BY id DESC LIMIT 1',
    );
    await change(path, `DELETE FROM knex_migrations WHERE name = '${String(newest?.name)}'`);
    const keys = join(folder, 'keys');
    const [file = ''] = readdirSync(keys);
    renameSync(join(keys, file), join(keys, 'away'));
    const why = await quietRefusalOf({ HUB_DATABASE_URL: `sqlite:${path}` });
    assert.match(why, /\.json is missing; copy it from the data folder/);
  });

  it('names a port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const why = await refusalOf({ HUB_PORT: String(port) });
    assert.match(why, /^port \d+ on 127\.0\.0\.1 is in use; .*HUB_PORT/);
    server.close();
  });

  it('names an address that is not of this machine', async () => {
    assert.match(
      await refusalOf({ HUB_HOST: '192.0.2.1', HUB_PORT: '0' }),
      /^192\.0\.2\.1 .*HUB_HOST/,
    );
  });

  it('names a file that is no database', async () => {
    writeFileSync(join(folder, 'hub.sqlite'), 'x'.repeat(10_000));
    assert.match(await refusalOf({ HUB_PORT: '0' }), /hub\.sqlite is damaged .*backup/);
  });

  it('names a database that does not answer', async () => {
    const why = await refusalOf({ HUB_DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/db' });
    assert.match(why, /^127\.0\.0\.1:1\/db does not answer/);
    assert.ok(!why.includes('secret'));
  });

  it('names a database that another process holds', async () => {
    const path = join(folder, 'hub.sqlite');
    await made(folder);
    const other = await openSqliteConnection(path, 'copy');
    await other.exec('BEGIN EXCLUSIVE');
    const why = await refusalOf({ HUB_DATABASE_URL: `sqlite:${path}`, HUB_PORT: '0' });
    assert.match(why, /hub\.sqlite is locked by another process; stop it and start again$/);
    await other.exec('ROLLBACK');
    await other.close();
  });

  it('names a database whose pages are damaged', async () => {
    const path = await made(folder);
    const bytes = readFileSync(path);
    bytes.fill(0xff, 4_096);
    writeFileSync(path, bytes);
    const why = await refusalOf({ HUB_DATABASE_URL: `sqlite:${path}`, HUB_PORT: '0' });
    assert.match(why, /hub\.sqlite is damaged .*restore a backup/);
  });

  it('names a database of a newer hub', async () => {
    const path = await made(folder);
    await change(
      path,
      `INSERT INTO knex_migrations (name, batch) VALUES ('9999_tomorrow_contract', 9)`,
    );
    const why = await refusalOf({ HUB_DATABASE_URL: `sqlite:${path}`, HUB_PORT: '0' });
    assert.match(why, /was made by a newer hub; start that version, or restore an older backup$/);
  });

  it('names a database of an unreleased version', async () => {
    const path = await made(folder);
    await change(path, `UPDATE knex_migrations SET name = '0002_identity' WHERE id = 2`);
    const why = await refusalOf({ HUB_DATABASE_URL: `sqlite:${path}`, HUB_PORT: '0' });
    assert.match(
      why,
      /hub\.sqlite was made by an unreleased version .*set HUB_DATABASE_URL to a new, empty database$/,
    );
  });

  it('names the file of a key that is missing, that others may read, or that is another', async () => {
    const path = await made(folder);
    const env = { HUB_DATABASE_URL: `sqlite:${path}`, HUB_PORT: '0' };
    const keys = join(folder, 'keys');
    const [file = ''] = readdirSync(keys);
    const key = join(keys, file);
    chmodSync(key, 0o644);
    assert.match(await refusalOf(env), /\.json is open to others; .*chmod 600$/);
    chmodSync(key, 0o600);
    const text = readFileSync(key, 'utf8');
    writeFileSync(key, '{');
    assert.match(await refusalOf(env), /\.json holds no key; put the copy of a backup there$/);
    writeFileSync(key, text);
    renameSync(key, `${key}.away`);
    assert.match(await refusalOf(env), /\.json is missing; copy it from the data folder/);
    const other = mkdtempSync(join(tmpdir(), 'hub-start-'));
    await made(other);
    const [stranger = ''] = readdirSync(join(other, 'keys'));
    copyFileSync(join(other, 'keys', stranger), key);
    assert.match(await refusalOf(env), /\.json holds the key \w+, another than its name says/);
    rmSync(other, { recursive: true, force: true });
  });

  it('names what the user of the hub has no right to', async () => {
    const path = await made(folder);
    chmodSync(folder, 0o755);
    const env = { HUB_DATABASE_URL: `sqlite:${path}`, HUB_PORT: '0' };
    const own = process.geteuid?.();
    // No file mode binds root; a process that is not root is bound by the modes themselves.
    if (own === 0) process.seteuid?.(65_534);
    else chmodSync(path, 0o000);
    try {
      assert.match(await refusalOf(env), /^no right to use .*hub\.sqlite; give .*HUB_DATA_DIR/);
    } finally {
      if (own === 0) process.seteuid?.(0);
    }
  });

  it('names a database that can be read and not written', async () => {
    const thrown = Object.assign(new Error('SQLITE_READONLY: attempt to write'), { errno: 8 });
    const settings = readSettings({ HUB_DATABASE_URL: 'sqlite:/mnt/hub.sqlite' });
    assert.match(
      startRefusal(thrown, settings) ?? '',
      /hub\.sqlite cannot be written; give the hub's user that right on the file and on its folder/,
    );
  });

  it('names a user that PostgreSQL does not know', async () => {
    const url = await (await sharedPostgres()).freshDatabase();
    const nowhere = new URL(url);
    nowhere.pathname = '/no_such_database';
    const why = await refusalOf({ HUB_DATABASE_URL: nowhere.href, HUB_PORT: '0' });
    assert.match(why, /^the database refuses the hub \(.*no_such_database.*\); .*HUB_DATABASE_URL/);
  });

  it('names certificates that are none', async () => {
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const env = { HUB_TLS_CERT: cert, HUB_TLS_KEY: key, HUB_PORT: '0' };
    assert.match(await quietRefusalOf(env), /there is no file .*cert\.pem; correct the setting/);
    writeFileSync(cert, 'no');
    writeFileSync(key, 'no');
    const says = /HUB_TLS_CERT and HUB_TLS_KEY are no certificate and key/;
    assert.match(await quietRefusalOf(env), says);
  });

  it('says it in one line on the error output, and ends with 1', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const env = { ...process.env, HUB_PORT: String(port), HUB_DATA_DIR: folder, HUB_LOG: 'silent' };
    const main = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import=tsx', main], { env });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'exit')) as [number | null];
    server.close();
    assert.equal(code, 1);
    assert.match(output, /^hub: port \d+ on 127\.0\.0\.1 is in use; [^\n]*HUB_PORT to another\n$/);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('says the same of a command of the operator that finds no database', async () => {
    const env = { ...process.env, HUB_DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/db' };
    const program = fileURLToPath(new URL('../../server/cli.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import=tsx', program, 'reports'], { env });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'exit')) as [number | null];
    assert.equal(code, 2);
    assert.match(output, /^127\.0\.0\.1:1\/db does not answer \([^\n]*set HUB_DATABASE_URL\n$/);
  });

  it('names a data folder or a database that is a file, a folder or cannot be made', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, 'x');
    for (const [env, says] of [
      [{ HUB_DATA_DIR: file }, /file is no folder; set HUB_DATA_DIR to one/],
      [{ HUB_DATA_DIR: join(file, 'below') }, /below cannot be made \(ENOTDIR\); set HUB_DATA_DIR/],
      [{ HUB_DATABASE_URL: `sqlite:${folder}` }, /is no file; set HUB_DATABASE_URL/],
      [{ HUB_DATABASE_URL: `sqlite:${file}/hub.sqlite` }, /is no folder; set HUB_DATABASE_URL/],
    ] as const) {
      assert.match(await refusalOf({ HUB_PORT: '0', ...env }), says);
    }
  });

  it('names a place that takes no folders, and does not look for one without end', async function () {
    if (!existsSync('/proc/self')) this.skip();
    for (const [env, says] of [
      [{ HUB_DATA_DIR: '/proc/hub/data' }, /^the folder \/proc\/hub\/data cannot be made \(/],
      [{ HUB_DATABASE_URL: 'sqlite:/proc/self/x/hub.sqlite' }, /set HUB_DATABASE_URL/],
      [{ HUB_DATABASE_URL: 'sqlite:/dev/null' }, /^\/dev\/null is no file; set HUB_DATABASE_URL/],
    ] as const) {
      assert.match(await refusalOf({ HUB_PORT: '0', ...env }), says);
    }
  });

  it('names an address that is none, by its setting', () => {
    for (const [env, says] of [
      [
        { HUB_DATABASE_URL: 'mysql://a:secret@b/c' },
        /^HUB_DATABASE_URL is sqlite:PATH or postgres/,
      ],
      [{ HUB_DATABASE_URL: 'postgres://[::' }, /^HUB_DATABASE_URL is/],
      [{ HUB_DATABASE_URL: '/var/lib/hub.sqlite' }, /^HUB_DATABASE_URL is/],
      [{ HUB_BASE_URL: 'hub.example' }, /^HUB_BASE_URL is an http or https address/],
      [{ HUB_BASE_URL: 'https://a b' }, /^HUB_BASE_URL is/],
      [{ HUB_BASE_URL: 'https://hub.example?a=b' }, /^HUB_BASE_URL is/],
      [
        { HUB_FILES_S3_BUCKET: 'b', HUB_FILES_S3_ENDPOINT: 'no' },
        /^HUB_FILES_S3_ENDPOINT is an http or https address/,
      ],
    ] as const) {
      assert.throws(
        () => readSettings(env),
        (error) => {
          const why = startRefusal(error, undefined) ?? '';
          return says.test(why) && !why.includes('secret') && !why.includes('\n');
        },
      );
    }
    assert.equal(readSettings({ HUB_DATA_DIR: '' }).databaseUrl, 'sqlite:./data/hub.sqlite');
  });

  it('names a hot wallet that others may read, or that the deposit key sweeps', async () => {
    const file = join(folder, 'treasury.key');
    const phrase = 'test test test test test test test test test test test junk';
    const wallet = mnemonicToAccount(phrase, { addressIndex: 9 });
    const key = wallet.getHdKey().privateKey ?? assert.fail('the phrase has keys');
    writeFileSync(file, Buffer.from(key).toString('hex'), { mode: 0o600 });
    const branch = mnemonicToAccount(phrase, { path: "m/44'/60'/0'/0" }).getHdKey();
    const chain = {
      HUB_DATABASE_URL: 'sqlite::memory:',
      HUB_PORT: '0',
      HUB_CHAIN_RPC: 'http://127.0.0.1:1',
      HUB_TREASURY_KEY: file,
    };
    const own = { ...chain, HUB_DEPOSIT_XPUB: branch.publicExtendedKey };
    assert.match(await refusalOf(own), /HUB_TREASURY_KEY is account 9 of HUB_DEPOSIT_XPUB; .*seed/);
    chmodSync(file, 0o644);
    assert.match(await refusalOf(chain), /treasury\.key is open to others; .*chmod 600$/);
  });

  it('names the key that a facilitator of its own settles with', () => {
    const env = { HUB_CHAIN_RPC: 'http://127.0.0.1:1', HUB_X402_FACILITATOR: 'local' };
    assert.throws(
      () => readSettings(env),
      /local settles by the hot wallet: set HUB_TREASURY_KEY$/,
    );
  });

  it('says of a setting what form it has', () => {
    assert.throws(
      () => readSettings({ HUB_PORT: 'x' }),
      (error) => startRefusal(error, undefined) === 'HUB_PORT is a whole number from 0 to 65535',
    );
  });

  it('leaves an unexpected error its stack', () => {
    const settings = readSettings({});
    assert.equal(startRefusal(new TypeError('bug'), settings), undefined);
  });
});

describe('files of the database', () => {
  it('are for the hub alone to read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hub-rights-'));
    const databaseUrl = `sqlite:${join(folder, 'hub.sqlite')}`;
    const hub = await startHub({ databaseUrl, env: { HUB_DATA_DIR: folder } });
    const names = readdirSync(folder).filter((name) => name.startsWith('hub.sqlite'));
    assert.ok(names.length > 0);
    for (const name of names) {
      assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
    }
    await hub.close();
    rmSync(folder, { recursive: true, force: true });
  });
});
