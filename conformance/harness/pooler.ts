import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';

/**
 * A pooler of PostgreSQL in transaction mode, as PgBouncer is one: each transaction runs on another
 * connection, start-up options are refused, and notifications that no client waits for are lost.
 */
export interface Pooler {
  addressOf(database: string): string;
  close(): Promise<void>;
}

/** Where a PostgreSQL server listens in the folder of its socket. */
const SOCKET = '.s.PGSQL.5432';
const SSL_REQUEST = 80_877_103;
const READY = 'Z'.charCodeAt(0);
const IDLE = 'I'.charCodeAt(0);
/** Messages of a client that the server ends with ReadyForQuery. */
const ASKS = new Set(['Q', 'S'].map((type) => type.charCodeAt(0)));
const TERMINATE = 'X'.charCodeAt(0);
const PARAMETER_STATUS = 'S'.charCodeAt(0);

interface Backend {
  readonly socket: Socket;
  receive: (message: Buffer) => void;
  /** Called when the server ends the connection. */
  close: () => void;
}

/** `folder` has the server's socket. */
export async function startPooler(folder: string): Promise<Pooler> {
  const sockets = new Set<Socket>();
  const idle = new Map<string, Backend[]>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    return socket;
  };
  /** A new connection of the server, and what it said of itself. */
  const opened = async (startup: Buffer): Promise<{ backend: Backend; status: Buffer }> => {
    const socket = keep(connect(join(folder, SOCKET)));
    const backend: Backend = { socket, receive: () => undefined, close: () => undefined };
    socket.once('close', () => backend.close());
    const statuses: Buffer[] = [];
    const ready = new Promise<void>((resolve) => {
      backend.receive = (message) => {
        if (message[0] === PARAMETER_STATUS) statuses.push(message);
        if (message[0] === READY) resolve();
      };
    });
    framed(socket, 1, (message) => backend.receive(message));
    socket.write(startup);
    await ready;
    backend.receive = () => undefined;
    return { backend, status: Buffer.concat(statuses) };
  };
  const server = createServer({ noDelay: true }, (socket) => {
    keep(socket);
    serve(socket).catch(() => socket.destroy());
  });
  const serve = async (socket: Socket): Promise<void> => {
    const startup = await startupOf(socket);
    if (startup.includes('\0options\0')) return refuse(socket);
    const waiting = (idle.get(startup.toString()) ?? []) as Backend[];
    idle.set(startup.toString(), waiting);
    const first = await opened(startup);
    waiting.push(first.backend);
    let linked: Backend | undefined;
    let asked = 0;
    const pending: Buffer[] = [];
    const forward = (message: Buffer): void => {
      if (message[0] === TERMINATE) return;
      if (ASKS.has(message[0] ?? 0)) asked += 1;
      linked?.socket.write(message);
    };
    const link = async (): Promise<void> => {
      const backend = waiting.pop() ?? (await opened(startup)).backend;
      backend.receive = (message) => {
        socket.write(message);
        if (message[0] !== READY) return;
        asked -= 1;
        if (asked > 0 || message[5] !== IDLE) return;
        backend.receive = () => undefined;
        backend.close = () => undefined;
        linked = undefined;
        waiting.unshift(backend);
      };
      linked = backend;
      backend.close = () => socket.end();
      for (const message of pending.splice(0)) forward(message);
    };
    framed(socket, 1, (message) => {
      if (linked !== undefined) return forward(message);
      pending.push(message);
      if (pending.length === 1) link().catch(() => socket.destroy());
    });
    socket.on('close', () => linked?.socket.destroy());
    socket.write(Buffer.concat([authenticated(), first.status, backendKey(), readyForQuery()]));
  };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    addressOf: (database) => `postgres://hub@127.0.0.1:${port}/${database}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Calls with each message of a stream; its length is behind `skip` bytes and counts itself. */
function framed(socket: Socket, skip: number, receive: (message: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= skip + 4) {
      const end = skip + rest.readInt32BE(skip);
      if (rest.length < end) break;
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      receive(message);
    }
  });
}

/** The first message of a client; a request for TLS is declined. */
function startupOf(socket: Socket): Promise<Buffer> {
  return new Promise((resolve) => {
    framed(socket, 0, (message) => {
      if (message.readInt32BE(4) === SSL_REQUEST) socket.write('N');
      else {
        socket.removeAllListeners('data');
        resolve(message);
      }
    });
  });
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
const authenticated = (): Buffer => message('R', Buffer.alloc(4));
const readyForQuery = (): Buffer => message('Z', Buffer.from('I'));
/** A number of the pooler's own: no connection of the server has it. */
const backendKey = (): Buffer => message('K', Buffer.from([0x7f, 0xff, 0xff, 0xf0, 0, 0, 0, 0]));

function refuse(socket: Socket): void {
  const text = 'SFATAL\0C08P01\0Munsupported startup parameter: options\0\0';
  socket.end(message('E', Buffer.from(text)));
}
