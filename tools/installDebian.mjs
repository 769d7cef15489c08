import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Installs the packages that are missing, as root on a Debian. Elsewhere it names them and ends the
 * process with code 2. `needed` has a program's name, or a path, and the package that brings it.
 */
export function installDebian(title, needed) {
  const missing = needed.filter(([what]) => !isThere(what)).map(([, name]) => name);
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) {
    console.error(`${title} needs ${missing.join(', ')} from Debian; install them as root.`);
    process.exit(2);
  }
  console.log(`installing ${missing.join(', ')} from Debian`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { env, stdio: ['ignore', 'ignore', 'inherit'] };
  execFileSync('apt-get', ['update', '-qq'], options);
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...missing];
  execFileSync('apt-get', install, options);
}

function isThere(what) {
  if (what.includes('/')) return existsSync(what);
  return process.env.PATH.split(delimiter).some((folder) => existsSync(join(folder, what)));
}
