import { freePort } from '../../../clients/examples/freePort.ts';
import { startDaemon, subfolder, until, type Daemon } from './daemons.ts';

/** The store in which the nodes agree on their leader. */
export async function startEtcd(folder: string, port: number): Promise<Daemon> {
  const address = `http://127.0.0.1:${port}`;
  const peer = `http://127.0.0.1:${await freePort()}`;
  const data = await subfolder(folder, 'etcd');
  const options = {
    name: 'only',
    'data-dir': data,
    'log-level': 'error',
    'listen-client-urls': address,
    'advertise-client-urls': address,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `only=${peer}`,
  };
  const words = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const etcd = await startDaemon({ name: 'etcd', command: ['etcd', ...words], folder });
  await until('etcd', async () => (await fetch(`${address}/health`)).ok);
  return etcd;
}
