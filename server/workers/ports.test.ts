import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { openPorts, type PortName, type Taker } from './ports.ts';

class Taking implements Taker {
  readonly got: (readonly [PortName, Socket])[] = [];
  get open(): number {
    return this.got.length;
  }
  take(port: PortName, socket: Socket): void {
    this.got.push([port, socket]);
  }
}

describe('the ports of several workers', () => {
  const at = (name: PortName) => ({ name, host: '127.0.0.1', port: 0 });

  it('give a connection to the worker with the fewest, and one that waits to the first', async () => {
    const ports = await openPorts([at('hub')]);
    const [host = '', port] = ports.address.split(':');
    const dial = async (): Promise<Socket> => {
      const socket = connect({ host, port: Number(port) });
      await once(socket, 'connect');
      return socket;
    };
    const clients = [await dial(), await dial()];
    const [first, second] = [new Taking(), new Taking()];
    ports.add(first);
    while (first.open < 2) await new Promise((resolve) => setTimeout(resolve, 2));
    ports.add(second);
    for (let n = 0; n < 4; n += 1) clients.push(await dial());
    while (first.open + second.open < 6) await new Promise((resolve) => setTimeout(resolve, 2));
    assert.deepEqual([first.open, second.open], [3, 3]);
    ports.remove(first);
    clients.push(await dial());
    while (second.open < 4) await new Promise((resolve) => setTimeout(resolve, 2));
    assert.equal(first.open, 3);
    ports.close();
    for (const [, socket] of [...first.got, ...second.got]) socket.destroy();
    for (const client of clients) client.destroy();
  });

  it('close what waits when they close', async () => {
    const ports = await openPorts([at('hub')]);
    const [host = '', port] = ports.address.split(':');
    const client = connect({ host, port: Number(port) });
    client.on('error', () => undefined);
    await once(client, 'connect');
    await new Promise((resolve) => setTimeout(resolve, 20));
    const closed = once(client, 'close');
    ports.close();
    await closed;
  });
});
