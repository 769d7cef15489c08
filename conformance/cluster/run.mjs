// `npm run cluster`: hubs on several machines, here as processes of one. What is missing and known to
// Debian is installed from there; elsewhere the script names it and stops.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Each program, with the Debian package that brings it. */
const NEEDED = [
  ['/usr/bin/patroni', 'patroni'],
  ['/usr/bin/etcd', 'etcd-server'],
  ['/usr/lib/postgresql', 'postgresql'],
  ['/usr/sbin/pgbouncer', 'pgbouncer'],
  ['/usr/sbin/haproxy', 'haproxy'],
  ['/usr/sbin/nginx', 'nginx-light'],
];
const missing = NEEDED.filter(([path]) => !existsSync(path)).map(([, name]) => name);

if (missing.length > 0) {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) {
    console.error(`cluster needs ${missing.join(', ')} from Debian; install them as root.`);
    process.exit(1);
  }
  console.log(`installing ${missing.join(', ')} from Debian`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { env, stdio: 'inherit' };
  execFileSync('apt-get', ['update', '-qq'], options);
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...missing];
  execFileSync('apt-get', install, options);
}
const words = ['--import=tsx', 'conformance/cluster/main.ts', ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1;
