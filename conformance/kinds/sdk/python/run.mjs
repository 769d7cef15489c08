import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, startHub } from '../../dredd/hub.mjs';
import { asCommand, CannotRun, environment, runWithin } from '../../../../tools/python.mjs';
import { serveClients } from '../../../harness/servedClients.mjs';

/**
 * The Python client as installed: archive and wheel are built, the archive is installed with its
 * needs from PyPI, checked by mypy, pyright and its own tests, and used against a hub (HUB_URL,
 * else its own), also by its README and its notebook. Exit codes: 0 all held, 1 one did not, 2 it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const client = join(root, 'clients/python');
const RUN_MS_MAX = 5 * 60_000;

await asCommand(async () => {
  const cache = join(root, 'node_modules/.cache/client-python');
  const bin = environment(join(here, 'requirements.txt'), cache);
  const python = join(bin, 'python');
  const source = mkdtempSync(join(tmpdir(), 'hub-source-'));
  try {
    must(python, ['-m', 'build', '--sdist', '--outdir', source, client]);
    const [name = ''] = readdirSync(source);
    const flags = ['--quiet', '--no-input', '--force-reinstall', '--no-deps'];
    must(python, ['-m', 'pip', 'install', ...flags, join(source, name)]);
    process.stdout.write(`installed ${name}\n`);
  } finally {
    rmSync(source, { recursive: true, force: true });
  }
  // The README installs the wheel from a hub.
  await serveClients(python);
  const types = [
    [python, ['-m', 'mypy', '--strict', '-p', 'agent_exchange'], { cwd: tmpdir() }],
    [python, ['-m', 'mypy', '--strict', 'checks.py', 'commands.py', 'readme.py'], { cwd: here }],
    [python, ['-m', 'mypy', '--strict', join(client, 'examples/first_hour.py')], { cwd: tmpdir() }],
    [join(bin, 'pyright'), ['--pythonpath', python, '--project', client], {}],
    [python, [join(here, 'samples.py'), join(bin, 'pyright')], {}],
    [python, ['-m', 'unittest', 'discover', '-s', join(client, 'tests')], {}],
  ];
  let failed = 0;
  for (const [program, words, options] of types) {
    if ((await runWithin(RUN_MS_MAX, program, words, options)) !== 0) failed += 1;
  }
  const hub = await startHub();
  try {
    const readme = [join(here, 'readme.py'), join(client, 'README.md'), hub.url];
    const commands = [join(here, 'commands.py'), hub.url];
    const contract = [join(here, 'contract_samples.py'), join(bin, 'pyright'), hub.url];
    const notebook = [
      join(here, 'notebook.py'),
      join(client, 'examples/first_hour.ipynb'),
      hub.url,
    ];
    for (const words of [
      [join(here, 'checks.py'), hub.url],
      commands,
      readme,
      contract,
      notebook,
    ]) {
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
