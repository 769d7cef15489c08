import type { ServerResponse } from 'node:http';
import { quoteV1 } from '../harness/agents/priced.ts';
import { sendJson, startSite, type Site, type SiteRequest } from '../harness/agents/site.ts';

/** An MCP server of which a test decides how each tool behaves, and may change it between calls. */
export interface ScriptedAgent {
  readonly site: Site;
  readonly endpoint: string;
  readonly tools: Map<string, Tool>;
  /** What arrived for tools/call, in order. */
  readonly calls: ToolCall[];
}
export interface ToolCall {
  readonly name: string;
  readonly args: unknown;
  readonly headers: SiteRequest['headers'];
}
export type Tool = (call: ToolCall, reply: Reply) => void | Promise<void>;
export interface Reply {
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
  const site = await startSite(async ({ method, body, headers }, response) => {
    if (method !== 'POST') return sendJson(response, 405, {});
    const message = JSON.parse(body) as Rpc;
    if (message.id === undefined) {
      response.writeHead(202);
      return void response.end();
    }
    const reply = replyTo(message.id, response);
    if (message.method === 'initialize') {
      const serverInfo = { name: 'scripted', version: '1' };
      return reply.result({ protocolVersion: '2025-06-18', capabilities: {}, serverInfo });
    }
    const name = message.params.name ?? '';
    const tool = scripted.get(name);
    if (message.method !== 'tools/call' || tool === undefined) {
      return reply.error(-32_602, `Unknown tool: ${name}`);
    }
    const call = { name, args: message.params.arguments, headers };
    calls.push(call);
    await tool(call, reply);
  });
  return { site, endpoint: `${site.url}/mcp`, tools: scripted, calls };
}

interface Rpc {
  readonly id?: string;
  readonly method: string;
  readonly params: { readonly name?: string; readonly arguments?: unknown };
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

export function text(said: string): object {
  return { content: [{ type: 'text', text: said }] };
}

/** Serves its arguments back. */
export const echo: Tool = ({ args }, reply) => reply.result(text(JSON.stringify(args)));

/** A quote on the network whose money the sandbox stands for. */
export function quoteOf(amount: string): object {
  const { accepts, ...rest } = quoteV1({ amount }) as { accepts: object[] };
  const usdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
  return { ...rest, accepts: accepts.map((e) => ({ ...e, network: 'base-sepolia', asset: usdc })) };
}

/** Asks for money until the hub says what it holds for the call. */
export function charging(amount: () => string, serve: Tool = echo): Tool {
  return async (call, reply) => {
    if (call.headers['hub-credit'] === undefined) return reply.send(402, quoteOf(amount()));
    await serve(call, reply);
  };
}
