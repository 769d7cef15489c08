import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { openFlight, type Flight } from '../../workflows/kernel/flight.ts';
import { inLine } from './requestLine.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: hub\r\n\r\n';
const KB = 1_024;

describe('inLine', () => {
  let server: Server;
  /** Requests that the server runs and has not answered. */
  let running: ServerResponse[];
  let served: number;
  let flight: Flight;
  beforeEach(async () => {
    [running, served] = [[], 0];
    flight = openFlight(() => 0, { address: 100 * KB, process: 1_000 * KB });
    const serve = (_: unknown, response: ServerResponse): void => {
      running.push(response);
      served += 1;
    };
    server = createServer(inLine(serve, flight, () => 'a'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => server.close());

  async function send(count: number): Promise<Socket> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(REQUEST.repeat(count));
    await ticks();
    return socket;
  }

  it('runs the next request of a connection when the one before it is answered', async () => {
    const socket = await send(5);
    let text = '';
    socket.on('data', (piece: Buffer) => (text += piece.toString('latin1')));
    for (let nth = 1; nth <= 5; nth += 1) {
      assert.deepEqual([running.length, served], [1, nth]);
      running.pop()?.end(`answer ${nth}`);
      await ticks();
    }
    assert.deepEqual(
      [...text.matchAll(/answer (\d)/g)].map(([, nth]) => nth),
      ['1', '2', '3', '4', '5'],
    );
    assert.equal(flight.bytes, 0);
    socket.destroy();
  });

  it('runs requests of different connections at the same time', async () => {
    const sockets = [await send(2), await send(2)];
    assert.equal(running.length, 2);
    for (const socket of sockets) socket.destroy();
  });

  it('reads on after the waiting requests were answered', async () => {
    const socket = await send(2);
    for (let nth = 0; nth < 2; nth += 1) {
      running.pop()?.end();
      await ticks();
    }
    socket.write(REQUEST);
    await ticks();
    assert.equal(running.length, 1);
    socket.destroy();
  });

  it('discards what waits when the connection closes', async () => {
    const socket = await send(10);
    assert.ok(flight.bytes >= 9 * 4 * KB, `${flight.bytes} bytes are counted`);
    socket.destroy();
    await ticks();
    running.pop()?.end('x'.repeat(KB));
    await ticks();
    assert.ok(served <= 2, `${served} requests ran`);
    running.pop()?.end('x'.repeat(KB));
    await ticks();
    assert.deepEqual([running.length, flight.bytes], [0, 0]);
  });

  it('closes a connection whose waiting requests are over the budget of the address', async () => {
    const socket = await send(200);
    await ticks();
    assert.equal(socket.destroyed || socket.readableEnded || !socket.readable, true);
    assert.deepEqual([served, flight.bytes], [1, 0]);
  });
});

/** Bytes on loopback and their events take some turns of the event loop. */
async function ticks(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setTimeout(resolve, 2));
}
