// npm run deploy:pitr: point-in-time recovery of a scratch database with pgBackRest, by the commands of
// docs/operate/backup.md. Needs `npm run build`, and pgBackRest and PostgreSQL, which it installs from
// Debian as root and runs as the user postgres.
import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
} from 'node:fs';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newAccount } from './account.mjs';
import { installDebian } from '../installDebian.mjs';
import { freePort } from './freePort.mjs';

installDebian('deploy:pitr', [
  ['/usr/lib/postgresql', 'postgresql'],
  ['pgbackrest', 'pgbackrest'],
]);

const cli = resolve(import.meta.dirname, '../../dist/server/cli.js');
const isRoot = process.getuid() === 0;
const folder = mkdtempSync(join(tmpdir(), 'hub-pitr-'));
const [pgPort, port] = [await freePort(), await freePort()];
const [data, config] = [join(folder, 'data'), join(folder, 'pgbackrest.conf')];
const account = newAccount();
const hubEnv = {
  PATH: process.env.PATH,
  HUB_DATABASE_URL: `postgres://hub@127.0.0.1:${pgPort}/postgres`,
  HUB_DATA_DIR: join(folder, 'hub'),
  HUB_PORT: String(port),
  HUB_LOG: 'warn',
  FAUCET_ENABLED: 'true',
};

/** Runs a program as the user of the database, and prints its words and its time. */
function run(program, ...words) {
  const began = performance.now();
  const [file, args] = isRoot
    ? ['runuser', ['-u', 'postgres', '--', program, ...words]]
    : [program, words];
  const output = execFileSync(file, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  print(began, [program.split('/').at(-1), ...words].join(' ').replaceAll(folder, ''));
  return output;
}

function print(began, what) {
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  process.stdout.write(`${seconds.padStart(6)} s  ${what}\n`);
}

function binary(name) {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((each) => join(root, each, 'bin', name)).find(existsSync) ?? name;
}

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/operate/backup.md'), 'utf8');

/** A block of the page, with the places of this run in place of its own. */
function documented(opening, places = []) {
  const start = PAGE.indexOf(`\n${opening}`) + 1;
  if (start === 0) throw new Error(`docs/operate/backup.md has no block that begins: ${opening}`);
  return places.reduce(
    (text, [there, here]) => {
      if (!text.includes(there)) throw new Error(`docs/operate/backup.md does not have: ${there}`);
      return text.replaceAll(there, here);
    },
    PAGE.slice(start, PAGE.indexOf('\n```', start) + 1),
  );
}

function follow(block) {
  for (const line of block.trim().split('\n')) {
    const [program, ...words] = line
      .match(/(?:[^\s"]|"[^"]*")+/g)
      .map((each) => each.replaceAll('"', ''));
    run(program, `--config=${config}`, ...words);
  }
}

const hubctl = (...words) =>
  execFileSync(process.execPath, [cli, ...words], { env: hubEnv, encoding: 'utf8' });
const startDatabase = () =>
  run(binary('pg_ctl'), '-w', '-D', data, '-l', join(folder, 'log'), 'start');
const stopDatabase = () => run(binary('pg_ctl'), '-D', data, '-m', 'fast', 'stop');
const ask = (sql) =>
  run(
    'psql',
    '-h',
    folder,
    '-p',
    String(pgPort),
    '-U',
    'hub',
    '-d',
    'postgres',
    '-Atc',
    sql,
  ).trim();

async function withHub(work) {
  const hub = spawn(process.execPath, [cli, 'start'], { env: hubEnv, stdio: 'inherit' });
  const at = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${at}/readyz`)
      .then(({ ok }) => ok)
      .catch(() => false);
  try {
    for (let n = 0; n < 240 && !(await isReady()); n += 1) await sleep(250);
    return await work(at);
  } finally {
    hub.kill('SIGTERM');
    if (hub.exitCode === null) await new Promise((done) => hub.once('exit', done));
  }
}

async function credit(at, amount, idempotencyKey) {
  const answer = await fetch(`${at}/api/v1/wallet/${account}/credit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ amount, idempotencyKey }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

const balance = () => Number(/atomic units: (\d+)/.exec(hubctl('account', account))?.[1]);

try {
  chmodSync(folder, 0o777);
  mkdirSync(join(folder, 'hub'), { mode: 0o700 });
  run(binary('initdb'), '-U', 'hub', '--auth=trust', '-D', data);
  const repository = documented('[global]', [
    ['/var/lib/pgbackrest', `${folder}/repo`],
    ['[hub]', `log-path=${folder}\nlock-path=${folder}/lock\n\n[hub]`],
    ['/var/lib/postgresql/15/main', data],
  ]);
  const own = `pg1-port=${pgPort}\npg1-socket-path=${folder}\npg1-user=hub\npg1-database=postgres\n`;
  writeFileSync(config, `${repository}${own}`);
  const archive = documented('archive_mode', [['pgbackrest ', `pgbackrest --config=${config} `]]);
  const listens = `port = ${pgPort}\nunix_socket_directories = '${folder}'\n`;
  appendFileSync(join(data, 'postgresql.conf'), `${listens}${archive}`);
  startDatabase();
  await withHub((at) => credit(at, '5000000', 'before the backup'));
  follow(documented('pgbackrest --stanza=hub stanza-create'));
  const moment = await withHub(async (at) => {
    await credit(at, '2000000', 'after the backup');
    const found = ask('SELECT now()');
    await sleep(1_100);
    await credit(at, '900000000', 'the mistake');
    return found;
  });
  ask('SELECT pg_switch_wal()');
  stopDatabase();
  rmSync(data, { recursive: true });
  follow(documented('pgbackrest --stanza=hub restore', [['2026-11-26 02:29:49+00', moment]]));
  startDatabase();
  while (ask('SELECT pg_is_in_recovery()') === 't') await sleep(250);
  const began = performance.now();
  const books = hubctl('audit');
  print(began, 'hubctl audit');
  const found = balance();
  stopDatabase();
  if (!books.includes('The books balance.') || found !== 7_000_000) {
    throw new Error(`the account has ${found} in place of 7000000\n${books}`);
  }
  process.stdout.write('The moment before the mistake is back, and the books balance.\n');
} catch (error) {
  process.stderr.write(`${error.stderr || error.stdout || error.stack}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
