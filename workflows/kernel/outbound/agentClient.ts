import type { JsonObject } from '../../../domain/jsonObject.ts';
import type { Clock } from '../clock.ts';
import { callMethodOf, sendMessageTo, type A2aDoor, type A2aMessage } from './a2a/call.ts';
import { callAt, callIn, toolCall, type Agreed, type McpCall } from './mcp/callTool.ts';
import { openMcp, type KnownEra, type McpOpening, type McpSession } from './mcp/open.ts';
import type { AgentCallOptions, AgentResponse } from './response.ts';
import type { Carrier } from './rpc.ts';

/** An MCP server as a look found it; a listing has all of it. */
interface McpDoor extends KnownEra {
  readonly endpoint: string;
}

/** How the hub talks with agents in their own protocols; every request goes through the guard. */
export interface AgentClient {
  callTool(
    door: McpDoor,
    name: string,
    args: JsonObject,
    options?: AgentCallOptions,
  ): Promise<AgentResponse>;
  /** The same for a resource or a prompt. */
  callMcp(door: McpDoor, call: McpCall, options?: AgentCallOptions): Promise<AgentResponse>;
  /** Sends a message to an A2A agent and waits for the end of what it does. */
  sendMessage(
    door: A2aDoor,
    message: A2aMessage,
    options?: AgentCallOptions,
  ): Promise<AgentResponse>;
  /** Calls an A2A method by either of its names. */
  callMethod(
    door: A2aDoor,
    method: string,
    params: JsonObject,
    options?: AgentCallOptions,
  ): Promise<AgentResponse>;
  /** Opens a server for several requests; the caller closes what it opened. */
  openMcp(door: McpDoor, options?: AgentCallOptions): Promise<McpOpening>;
  callToolIn(session: McpSession, name: string, args: JsonObject): Promise<AgentResponse>;
}

export function openAgentClient(outbound: Carrier, clock: Clock): AgentClient {
  const dependencies = { outbound, elapsedMs: () => clock.elapsedMs() };
  const agreed: Agreed = new Map();
  const callMcp: AgentClient['callMcp'] = (door, call, options = {}) =>
    callAt({ dependencies, endpoint: door.endpoint, options }, door, agreed, call);
  return {
    callTool: (door, name, args, options = {}) => callMcp(door, toolCall(name, args), options),
    callMcp,
    sendMessage: (door, message, options = {}) =>
      sendMessageTo(dependencies, door, message, options),
    callMethod: (door, method, params, options = {}) =>
      callMethodOf(dependencies, door, method, params, options),
    openMcp: (door, options = {}) =>
      openMcp({ dependencies, endpoint: door.endpoint, options }, door),
    callToolIn: callIn,
  };
}
