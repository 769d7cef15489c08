import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, startHub } from '../../dredd/hub.mjs';
import { asCommand, CannotRun, environment, runWithin } from '../../harness/python.mjs';

/**
 * The Python client as installed: archive and wheel are built, the archive is installed with its
 * needs from PyPI, checked by mypy, pyright and its own tests, and used against a hub (HUB_URL,
 * else its own), also by its README. Exit codes: 0 all held, 1 one did not, 2 it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const client = join(root, 'clients/python');
const RUN_MS_MAX = 5 * 60_000;

await asCommand(async () => {
  const cache = join(root, 'node_modules/.cache/client-python');
  const bin = environment(join(here, 'requirements.txt'), cache);
  const python = join(bin, 'python');
  const wheels = mkdtempSync(join(tmpdir(), 'hub-wheel-'));
  try {
    must(python, ['-m', 'build', '--sdist', '--wheel', '--outdir', wheels, client]);
    const [source = '', wheel = ''] = ['.tar.gz', '.whl'].map((end) =>
      readdirSync(wheels).find((name) => name.endsWith(end)),
    );
    const flags = ['--quiet', '--no-input', '--force-reinstall', '--no-deps'];
    must(python, ['-m', 'pip', 'install', ...flags, join(wheels, source)]);
    process.stdout.write(`built ${wheel}, installed ${source}\n`);
  } finally {
    rmSync(wheels, { recursive: true, force: true });
  }
  const types = [
    [python, ['-m', 'mypy', '--strict', '-p', 'agent_exchange'], { cwd: tmpdir() }],
    [python, ['-m', 'mypy', '--strict', 'checks.py', 'readme.py'], { cwd: here }],
    [join(bin, 'pyright'), ['--pythonpath', python, '--project', client], {}],
    [python, ['-m', 'unittest', 'discover', '-s', join(client, 'tests')], {}],
  ];
  let failed = 0;
  for (const [program, words, options] of types) {
    if ((await runWithin(RUN_MS_MAX, program, words, options)) !== 0) failed += 1;
  }
  const hub = await startHub();
  try {
    const readme = [join(here, 'readme.py'), join(client, 'README.md'), hub.url];
    for (const words of [[join(here, 'checks.py'), hub.url], readme]) {
      if ((await runWithin(RUN_MS_MAX, python, words)) !== 0) failed += 1;
    }
    for (const line of hub.errors()) process.stdout.write(`The hub logged: ${line}\n`);
    return failed > 0 || hub.errors().length > 0 ? 1 : 0;
  } finally {
    await hub.stop();
  }
});

function must(program, words) {
  const { status, error } = spawnSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new CannotRun(`${words.join(' ')} failed ${error?.message ?? ''}`);
}
