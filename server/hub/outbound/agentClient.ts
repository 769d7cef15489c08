import type { JsonObject } from '../../../domain/jsonObject.ts';
import type { Clock } from '../hub.ts';
import { callMethodOf, sendMessageTo, type A2aDoor, type A2aMessage } from './a2a/call.ts';
import type { Outbound } from './fetcher.ts';
import { callIn, callToolAt, type Agreed } from './mcp/callTool.ts';
import { openMcp, type KnownEra, type McpOpening, type McpSession } from './mcp/open.ts';
import type { AgentCallOptions, AgentResponse } from './response.ts';

/** An MCP server as a look found it; a listing has all of it. */
export interface McpDoor extends KnownEra {
  readonly endpoint: string;
}

/** How the hub talks with agents in their own protocols; every request goes through the guard. */
export interface AgentClient {
  /** Calls a tool, in whatever revision the server speaks. */
  callTool(
    door: McpDoor,
    name: string,
    args: JsonObject,
    wishes?: AgentCallOptions,
  ): Promise<AgentResponse>;
  /** Sends a message to an A2A agent and waits for the end of what it does. */
  sendMessage(
    door: A2aDoor,
    message: A2aMessage,
    wishes?: AgentCallOptions,
  ): Promise<AgentResponse>;
  /** Calls an A2A method by either of its names. */
  callMethod(
    door: A2aDoor,
    method: string,
    params: JsonObject,
    wishes?: AgentCallOptions,
  ): Promise<AgentResponse>;
  /** Opens a server for several requests; the caller closes what it opened. */
  openMcp(door: McpDoor, wishes?: AgentCallOptions): Promise<McpOpening>;
  /** Calls a tool of a server that is open. */
  callToolIn(session: McpSession, name: string, args: JsonObject): Promise<AgentResponse>;
}

export function openAgentClient(outside: Outbound, clock: Clock): AgentClient {
  const ways = { outside, elapsedMs: () => clock.elapsedMs() };
  const agreed: Agreed = new Map();
  return {
    callTool: (door, name, args, wishes = {}) =>
      callToolAt({ ways, endpoint: door.endpoint, wishes }, door, agreed, name, args),
    sendMessage: (door, message, wishes = {}) => sendMessageTo(ways, door, message, wishes),
    callMethod: (door, method, params, wishes = {}) =>
      callMethodOf(ways, door, method, params, wishes),
    openMcp: (door, wishes = {}) => openMcp({ ways, endpoint: door.endpoint, wishes }, door),
    callToolIn: callIn,
  };
}
