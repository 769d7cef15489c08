import { readMcpQuote } from '../../../../domain/registry/readQuote.ts';
import { type JsonObject, isObject } from '../../../../domain/jsonObject.ts';
import { putNewest } from '../../putNewest.ts';
import type { RpcEnd } from '../rpc.ts';
import { rawResponseOf, quoteResponse, responseBefore, type AgentResponse } from '../response.ts';
import type { Handshake, McpPlace } from './channel.ts';
import { openMcp, resumeHandshake, type KnownEra, type McpSession } from './open.ts';

/** Servers without sessions, by endpoint: what they agreed on holds for every later request. */
export type Agreed = Map<string, Handshake>;
const AGREED_MAX = 1_000;

/** A request to a server: for a tool, the resource at an address, or a prompt. */
export interface McpCall {
  readonly method: 'tools/call' | 'resources/read' | 'prompts/get';
  readonly params: JsonObject;
}

/**
 * Makes one call. A session is opened for this call alone and ended after it, so that no caller of
 * the hub meets the state of another; a server that keeps none is asked without opening again.
 */
export async function callAt(
  place: McpPlace,
  known: KnownEra,
  agreed: Agreed,
  call: McpCall,
): Promise<AgentResponse> {
  const before = agreed.get(place.endpoint);
  if (before !== undefined) {
    const response = await askIn(resumeHandshake(place, before), call);
    // The server did not take the request as it stood, so nothing ran: open a new session.
    if (response.kind !== 'refused' || ![400, 404].includes(response.status)) return response;
    agreed.delete(place.endpoint);
  }
  const opening = await openMcp(place, known);
  if (opening.kind === 'shut') return opening.end;
  const { session } = opening;
  if (session.handshake !== undefined) {
    putNewest(agreed, [place.endpoint, session.handshake], AGREED_MAX);
  }
  try {
    return await askIn(session, call);
  } finally {
    await session.close();
  }
}

export function callIn(
  session: McpSession,
  name: string,
  args: JsonObject,
): Promise<AgentResponse> {
  return askIn(session, toolCall(name, args));
}

export function toolCall(name: string, args: JsonObject): McpCall {
  return { method: 'tools/call', params: { name, arguments: args } };
}

async function askIn(session: McpSession, { method, params }: McpCall): Promise<AgentResponse> {
  return spoken(await session.request({ id: 'call', method, params }), method);
}

function spoken(end: RpcEnd, method: string): AgentResponse {
  if (end.kind === 'failed') return { kind: 'failed', reason: end.reason, message: end.message };
  const { result, error } = end.reply ?? {};
  const asked = readMcpQuote({ result, error });
  if (asked !== undefined) return quoteResponse(end, asked);
  const before = responseBefore(end);
  if (before !== undefined) return before;
  if (!isObject(result)) {
    const message = `It answers ${method} with no result object.`;
    return { kind: 'failed', reason: 'malformed', message, raw: rawResponseOf(end) };
  }
  if (result['resultType'] === 'input_required') {
    return { kind: 'refused', ...rawResponseOf(end), message: 'It asks back before it answers.' };
  }
  const isError = result['isError'] === true;
  return { kind: 'result', ...rawResponseOf(end), result: end.reply?.exactResult(), isError };
}
