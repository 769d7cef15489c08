import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openNpm, openPypi } from './registries.mjs';

/** Publishes the packages of npm, and installs them again by name into a folder of their own. */
export async function publishNpm(folder, { npm }, opened, { version }) {
  const registry = await openNpm(join(folder, 'npm'));
  opened.push(registry);
  const run = (cwd, ...words) =>
    execFileSync('npm', [...words, ...registry.flags], { cwd, stdio: ['ignore', 2, 2] });
  const user = join(folder, 'user');
  mkdirSync(user);
  writeFileSync(join(user, 'package.json'), '{"private":true,"type":"module"}\n');
  for (const { file } of npm) run(user, 'publish', file, '--access', 'public');
  const names = ['@agent-exchange/client', 'hub-conformance'];
  run(user, 'install', ...names.map((name) => `${name}@${version}`));
  const { packages } = JSON.parse(readFileSync(join(user, 'package-lock.json'), 'utf8'));
  for (const [nth, name] of names.entries()) {
    const { integrity } = packages[`node_modules/${name}`];
    if (integrity !== npm[nth].integrity) throw new Error(`${name} was installed as ${integrity}`);
  }
  for (const program of ['hub', 'hub-conformance']) {
    execFileSync(join(user, 'node_modules/.bin', program), ['--help'], { stdio: 'ignore' });
  }
  return { folder: user, installed: names.map((name) => `${name} ${version}`) };
}

/** Publishes the wheel, installs it again by name, and answers the version that it states. */
export async function publishWheel(folder, { wheel }, opened, { version, bin }) {
  const index = await openPypi(join(folder, 'pypi'), bin);
  opened.push(index);
  const run = (program, ...words) =>
    execFileSync(join(bin, program), words, { cwd: folder, stdio: ['ignore', 2, 2] });
  const login = ['--username', 'rehearsal', '--password', 'rehearsal', '--disable-progress-bar'];
  run('twine', 'check', '--strict', wheel);
  run('twine', 'upload', '--non-interactive', '--repository-url', index.url, ...login, wheel);
  // Its needs came with the tools of the rehearsal, so no other index is asked.
  const flags = ['--quiet', '--no-input', '--no-deps', '--force-reinstall', '--no-cache-dir'];
  const from = ['--index-url', `${index.url}simple/`];
  run('python', '-m', 'pip', 'install', ...flags, ...from, `agent-exchange-client==${version}`);
  const words = ['-c', 'import agent_exchange; print(agent_exchange.__version__, end="")'];
  const stated = execFileSync(join(bin, 'python'), words, { cwd: folder, encoding: 'utf8' });
  if (stated !== version) throw new Error(`the wheel states ${stated}`);
  return stated;
}
