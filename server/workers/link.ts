import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import type { Entrance } from '../boot/entrance.ts';
import type { Families, Place, ToParent, ToWorker } from './messages.ts';
import type { PortName } from './ports.ts';

/** How a worker reaches its parent, and through it the other workers. */
export interface Link {
  readonly place: Place;
  readonly agents: Extract<ToWorker, { kind: 'begin' }>['agents'];
  /** It serves; from here on a worker that does not answer for long is replaced. */
  ready(connections: () => number): void;
  on(commands: Commands): void;
  readonly entrance: Entrance;
  readonly siblings: Siblings;
}

interface Commands {
  readonly stop: (signal: 'SIGTERM' | 'SIGINT') => void;
  readonly retire: () => void;
}

/** The metrics of all workers, which are asked at any one of them. */
export interface Siblings {
  readonly worker: number;
  /** How the metrics of this worker are read. */
  report(read: () => Promise<Families>): void;
  /** Those of the workers that answered in time. */
  gather(): Promise<readonly Families[]>;
}

const ALIVE_MS = 1_000;

/** Asks the parent for its place: a message that came before anything listens would be lost. */
export async function openLink(): Promise<Link> {
  send({ kind: 'hello' });
  const [{ place, agents, listens }] = (await once(process, 'message')) as [
    Extract<ToWorker, { kind: 'begin' }>,
  ];
  let read: () => Promise<Families> = () => Promise.resolve([]);
  let asks = 0;
  const servers = new Map<PortName, Server>();
  const waiting = new Map<number, (reports: readonly Families[]) => void>();
  return {
    place,
    agents,
    ready(connections) {
      send({ kind: 'ready' });
      const alive = (): void => send({ kind: 'alive', connections: connections() });
      setInterval(alive, ALIVE_MS).unref();
    },
    entrance: {
      open(server, { name }) {
        servers.set(name, server);
        // From this event on, Node keeps a list of the connections and watches their times.
        server.emit('listening');
        return Promise.resolve(listens);
      },
      close: () => send({ kind: 'leaving' }),
    },
    on({ stop, retire }) {
      process.on('message', (message: ToWorker, socket?: Socket) => {
        if (message.kind === 'connection') {
          send({ kind: 'took', id: message.id });
          // A client that is gone already leaves none.
          if (socket !== undefined) servers.get(message.port)?.emit('connection', socket);
        }
        if (message.kind === 'stop') stop(message.signal);
        if (message.kind === 'retire') retire();
        if (message.kind === 'report') void reported(message.ask, read);
        if (message.kind === 'gathered') {
          waiting.get(message.ask)?.(message.reports);
          waiting.delete(message.ask);
        }
      });
    },
    siblings: {
      worker: place.number,
      report(given) {
        read = given;
      },
      gather: () =>
        new Promise((resolve) => {
          asks += 1;
          waiting.set(asks, resolve);
          send({ kind: 'gather', ask: asks });
        }),
    },
  };
}

/** A worker whose metrics cannot be read is missing from the answer, as one that is gone. */
async function reported(ask: number, read: () => Promise<Families>): Promise<void> {
  const families = await read().catch((): Families => []);
  send({ kind: 'reported', ask, families });
}

function send(message: ToParent): void {
  if (process.connected) process.send?.(message);
}
