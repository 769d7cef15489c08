// `npm run cluster`: hubs on several machines, as processes of one. Missing programs are installed
// on Debian; elsewhere the script names them and stops. Patroni comes from PyPI, because that of
// Debian 12 overwrites the lock of the next leader (docs/operate/postgresql.md).
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Each program, with the Debian package that brings it. */
const NEEDED = [
  ['/usr/lib/python3/dist-packages/psycopg2', 'python3-psycopg2'],
  ['/usr/share/doc/python3-venv', 'python3-venv'],
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
const PATRONI = '/usr/local/lib/hub-cluster/patroni-4.1.5';
if (!existsSync(`${PATRONI}/bin/patroni`)) {
  console.log('installing patroni 4.1.5 from PyPI');
  execFileSync('/usr/bin/python3', ['-m', 'venv', '--system-site-packages', PATRONI], {
    stdio: 'inherit',
  });
  const install = ['install', '--quiet', 'patroni[etcd3]==4.1.5'];
  execFileSync(`${PATRONI}/bin/pip`, install, { stdio: 'inherit' });
}
const env = { ...process.env, PATH: `${PATRONI}/bin:${process.env.PATH}` };
const words = ['--import=tsx', 'conformance/cluster/main.ts', ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, words, { env, stdio: 'inherit' }).status ?? 1;
