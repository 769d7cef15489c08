import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A network between one hub and its database that can stand still: nothing is lost, nothing moves. */
export interface Relay {
  readonly port: number;
  stop(): void;
  go(): void;
  close(): Promise<void>;
}

export async function startRelay(target: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let isStill = false;
  const carry = (from: Socket, to: Socket): void => {
    sockets.add(from);
    if (isStill) from.pause();
    from.on('data', (bytes) => void to.write(bytes));
    from.on('end', () => to.end());
    from.on('error', () => to.destroy());
    from.on('close', () => sockets.delete(from));
  };
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    carry(near, far);
    carry(far, near);
    if (isStill) for (const socket of [near, far]) socket.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    stop() {
      isStill = true;
      for (const socket of sockets) socket.pause();
    },
    go() {
      isStill = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
