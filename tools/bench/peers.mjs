import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { line } from './harness.mjs';

/** Installs what the hub is measured against, unless it is there: a folder names its packages. */
export function installPeers(folder = 'peers') {
  const cwd = fileURLToPath(new URL(folder, import.meta.url));
  const { dependencies } = JSON.parse(readFileSync(`${cwd}/package.json`, 'utf8'));
  const isThere = (name) => existsSync(`${cwd}/node_modules/${name}`);
  if (Object.keys(dependencies).every(isThere)) return;
  line(`installing the peers that the hub is measured against (${folder})`);
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd, stdio: 'inherit' });
}
