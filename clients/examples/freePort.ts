import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections and to servers that ask for any (Linux
 * from 32768, others from 49152): one of those may be gone by the time that a server has started.
 */
const FIRST = 20_000;
const COUNT = 12_000;
// Processes start at different places, and one process comes back to a port only after all others.
let at = randomInt(COUNT);

/** Starts the search at this share of the range, 0 to 1, so that processes use different ports. */
export function startAt(share: number): void {
  at = Math.floor(COUNT * share) % COUNT;
}

/** A port that is free now, for a server whose address must be known before it runs. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < COUNT; tried += 1) {
    const port = FIRST + at;
    at = (at + 1) % COUNT;
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${FIRST} to ${FIRST + COUNT - 1} is free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
