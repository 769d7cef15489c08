import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Python programs that are run against a hub, each in an environment of its own. */
const PYTHON_PROBE =
  'import sys, venv, ensurepip; sys.exit(0 if sys.version_info >= (3, 10) else 3)';

/** The folder that the programs share; they find it beside their own files. */
const SHARED = fileURLToPath(new URL('python', import.meta.url));

export class CannotRun extends Error {}

/** Installs a requirements file with pip's `flags`, once for each content, under node_modules. */
export function environment(requirements, folder, flags = []) {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  const venv = join(folder, `venv-${digest.slice(0, 12)}`);
  const bin = join(venv, process.platform === 'win32' ? 'Scripts' : 'bin');
  const complete = join(venv, 'complete');
  if (existsSync(complete)) return bin;
  const python = ['python3', 'python'].find(
    (name) => spawnSync(name, ['-c', PYTHON_PROBE]).status === 0,
  );
  if (python === undefined) {
    throw new CannotRun('It needs Python 3.10 or newer with venv and pip (ensurepip).');
  }
  process.stdout.write(`Installing ${requirements} into ${venv}\n`);
  rmSync(venv, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  must(python, ['-m', 'venv', venv]);
  const install = ['-m', 'pip', 'install', '--quiet', '--no-input', ...flags];
  must(join(bin, 'python'), [...install, '-r', requirements]);
  writeFileSync(complete, '');
  return bin;
}

function must(command, words) {
  const { status, error } = spawnSync(command, words, { stdio: 'inherit' });
  if (status !== 0) {
    throw new CannotRun(`${command} ${words.join(' ')} failed ${error?.message ?? ''}`);
  }
}

/** Resolves to the exit code of a program; one that is over its time has failed. */
export function runWithin(timeMs, program, words, { cwd, env } = {}) {
  return new Promise((resolve, reject) => {
    const PYTHONPATH = [SHARED, env?.PYTHONPATH].filter(Boolean).join(delimiter);
    const whole = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env, PYTHONPATH };
    const run = spawn(program, words, { cwd, env: whole, stdio: 'inherit' });
    const late = setTimeout(() => {
      process.stdout.write(`Stopped: it took more than ${timeMs / 60_000} minutes.\n`);
      run.kill('SIGKILL');
    }, timeMs);
    run.once('error', reject);
    run.once('exit', (code) => {
      clearTimeout(late);
      resolve(code ?? 1);
    });
  });
}

/** Runs `main` as a command whose exit code it answers: 2 when it could not run. */
export async function asCommand(main) {
  process.exitCode = await main().catch((error) => {
    process.stderr.write(`${error instanceof CannotRun ? error.message : error.stack}\n`);
    return 2;
  });
}
