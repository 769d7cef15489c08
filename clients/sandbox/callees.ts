import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { unwrap } from '../typescript/index.ts';
import {
  beFunded,
  NETWORK,
  scriptedAgent,
  type Connection,
  type ScriptedAgents,
} from './agents.ts';
import { bodyOf, openServer, type Endpoint } from './endpoint.ts';
import type { RunningAgents } from './run.ts';
import {
  CALLEE_NAMES,
  CALLEES,
  toolOf,
  type Callee,
  type Input,
  type SandboxTool,
} from './tools.ts';
import { defined } from '../../domain/defined.ts';

/**
 * Agents to call: hosted listings whose tools are MCP servers of this process, one path for each.
 * Each is listed at the first look that succeeds, and again after a restart, which is free.
 */
export function openCallees(): Promise<Endpoint> {
  return openServer('', serve);
}

export function listCallees(
  agents: ScriptedAgents,
  { url }: Endpoint,
  place: Connection,
): RunningAgents {
  const listed = new Set<Callee>();
  return {
    async look() {
      const errors: unknown[] = [];
      for (const callee of CALLEES.filter((each) => !listed.has(each))) {
        await list(agents, callee, `${url}/${callee}`, place).then(
          () => listed.add(callee),
          (error: unknown) => errors.push(error),
        );
      }
      return errors;
    },
  };
}

async function list(
  agents: ScriptedAgents,
  callee: Callee,
  endpoint: string,
  place: Connection,
): Promise<void> {
  const me = scriptedAgent(agents, callee, place);
  await beFunded(me);
  const { name, description, inputSchema, priceAtomic } = toolOf(callee);
  const tool = {
    name,
    description,
    inputSchema,
    ...defined({ priceAtomic }),
  };
  const body = {
    owner: me.account,
    keyId: agents.keys[callee].keyId,
    network: NETWORK,
    name: `${CALLEE_NAMES[callee]} (sandbox)`,
    endpoint,
    tools: [tool],
  };
  unwrap(await me.hub.POST('/api/v1/hosted', { body }));
}

interface Rpc {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly protocolVersion?: string;
    readonly name?: string;
    readonly arguments?: Input;
    readonly _meta?: { readonly progressToken?: number | string };
  };
}

const VERSION = '2025-06-18';
const STEP_MS = 250;
const METHOD_NOT_FOUND = -32_601;

/** One call of MCP over streamable HTTP, without a session. */
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const callee = CALLEES.find((name) => request.url === `/${name}`);
  if (callee === undefined || request.method !== 'POST') {
    response.writeHead(callee === undefined ? 404 : 405).end();
    return;
  }
  const tool = toolOf(callee);
  const message = (await bodyOf(request)) as Rpc;
  const { id, method, params } = message;
  if (id === undefined) return void response.writeHead(202).end();
  if (method === 'tools/call' && tool.steps !== undefined) {
    return stream(response, message, tool, tool.steps(params?.arguments ?? {}));
  }
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answerTo(message, callee, tool) }));
}

function answerTo({ method = '', params }: Rpc, callee: Callee, tool: SandboxTool): object {
  const { name, description, inputSchema } = tool;
  switch (method) {
    case 'initialize': {
      const serverInfo = { name: CALLEE_NAMES[callee], version: '1' };
      const protocolVersion = params?.protocolVersion ?? VERSION;
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } };
    }
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return { result: { tools: [{ name, description, inputSchema }] } };
    case 'tools/call':
      if (params?.name === name) return { result: tool.answer(params.arguments ?? {}) };
  }
  return { error: { code: METHOD_NOT_FOUND, message: 'This agent has no such method or tool.' } };
}

/** Sends each step as progress, and then the answer, as events of one stream. */
async function stream(
  response: ServerResponse,
  { id, params }: Rpc,
  tool: SandboxTool,
  steps: readonly string[],
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const send = (message: object): void => {
    response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
  };
  const progressToken = params?._meta?.progressToken;
  for (const [place, step] of steps.entries()) {
    await sleep(STEP_MS);
    if (response.destroyed) return;
    const progress = { progressToken, progress: place + 1, total: steps.length, message: step };
    if (progressToken !== undefined) send({ method: 'notifications/progress', params: progress });
  }
  send({ id, result: tool.answer(params?.arguments ?? {}) });
  response.end();
}
