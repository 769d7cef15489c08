import { request as httpsRequest } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';

/** A server that speaks TLS under a name, with a certificate of an authority of the test. */
export interface SecureSite {
  /** The name in the certificate; it is asked for, and never looked up. */
  readonly name: string;
  readonly port: number;
  readonly ca: string;
}

export interface SecureAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** Sends a request to the site on this machine, from the loopback address that is given. */
export async function overTls(
  request: Request,
  site: SecureSite,
  from = '127.0.0.1',
): Promise<SecureAnswer> {
  const { pathname, search, host } = new URL(request.url);
  const bytes = Buffer.from(await request.clone().arrayBuffer());
  const headers: Record<string, string> = { host };
  for (const [name, value] of request.headers) headers[name] = value;
  if (bytes.length > 0) headers['content-length'] = String(bytes.length);
  return new Promise((resolve, reject) => {
    const sent = httpsRequest(
      {
        host: '127.0.0.1',
        port: site.port,
        servername: site.name,
        ca: site.ca,
        localAddress: from,
        method: request.method,
        path: `${pathname}${search}`,
        headers,
        agent: false,
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = answer.headers['content-type'] === 'application/json';
          const body = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, body });
        });
      },
    );
    sent.on('error', reject);
    sent.end(bytes);
  });
}
