import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Settings } from '../../workflows/kernel/settings.ts';

/** The hub's own port, or the operator's. */
export type PortName = 'hub' | 'operator';

/** The ports of several workers. Their parent accepts, and the one with the fewest takes. */
export interface Ports {
  /** `host:port` of the hub's port. */
  readonly address: string;
  add(taker: Taker): void;
  remove(taker: Taker): void;
  close(): void;
}

/** A worker as what takes connections. */
export interface Taker {
  /** How many it has, as far as the parent knows. */
  readonly open: number;
  take(port: PortName, socket: Socket): void;
}

export interface PortAt {
  readonly name: PortName;
  readonly host: string;
  readonly port: number;
}

/** Where a hub listens. */
export function placesOf({ host, port, metricsPort }: Settings): readonly PortAt[] {
  return [
    { name: 'hub', host, port },
    ...(metricsPort === undefined ? [] : [{ name: 'operator', host, port: metricsPort } as const]),
  ];
}

/** Connections that wait while there is no worker; more are closed. */
const WAITING_MAX = 1_000;

export async function openPorts(places: readonly PortAt[]): Promise<Ports> {
  const takers = new Set<Taker>();
  const waiting: (readonly [PortName, Socket])[] = [];
  const give = (port: PortName, socket: Socket): void => {
    let least: Taker | undefined;
    for (const taker of takers) if (least === undefined || taker.open < least.open) least = taker;
    if (least !== undefined) least.take(port, socket);
    else if (waiting.length < WAITING_MAX) waiting.push([port, socket]);
    else socket.destroy();
  };
  const servers: Server[] = [];
  for (const { name, host, port } of places) {
    const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
      // One that ends while it waits is handed over all the same, or destroyed.
      socket.on('error', () => undefined);
      give(name, socket);
    });
    servers.push(server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  }
  return {
    address: addressOf(servers[0]),
    add(taker) {
      takers.add(taker);
      for (const [port, socket] of waiting.splice(0)) give(port, socket);
    },
    remove: (taker) => void takers.delete(taker),
    close() {
      for (const server of servers) server.close();
      for (const [, socket] of waiting.splice(0)) socket.destroy();
    },
  };
}

/** `host:port` at which a server listens. */
export function addressOf(server: Server | undefined): string {
  const { address, port } = server?.address() as AddressInfo;
  return `${address.includes(':') ? `[${address}]` : address}:${port}`;
}
