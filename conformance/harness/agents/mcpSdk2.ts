import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { notFound, startSite, type Site } from './site.ts';
import { TOOLS, toolText } from './tools.ts';

/**
 * An MCP server built with version 2 of the official SDK, at `/mcp`: revision 2026-07-28, and the
 * handshake beside it unless `modernOnly`.
 */
export function startMcpSdk2({ modernOnly = false } = {}): Promise<Site> {
  const handler = createMcpHandler(serverOf, {
    legacy: modernOnly ? 'reject' : 'stateless',
    responseMode: 'auto',
  });
  return startSite(async ({ method, path, headers, body }, response) => {
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
  });
}

function serverOf(): Server {
  const server = new Server(
    { name: 'currency-agent', version: '2.0.0' },
    { capabilities: { tools: {} } },
  );
  server.setRequestHandler('tools/list', () => ({ tools: TOOLS.map((tool) => ({ ...tool })) }));
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [{ type: 'text', text: toolText(params.name, params.arguments) }],
  }));
  return server;
}
