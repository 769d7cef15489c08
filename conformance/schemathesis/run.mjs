import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pendingOperations, root, startHub } from '../dredd/hub.mjs';

/**
 * Runs Schemathesis over the whole contract: every check, every phase, bounded in time. Arguments
 * go to `st run`: `node conformance/schemathesis/run.mjs --phases coverage --include-tag wallet`.
 * Exit codes: 0 nothing found, 1 findings, 2 it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const cache = join(root, 'node_modules/.cache/schemathesis');
const contract = join(root, 'generated/openapi.json');
const RUN_MS_MAX = 20 * 60_000;
const PYTHON_PROBE =
  'import sys, venv, ensurepip; sys.exit(0 if sys.version_info >= (3, 10) else 3)';

class CannotRun extends Error {}

/** Built once for each list of requirements, under node_modules, which nothing tracks. */
function installed() {
  const requirements = join(here, 'requirements.txt');
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  const venv = join(cache, `venv-${digest.slice(0, 12)}`);
  const bin = join(venv, process.platform === 'win32' ? 'Scripts' : 'bin');
  if (existsSync(join(venv, 'complete'))) return bin;
  const python = ['python3', 'python'].find(
    (name) => spawnSync(name, ['-c', PYTHON_PROBE]).status === 0,
  );
  if (python === undefined) {
    throw new CannotRun(
      'Schemathesis needs Python 3.10 or newer with venv and pip (ensurepip); none was found.',
    );
  }
  process.stdout.write(`Installing Schemathesis into ${venv}\n`);
  rmSync(venv, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  must(python, ['-m', 'venv', venv]);
  must(join(bin, 'python'), ['-m', 'pip', 'install', '--quiet', '--no-input', '-r', requirements]);
  must(join(bin, 'python'), ['-c', `open(${JSON.stringify(join(venv, 'complete'))}, 'w').close()`]);
  return bin;
}

function must(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0)
    throw new CannotRun(`${command} ${args.join(' ')} failed ${error?.message ?? ''}`);
}

/** Resolves to the exit code of `st run`; a run over its time has failed. */
function schemathesis(bin, url, tally, given) {
  const excluded = pendingOperations().flatMap((id) => ['--exclude-operation-id', id]);
  const config = ['--config-file', join(here, 'schemathesis.toml')];
  const reports = ['--report', 'junit', '--report-dir', join(cache, 'report')];
  const args = [...config, 'run', contract, '--url', url, ...reports, ...excluded, ...given];
  const env = {
    ...process.env,
    PYTHONPATH: here,
    PYTHONDONTWRITEBYTECODE: '1',
    SCHEMATHESIS_HUB: url,
    SCHEMATHESIS_TALLY: tally,
  };
  return new Promise((resolve, reject) => {
    const run = spawn(join(bin, 'st'), args, { cwd: cache, env, stdio: 'inherit' });
    const late = setTimeout(() => {
      process.stdout.write(`Stopped: the run took more than ${RUN_MS_MAX / 60_000} minutes.\n`);
      run.kill('SIGKILL');
    }, RUN_MS_MAX);
    run.once('error', reject);
    run.once('exit', (code) => {
      clearTimeout(late);
      resolve(code ?? 1);
    });
  });
}

/** Says what the figures of the tool do not: which operations never got past a refusal. */
function report(tally, errors) {
  if (!existsSync(tally)) return;
  const asked = Object.entries(JSON.parse(readFileSync(tally, 'utf8')));
  const refused = asked.filter(([, kinds]) => !['200', '202'].some((status) => status in kinds));
  const requests = asked.flatMap(([, kinds]) => Object.values(kinds)).reduce((a, b) => a + b, 0);
  process.stdout.write(
    `\n${requests} requests to ${asked.length} operations; ${pendingOperations().length} are pending.\n`,
  );
  process.stdout.write(
    `Never answered 200 or 202: ${refused.map(([id]) => id).join(', ') || 'none'}\n`,
  );
  for (const line of errors) process.stdout.write(`The hub logged: ${line.slice(0, 2_000)}\n`);
}

async function main() {
  const bin = installed();
  const tally = join(cache, 'tally.json');
  rmSync(tally, { force: true });
  const hub = await startHub();
  try {
    const code = await schemathesis(bin, hub.url, tally, process.argv.slice(2));
    report(tally, hub.errors());
    return code !== 0 || hub.errors().length > 0 ? 1 : 0;
  } finally {
    await hub.stop();
  }
}

process.exitCode = await main().catch((error) => {
  process.stderr.write(`${error instanceof CannotRun ? error.message : error.stack}\n`);
  return 2;
});
