import type { Worker } from 'node:cluster';
import type { Socket } from 'node:net';
import type { ToWorker } from './messages.ts';
import type { Taker } from './ports.ts';

/** A worker that takes connections. The parent keeps each until the worker has it. */
export interface WorkerTaker extends Taker {
  /** The worker has this connection. */
  took(id: number): void;
  /** The worker counts so many open ones. */
  counts(connections: number): void;
  /** It is gone: what it had not taken is closed, since part of a request may have been read. */
  gone(): void;
}

export function openTaker(worker: Worker): WorkerTaker {
  const untaken = new Map<number, Socket>();
  let taken = 0;
  let last = 0;
  const took = (id: number): void => {
    // The worker has a copy of the descriptor, which stays open.
    untaken.get(id)?.destroy();
    untaken.delete(id);
  };
  return {
    get open() {
      return taken + untaken.size;
    },
    take(port, socket) {
      last += 1;
      const id = last;
      untaken.set(id, socket);
      const message: ToWorker = { kind: 'connection', port, id };
      worker.send(message, socket, { keepOpen: true }, (error) => {
        if (error !== null) took(id);
      });
    },
    took(id) {
      if (untaken.has(id)) taken += 1;
      took(id);
    },
    counts(connections) {
      taken = connections;
    },
    gone() {
      for (const id of [...untaken.keys()]) took(id);
    },
  };
}
