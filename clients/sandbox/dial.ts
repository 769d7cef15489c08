import { request as http } from 'node:http';
import { request as https } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/**
 * A `fetch` for calls to `baseUrl` that connects to `listens`, where this process accepts them. The
 * base address may be that of a proxy which this process cannot reach, and a signature covers it
 * (RFC 9421 2.2.3).
 */
export function dialling(listens: string): (request: Request) => Promise<Response> {
  const { protocol, hostname, port } = new URL(listens);
  const send = protocol === 'https:' ? https : http;
  // An address that means "every interface" is no address to connect to.
  const host = hostname.replace(/^0\.0\.0\.0$/, '127.0.0.1').replace(/^\[(.*)\]$/, '$1');
  return async (request) => {
    const { pathname, search, host: authority } = new URL(request.url);
    const body = Buffer.from(await request.arrayBuffer());
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = send({
        host: host === '::' ? '::1' : host,
        port,
        method: request.method,
        path: `${pathname}${search}`,
        headers: { ...Object.fromEntries(request.headers), host: authority },
        signal: request.signal,
        // The certificate is that of the base address, and the socket is this process's own.
        rejectUnauthorized: false,
      });
      sent.once('response', resolve);
      sent.once('error', reject);
      sent.end(body);
    });
    const headers = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    const { statusCode: status = 0 } = answer;
    const content = status === 204 ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
    return new Response(content, { status, headers });
  };
}
