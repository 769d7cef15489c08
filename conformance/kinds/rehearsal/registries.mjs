import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../dredd/hub.mjs';

/** The registries of a rehearsal: on loopback, empty at the start, and without one behind them. */
const START_MS_MAX = 60_000;
const POLL_MS = 100;

/** An npm registry by Verdaccio, as the flags with which npm uses it alone. */
export async function openNpm(folder) {
  mkdirSync(folder, { recursive: true });
  const config = {
    storage: join(folder, 'storage'),
    auth: { htpasswd: { file: join(folder, 'htpasswd'), max_users: -1 } },
    packages: { '**': { access: '$all', publish: '$all' } },
    log: { type: 'stdout', format: 'pretty', level: 'warn' },
  };
  // YAML takes JSON.
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config));
  const port = await freePort();
  const program = join(import.meta.dirname, 'node_modules/verdaccio/bin/verdaccio');
  const words = ['--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`];
  const server = start(process.execPath, [program, ...words]);
  const url = `http://127.0.0.1:${port}/`;
  await answering(`${url}-/ping`, server);
  const npmrc = join(folder, 'npmrc');
  // npm publishes nothing without a token; this registry takes any.
  writeFileSync(npmrc, `registry=${url}\n//127.0.0.1:${port}/:_authToken=rehearsal\n`);
  const flags = [
    '--userconfig',
    npmrc,
    '--cache',
    join(folder, 'cache'),
    '--no-audit',
    '--no-fund',
  ];
  return { flags, close: () => server.kill() };
}

/** An index of Python packages by pypiserver, as its address. */
export async function openPypi(folder, bin) {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const words = ['run', '--interface', '127.0.0.1', '--port', String(port), '--disable-fallback'];
  const open = ['--passwords', '.', '--authenticate', '.'];
  const server = start(join(bin, 'pypi-server'), [...words, ...open, folder]);
  const url = `http://127.0.0.1:${port}/`;
  await answering(url, server);
  return { url, close: () => server.kill() };
}

function start(program, words) {
  const server = spawn(program, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  server.once('error', (error) => process.stderr.write(`${error.message}\n`));
  return server;
}

/** Waits until a server answers at `url`; throws when it ended or took longer than a minute. */
export async function answering(url, server) {
  for (let waited = 0; waited < START_MS_MAX && server.exitCode === null; waited += POLL_MS) {
    const isUp = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isUp) return;
    await sleep(POLL_MS);
  }
  server.kill();
  throw new Error(`nothing answered at ${url}`);
}
