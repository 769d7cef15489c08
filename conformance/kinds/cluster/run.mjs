// `npm run cluster`: hubs on several machines, as processes of one. Missing programs are installed
// on Debian; elsewhere the script names them and stops. Patroni comes from PyPI, because that of
// Debian 12 overwrites the lock of the next leader (docs/operate/postgresql.md).
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { installDebian } from '../../../tools/installDebian.mjs';

installDebian('cluster', [
  ['/usr/lib/python3/dist-packages/psycopg2', 'python3-psycopg2'],
  ['/usr/share/doc/python3-venv', 'python3-venv'],
  ['/usr/bin/etcd', 'etcd-server'],
  ['/usr/lib/postgresql', 'postgresql'],
  ['/usr/sbin/pgbouncer', 'pgbouncer'],
  ['/usr/sbin/haproxy', 'haproxy'],
  ['/usr/sbin/nginx', 'nginx-light'],
]);
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
const words = ['--import=tsx', 'conformance/kinds/cluster/main.ts', ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, words, { env, stdio: 'inherit' }).status ?? 1;
