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

/**
 * Calls one tool. A session is opened for this call alone and ended after it, so that no caller of
 * the hub meets the state of another; a server that keeps none is asked without opening again.
 */
export async function callToolAt(
  place: McpPlace,
  known: KnownEra,
  agreed: Agreed,
  name: string,
  args: JsonObject,
): Promise<AgentResponse> {
  const before = agreed.get(place.endpoint);
  if (before !== undefined) {
    const response = await callIn(resumeHandshake(place, before), name, args);
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
    return await callIn(session, name, args);
  } finally {
    await session.close();
  }
}

export async function callIn(
  session: McpSession,
  name: string,
  args: JsonObject,
): Promise<AgentResponse> {
  const params = { name, arguments: args };
  return toolSpoken(await session.request({ id: 'call', method: 'tools/call', params }));
}

function toolSpoken(end: RpcEnd): AgentResponse {
  if (end.kind === 'failed') return { kind: 'failed', reason: end.reason, message: end.message };
  const { result, error } = end.reply ?? {};
  const asked = readMcpQuote({ result, error });
  if (asked !== undefined) return quoteResponse(end, asked);
  const before = responseBefore(end);
  if (before !== undefined) return before;
  if (!isObject(result)) {
    const message = 'It answers tools/call with no result object.';
    return { kind: 'failed', reason: 'malformed', message, raw: rawResponseOf(end) };
  }
  if (result['resultType'] === 'input_required') {
    return { kind: 'refused', ...rawResponseOf(end), message: 'It asks back before it answers.' };
  }
  const isError = result['isError'] === true;
  return { kind: 'result', ...rawResponseOf(end), result: end.reply?.exactResult(), isError };
}
