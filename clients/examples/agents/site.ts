import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A web server on this machine; a hub calls it if its `pair` is in HUB_ALLOW_PRIVATE_HOSTS. */
export interface Site {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  /** `127.0.0.1:port`. */
  readonly pair: string;
  /** `METHOD path` of every request, in order. */
  readonly requests: readonly string[];
  /** Bodies of the POSTs, in order. */
  readonly bodies: readonly string[];
  close(): Promise<void>;
}

export type Serve = (request: SiteRequest, response: ServerResponse) => void | Promise<void>;
export interface SiteRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** With nothing left to read. */
  readonly raw: IncomingMessage;
}

const open = new Set<Site>();

/** Closes whatever is still open; a test calls it after each. */
export async function closeSites(): Promise<void> {
  await Promise.all([...open].map((site) => site.close()));
}

export async function startSite(serve: Serve): Promise<Site> {
  const requests: string[] = [];
  const bodies: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((raw, response) => {
    void answer(raw, response).catch(() => response.destroy());
  });
  const answer = async (raw: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Uint8Array[] = [];
    for await (const piece of raw) pieces.push(piece as Uint8Array);
    const { method = '', url: path = '', headers } = raw;
    const body = Buffer.concat(pieces).toString('utf8');
    requests.push(`${method} ${path}`);
    if (method === 'POST') bodies.push(body);
    await serve({ method, path, headers, body, raw }, response);
  };
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const pair = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const site: Site = {
    url: `http://${pair}`,
    pair,
    requests,
    bodies,
    async close() {
      if (!open.delete(site)) return;
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  open.add(site);
  return site;
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

export function notFound(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/plain' });
  response.end('not found');
}

/** The environment that lets a hub call these sites. */
export function allowing(...sites: readonly Site[]): Readonly<Record<string, string>> {
  return { HUB_ALLOW_PRIVATE_HOSTS: sites.map(({ pair }) => pair).join(',') };
}
