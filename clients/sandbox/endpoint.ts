import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An address of the scripted agents on this machine. */
export interface Endpoint {
  /** `host:port`, which the hub must be allowed to call. */
  readonly pair: string;
  readonly url: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const BODY_BYTES_MAX = 1_048_576;

export async function openServer(
  path: string,
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Endpoint> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await listen(server);
  const { port } = server.address() as AddressInfo;
  const pair = `${HOST}:${port}`;
  return {
    pair,
    url: `http://${pair}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, resolve);
  });
}

export async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Error('a request is smaller than that');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
}
