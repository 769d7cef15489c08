import { setImmediate as turn } from 'node:timers/promises';
import type pg from 'pg';

/**
 * How long a transaction that writes may wait for its process. A suspended process would keep the
 * rows that it locked from all others (choices store.suspended). A batch waits for its process
 * once, and a unit of single statements after each of them.
 */
export const BATCH_WAITS = 'idle_in_transaction_session_timeout = 1000';
export const UNIT_WAITS = 'idle_in_transaction_session_timeout = 3000';

/**
 * The SQLSTATE of a transaction that waited longer. The server reports it before it reads another
 * command, so nothing of the transaction counts and it can run again.
 */
export const PAUSED = '25P03';

/** A process that paused this long reads its socket before it sends another statement. */
const PAUSE_MS = 500;

/** Notices that the server ended the session while the process was suspended. */
export interface PauseWatch {
  /** Notes that the server answered, or that a transaction begins. */
  touch(): void;
  /** Undefined if a statement can be sent at once. @throws the error that ended the session. */
  beforeSend(): Promise<void> | undefined;
}

export function watchPauses(client: pg.PoolClient): PauseWatch {
  let lost: Error | undefined;
  client.on('error', (error) => (lost ??= error));
  let touchedAt = performance.now();
  const mustBeOpen = (): undefined => {
    if (lost !== undefined) throw lost;
  };
  const readSocket = async (): Promise<void> => {
    // The first turn may end before sockets are read, the second one does not.
    await turn();
    await turn();
    mustBeOpen();
  };
  return {
    touch: () => void (touchedAt = performance.now()),
    beforeSend: () => (performance.now() - touchedAt > PAUSE_MS ? readSocket() : mustBeOpen()),
  };
}
