import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// What the hub is measured against and checked with lives in tools/bench/peers and is installed
// here, on demand, not with the hub.
const FOLDER = fileURLToPath(new URL('peers', import.meta.url));

export function installPeers() {
  const { dependencies } = JSON.parse(readFileSync(`${FOLDER}/package.json`, 'utf8'));
  const isThere = (name) => existsSync(`${FOLDER}/node_modules/${name}`);
  if (Object.keys(dependencies).every(isThere)) return;
  process.stdout.write('installing the peers of the hub (tools/bench/peers)\n');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER, stdio: 'inherit' });
}
