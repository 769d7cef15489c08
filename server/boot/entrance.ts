import { Server as Listener, type Server } from 'node:net';
import { addressOf, type PortAt } from '../workers/ports.ts';

/** Where a server gets its connections: from a port of its own, or from the parent of workers. */
export interface Entrance {
  /** Begins to accept; answers `host:port`. */
  open(server: Server, at: PortAt): Promise<string>;
  /** Accepts no more. Open connections stay. */
  close(server: Server): void;
}

export const ownPort: Entrance = {
  async open(server, { host, port }) {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    return addressOf(server);
  },
  close(server) {
    // The method of an HTTP server would close idle connections, on which a request may be coming.
    Listener.prototype.close.call(server);
  },
};
