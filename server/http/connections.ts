import type { Server, Socket } from 'node:net';
import { addressPartition } from '../../workflows/kernel/addressPartition.ts';

/** How many connections are open at once (threats.unread). */
export interface ConnectionLimits {
  readonly address: number;
  readonly all: number;
}

const CONNECTIONS_MAX: ConnectionLimits = { address: 1_000, all: 10_000 };

/** The limits of one of `workers` processes; their connections come in turn. */
export function connectionsMax(workers: number): ConnectionLimits {
  const { address, all } = CONNECTIONS_MAX;
  return { address: Math.ceil(address / workers), all: Math.ceil(all / workers) };
}

/** The connections of a server, wherever they were accepted. */
export interface OpenConnections {
  count(): number;
  /** Resolves when none is open. */
  ended(): Promise<void>;
}

/** Closes connections above the limits at once; `isExempt` is true of proxies of many callers. */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  isExempt: (ip: string) => boolean,
): OpenConnections {
  const open = new Map<string, number>();
  let all = 0;
  const waiting: (() => void)[] = [];
  server.on('connection', (socket: Socket) => {
    const ip = socket.remoteAddress ?? '';
    const address = addressPartition(ip);
    const count = (open.get(address) ?? 0) + 1;
    if (all >= limits.all || (count > limits.address && !isExempt(ip))) {
      socket.destroy();
      return;
    }
    all += 1;
    open.set(address, count);
    socket.once('close', () => {
      all -= 1;
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
      if (all === 0) for (const resolve of waiting.splice(0)) resolve();
    });
  });
  return {
    count: () => all,
    ended: () => new Promise((resolve) => (all === 0 ? resolve() : waiting.push(resolve))),
  };
}
