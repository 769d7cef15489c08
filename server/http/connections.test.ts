import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { limitConnections } from './connections.ts';

describe('open connections', () => {
  it('are limited for an address and in all, and a proxy is exempt from the first', async () => {
    const server = createServer();
    limitConnections(server, { address: 3, all: 8 }, (ip) => ip.endsWith('127.0.0.9'));
    server.on('connection', (socket) => {
      socket.on('error', () => undefined).resume();
      if (!socket.destroyed) socket.write('hello');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const all: Socket[] = [];
    const dial = async (localAddress: string): Promise<boolean> => {
      const socket = connect({ host: '127.0.0.1', port, localAddress });
      all.push(socket);
      socket.on('error', () => undefined);
      return Promise.race([
        once(socket, 'data').then(() => true),
        once(socket, 'close').then(() => false),
      ]);
    };
    const answers: boolean[] = [];
    for (const last of [1, 1, 1, 1, 2, 9, 9, 9, 9, 9]) answers.push(await dial(`127.0.0.${last}`));
    assert.deepEqual(answers, [true, true, true, false, true, true, true, true, true, false]);
    all[0]?.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual([await dial('127.0.0.1'), await dial('127.0.0.2')], [true, false]);
    for (const socket of all) socket.destroy();
    server.close();
  });
});
