import { createServer, type Server } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections and to servers that ask for any (Linux
 * from 32768, others from 49152): one of those may be gone by the time that a server has started.
 */
const FIRST = 20_000;
const BLOCKS = 120;
/** Ports of a block. A process holds one by listening at its first port, until the process ends. */
const BLOCK = 100;
/** Servers may start again at the ports of the block before. */
const HELD_MAX = 2;

let search = portsFrom(Math.random());

/** Starts the search at this share of the range, 0 to 1, so that processes seldom meet. */
export function startAt(share: number): void {
  search = portsFrom(share);
}

/**
 * A port that is free now, for a server whose address must be known before it runs. No other process
 * that searches like this one gets it in between.
 */
export function freePort(): Promise<number> {
  return search();
}

export function portsFrom(share: number): () => Promise<number> {
  let block = Math.floor(BLOCKS * share) % BLOCKS;
  let port = 0;
  let left = 0;
  const held: Server[] = [];
  const next = async (): Promise<number> => {
    for (let tried = 0; tried < BLOCKS * BLOCK; tried += 1) {
      if (left === 0) {
        port = FIRST + block * BLOCK;
        block = (block + 1) % BLOCKS;
        const holder = await listenAt(port);
        if (holder === undefined) continue;
        held.push(holder.unref());
        if (held.length > HELD_MAX) held.shift()?.close();
        left = BLOCK - 1;
      }
      port += 1;
      left -= 1;
      const probe = await listenAt(port);
      if (probe === undefined) continue;
      await new Promise((resolve) => probe.close(resolve));
      return port;
    }
    throw new Error(`no port from ${FIRST} to ${FIRST + BLOCKS * BLOCK - 1} is free`);
  };
  let turn = Promise.resolve(0);
  return () => (turn = turn.then(next, next));
}

/** A server at this port; undefined when it is taken. */
function listenAt(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
