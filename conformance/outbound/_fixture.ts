import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { parseHostAllowList } from '../../domain/outbound/hostAllowList.ts';
import { hubKey } from '../../workflows/kernel/keys/ed25519.ts';
import {
  openOutbound,
  type Outbound,
  type OutboundParts,
} from '../../workflows/kernel/outbound/fetcher.ts';
import type { Resolver } from '../../workflows/kernel/outbound/resolver.ts';
import type { Outcome } from '../../workflows/kernel/outbound/outcome.ts';
import { systemClock } from '../../workflows/kernel/systemClock.ts';
import type { Certificate } from './_certificates.ts';

/** Untrusted servers on this machine, and guards that call them; all are closed after a test. */
export interface Place {
  readonly port: number;
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** `127.0.0.1:PORT` */
  readonly pair: string;
  /** How many connections were ever taken. */
  connections(): number;
  /** How many of them are open now. */
  open(): number;
}

/** An address that is public by every table, and that no test ever dials. */
export const PUBLIC_ADDRESS = '9.9.9.9';
export const HUB_SEED = new Uint8Array(32).fill(7);
export const BASE_URL = 'https://hub.example.com';

const closers: (() => Promise<void> | void)[] = [];

/** Closes what the last test opened. */
export async function closeWorld(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

export function webSite(answer: RequestListener): Promise<Place> {
  return place(createHttpServer(answer), '127.0.0.1');
}

export function secureSite(certificate: Certificate, answer: RequestListener): Promise<Place> {
  return place(createTlsServer({ ...certificate }, answer), '127.0.0.1');
}

/** A server that says what it likes to each connection. */
export function rawSite(talk: (socket: Socket) => void, host = '127.0.0.1'): Promise<Place> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    talk(socket);
    // A socket that is not read does not notice that the other side has gone.
    socket.resume();
  });
  return place(server, host);
}

export function sayingSite(bytes: string | Buffer): Promise<Place> {
  return rawSite((socket) => {
    socket.once('data', () => socket.end(bytes));
  });
}

async function place(server: Server, host: string): Promise<Place> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const pair = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    port,
    pair,
    url: `http://${pair}`,
    connections: () => connections,
    open: () => sockets.size,
  };
}

export interface GuardParts extends Partial<Omit<OutboundParts, 'opened'>> {
  readonly opened?: readonly (Place | string)[];
}

/** A guard like the hub's own, with a key of the test. */
export function guard({ opened = [], ...parts }: GuardParts = {}): Outbound {
  const list = opened.map((each) => (typeof each === 'string' ? each : each.pair)).join(',');
  const pairs = parseHostAllowList(list);
  if (pairs === undefined) throw new Error(`no pairs: ${list}`);
  const key = hubKey(HUB_SEED);
  const outbound = openOutbound({
    resolver: names({}),
    baseUrl: BASE_URL,
    clock: systemClock,
    key: () => key,
    ...parts,
    allowList: pairs,
  });
  closers.push(() => outbound.close());
  return outbound;
}

/** A resolver that knows these names; a list of lists is answered one after the other. */
export function names(
  known: Readonly<Record<string, readonly string[] | (() => readonly string[])>>,
): Resolver {
  const resolve = (host: string): Promise<readonly string[]> => {
    const found = known[host] ?? known['*'];
    if (found !== undefined) return Promise.resolve(typeof found === 'function' ? found() : found);
    return Promise.reject(Object.assign(new Error(host), { code: 'ENOTFOUND' }));
  };
  return { untrusted: resolve, trusted: resolve, texts: resolve };
}

/** How a call ended: its status, or the reason why there was none. */
export function ending(outcome: Outcome<unknown>): number | string {
  return outcome.kind === 'answer' ? outcome.status : outcome.reason;
}
