import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { notFound, startSite, type Site, type SiteRequest } from './site.ts';
import { CURRENCIES, type Offer } from './tools.ts';

/** MCP servers built with version 1 of the official SDK, at `/mcp`. */
export interface Sdk1Options extends Partial<Offer> {
  /** Gives sessions out, and refuses requests without one. */
  readonly sessions?: boolean;
  /** Answers as JSON; else as an event stream. */
  readonly json?: boolean;
  /** Tools on one page of tools/list. */
  readonly pageSize?: number;
  readonly instructions?: string;
}

export function startMcpSdk1(options: Sdk1Options = {}): Promise<Site> {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  return startSite(async (request, response) => {
    if (request.path !== '/mcp') return notFound(response);
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? transports.get(id) : undefined;
    if (options.sessions === true && typeof id === 'string' && known === undefined) {
      return notFound(response);
    }
    const transport = known ?? (await opened(options, transports));
    await transport.handleRequest(request.raw, response, parsed(request));
  });
}

async function opened(
  options: Sdk1Options,
  transports: Map<string, StreamableHTTPServerTransport>,
): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    ...(options.sessions === true && { sessionIdGenerator: () => randomUUID() }),
    enableJsonResponse: options.json ?? true,
    onsessioninitialized: (id) => void transports.set(id, transport),
  });
  await serverOf(options).connect(transport);
  return transport;
}

/** HTTP+SSE of revision 2024-11-05: the stream at `/sse`, posts at `/messages`. */
export function startMcpOld(options: Sdk1Options = {}): Promise<Site> {
  const transports = new Map<string, SSEServerTransport>();
  return startSite(async (request, response) => {
    const { pathname, searchParams } = new URL(request.path, 'http://site');
    if (pathname === '/sse' && request.method === 'GET') {
      const transport = new SSEServerTransport('/messages', response);
      transports.set(transport.sessionId, transport);
      return serverOf(options).connect(transport);
    }
    const transport = transports.get(searchParams.get('sessionId') ?? '');
    if (pathname === '/messages' && transport !== undefined) {
      return transport.handlePostMessage(request.raw, response, parsed(request));
    }
    if (pathname === '/sse') return refuseMethod(response);
    notFound(response);
  });
}

function serverOf({ pageSize, instructions, ...offer }: Sdk1Options): Server {
  const { name, tools, answer } = { ...CURRENCIES, ...offer };
  const server = new Server(
    { name, version: '1.2.3' },
    { capabilities: { tools: {} }, ...(instructions !== undefined && { instructions }) },
  );
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const from = Number(params?.cursor ?? 0);
    const to = from + (pageSize ?? tools.length);
    return {
      tools: tools.slice(from, to),
      ...(to < tools.length && { nextCursor: String(to) }),
    };
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
    content: [{ type: 'text', text: answer(params.name, params.arguments ?? {}) }],
  }));
  return server;
}

function parsed({ body }: SiteRequest): unknown {
  return body === '' ? undefined : JSON.parse(body);
}

function refuseMethod(response: ServerResponse): void {
  response.writeHead(405, { allow: 'GET' });
  response.end();
}
