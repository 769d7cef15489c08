import type { ServerResponse } from 'node:http';
import { quoteV1 } from '../../clients/examples/agents/priced.ts';
import {
  sendJson,
  startSite,
  type Site,
  type SiteRequest,
} from '../../clients/examples/agents/site.ts';

/** An MCP server of which a test decides how each tool behaves, and may change it between calls. */
export interface ScriptedAgent {
  readonly site: Site;
  readonly endpoint: string;
  readonly tools: Map<string, Tool>;
  /** Answers of other paths to a GET. */
  readonly pages: Map<string, Page>;
  /** The members that `initialize` answers beside its version. */
  readonly opening: { instructions?: string };
  /** Calls that arrived for tools/call, in order. */
  readonly calls: ToolCall[];
  /** Answers `tools/list` with these; until then it has no such method. */
  offer(tools: readonly object[]): void;
}
interface Page {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}
interface ToolCall {
  readonly name: string;
  readonly args: unknown;
  /** The `_meta` of its params. */
  readonly meta: unknown;
  readonly headers: SiteRequest['headers'];
}
export type Tool = (call: ToolCall, reply: Reply) => void | Promise<void>;
interface Reply {
  /** A JSON-RPC result. */
  result(value: unknown): void;
  error(code: number, message: string): void;
  /** Any body with any status. */
  send(status: number, body: unknown): void;
  readonly response: ServerResponse;
}

export async function startAgent(tools: Readonly<Record<string, Tool>>): Promise<ScriptedAgent> {
  const scripted = new Map(Object.entries(tools));
  const calls: ToolCall[] = [];
  const pages = new Map<string, Page>();
  const opening: { instructions?: string } = {};
  let offered: readonly object[] | undefined;
  const site = await startSite(async ({ method, path, body, headers }, response) => {
    const page = pages.get(path);
    if (page !== undefined) {
      response.writeHead(page.status ?? 200, page.headers);
      return void response.end(page.body);
    }
    if (method !== 'POST') return sendJson(response, path === '/mcp' ? 405 : 404, {});
    const message = JSON.parse(body) as Rpc;
    if (message.id === undefined) {
      response.writeHead(202);
      return void response.end();
    }
    const reply = replyTo(message.id, response);
    if (message.method === 'initialize') {
      const serverInfo = { name: 'scripted', version: '1' };
      return reply.result({
        protocolVersion: '2025-06-18',
        capabilities: {},
        serverInfo,
        ...opening,
      });
    }
    if (message.method === 'tools/list' && offered !== undefined) {
      const inputSchema = { type: 'object' };
      return reply.result({ tools: offered.map((tool) => ({ inputSchema, ...tool })) });
    }
    const name = message.params.name ?? message.params.uri ?? '';
    // A resource or a prompt is scripted under its method.
    const isTool = message.method === 'tools/call';
    const tool = scripted.get(isTool ? name : `${message.method} ${name}`);
    if (tool === undefined) {
      return reply.error(-32_602, `Unknown tool: ${name}`);
    }
    const { arguments: args, _meta: meta } = message.params;
    const call = { name, args, meta, headers };
    calls.push(call);
    await tool(call, reply);
  });
  const offer = (given: readonly object[]): void => {
    offered = given;
  };
  return { site, endpoint: `${site.url}/mcp`, tools: scripted, pages, opening, calls, offer };
}

interface Rpc {
  readonly id?: string;
  readonly method: string;
  readonly params: {
    readonly name?: string;
    readonly uri?: string;
    readonly arguments?: unknown;
    readonly _meta?: unknown;
  };
}

function replyTo(id: string, response: ServerResponse): Reply {
  const rpc = (rest: object): void => sendJson(response, 200, { jsonrpc: '2.0', id, ...rest });
  return {
    result: (value) => rpc({ result: value }),
    error: (code, message) => rpc({ error: { code, message } }),
    send: (status, body) => sendJson(response, status, body),
    response,
  };
}

export function text(content: string): object {
  return { content: [{ type: 'text', text: content }] };
}

/** Serves its arguments back. */
export const echo: Tool = ({ args }, reply) => reply.result(text(JSON.stringify(args)));

/** A quote on the network whose money the sandbox stands for. */
function quoteOf(amount: string): object {
  return quoteV1({ amount, network: 'base-sepolia' });
}

/** Asks for money until the hub says what it holds for the call. */
export function charging(amount: () => string, serve: Tool = echo): Tool {
  return async (call, reply) => {
    if (call.headers['hub-credit'] === undefined) return reply.send(402, quoteOf(amount()));
    await serve(call, reply);
  };
}
