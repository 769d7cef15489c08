import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { notFound, startSite, type Serve, type Site } from './site.ts';
import { CURRENCIES, type Offer } from './tools.ts';

/** An SDK 2 server at `/mcp`: revision 2026-07-28, and the handshake unless `modernOnly`. */
export interface Sdk2Options {
  readonly modernOnly?: boolean;
  readonly offer?: Offer;
}

export function startMcpSdk2(options: Sdk2Options = {}): Promise<Site> {
  return startSite(mcpSdk2(options));
}

/** The same without the web server, for one that puts something in front of it. */
export function mcpSdk2({ modernOnly = false, offer = CURRENCIES }: Sdk2Options): Serve {
  const handler = createMcpHandler(() => serverOf(offer), {
    legacy: modernOnly ? 'reject' : 'stateless',
    responseMode: 'auto',
  });
  return async ({ method, path, headers, body }, response) => {
    if (path !== '/mcp') return notFound(response);
    const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    );
    const answer = await handler.fetch(
      new Request(`http://${headers.host}${path}`, {
        method,
        headers: sent,
        ...(method === 'POST' && { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
}

function serverOf({ name, tools, answer }: Offer): Server {
  const server = new Server({ name, version: '2.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: tools.map((tool) => ({ ...tool })) }));
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [{ type: 'text', text: answer(params.name, params.arguments ?? {}) }],
  }));
  return server;
}
