import { Socket } from 'node:net';
import type pg from 'pg';

/**
 * The system keeps connections to a lost machine open for a quarter of an hour. So the node is
 * asked every second, and without an answer its connections are destroyed and another is used.
 */
const ASK_MS = 1_000;
/** Longer than a server under load takes for `SELECT 1`, shorter than the election of a leader. */
export const SILENT_MS_MAX = 10_000;

/** The sockets of all connections to one database. */
export interface Sockets {
  open(): Socket;
  destroy(): void;
}

export function openSockets(): Sockets {
  const all = new Set<Socket>();
  return {
    open() {
      const socket = new Socket();
      all.add(socket);
      socket.once('close', () => all.delete(socket));
      return socket;
    },
    destroy: () => all.forEach((socket) => socket.destroy()),
  };
}

/** Calls `onSilence` once when the connection does not answer in time. Ends with the connection. */
export function watchSilence(
  client: pg.Client,
  onSilence: () => void,
  silentMs: number = SILENT_MS_MAX,
): void {
  let askedAt: number | undefined;
  const timer = setInterval(() => {
    const since = askedAt;
    if (since === undefined) {
      askedAt = performance.now();
      const answered = (): void => void (askedAt = undefined);
      client.query('SELECT 1').then(answered, answered);
    } else if (performance.now() - since > silentMs) {
      // In a process that was itself stopped the answer is read after this timer.
      setImmediate(() => {
        if (askedAt !== since) return;
        clearInterval(timer);
        onSilence();
      });
    }
  }, ASK_MS);
  timer.unref();
  client.once('end', () => clearInterval(timer));
}
