import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../dredd/hub.mjs';
import { answering } from './registries.mjs';

/**
 * Starts the release before, earns and pays with the installed client, starts the new release on
 * the same data, compares, and recounts the books. Answers the seconds from stop to answer.
 */
export async function upgrade(before, image, { folder, url, name }) {
  const data = join(folder, `data-${name}`);
  mkdirSync(data, { mode: 0o700 });
  for (const kept of ['rehearsal.key', 'rehearsal.json'])
    rmSync(join(folder, kept), { force: true });
  copyFileSync(join(import.meta.dirname, 'money.mjs'), join(folder, 'money.mjs'));
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const { HUB_URL: _, ...outer } = process.env;
  const env = {
    ...outer,
    FAUCET_ENABLED: 'true',
    HUB_PORT: String(port),
    HUB_DATABASE_URL: url,
    HUB_DATA_DIR: data,
    HUB_LOG: 'error',
  };
  const start = (program) =>
    spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const money = (step) =>
    execFileSync(process.execPath, ['money.mjs', step, address], { cwd: folder, stdio: 'inherit' });

  const old = start(before.program);
  await answering(`${address}/api/v1`, old);
  money('earn');
  await stop(old);
  const began = performance.now();
  const next = start(join(image, 'dist/server/main.js'));
  try {
    await answering(`${address}/readyz`, next);
    const seconds = (performance.now() - began) / 1000;
    money('compare');
    const audit = [join(image, 'dist/server/cli.js'), 'audit'];
    execFileSync(process.execPath, audit, { env, stdio: ['ignore', 2, 2] });
    return seconds;
  } finally {
    await stop(next);
  }
}

async function stop(child) {
  const gone = once(child, 'exit');
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await gone;
}
