import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Installs the packages of a folder from its lock, unless they are there; says so as `title`. */
export function installPackages(folder, title) {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const isThere = (name) => existsSync(join(folder, 'node_modules', name));
  if (Object.keys(dependencies).every(isThere)) return;
  process.stderr.write(`installing ${title}\n`);
  // Standard output is for figures alone.
  const options = { cwd: folder, stdio: ['ignore', 2, 2] };
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], options);
}
