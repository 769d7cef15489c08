import type { KeyId } from '../../../domain/account.ts';
import { defined } from '../../../domain/defined.ts';
import type { HostedAgent, HostedTool } from '../../../domain/hosted/agent.ts';
import { isObject, withoutUnset } from '../../../domain/jsonObject.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';
import { fault, resultText, RPC_METHOD, RPC_PARAMS, type RpcFault } from '../jsonRpc.ts';
import type { Operations } from '../operations.ts';
import { paymentHeader } from '../payment.ts';
import { doorSpec, eventAnswer, faultAnswer, jsonAnswer, type Door } from '../transport.ts';
import { REPORTED_VERSION, SUPPORTED_VERSIONS, type Era } from '../mcp/era.ts';
import type { MethodRequest } from '../mcp/methods.ts';
import { errorContent, resultContent } from '../mcp/toolResult.ts';
import { openMcpTransport, type McpRequest } from '../mcp/transport.ts';
import { recentHosted } from '../../../workflows/index.ts';
import type { Answer } from '../../middleware/exchange.ts';
import { callHosted, type HostedAsk, type HostedOutcome } from './call.ts';
import { head } from '../../../domain/text.ts';

/** The MCP server of a hosted agent: its listed tools and prices, in every era of the hub's own. */
const LISTED_TTL_MS = 300_000;

export function createHostedMcp(
  hub: Hub,
  operations: Operations,
  keyId: KeyId,
  path: string,
): Door {
  const spec = doorSpec('hosted-mcp', path, 'The MCP server of a hosted agent');
  const find = (): Promise<HostedAgent | undefined> => recentHosted(hub, keyId);
  return openMcpTransport({
    baseUrl: hub.settings.baseUrl,
    operations,
    spec,
    async methods(_, request) {
      const agent = await find();
      return agent === undefined ? unknownAgent(request) : methodOf(agent, request);
    },
    callTool: async (exchange, request) => {
      const called = readCall(request);
      if ('kind' in called) return faultAnswer(200, called);
      const agent = await find();
      if (agent === undefined) return faultAnswer(200, unknownAgent(request));
      const outcome = await callHosted(operations, exchange, agent, called);
      return answered(request, outcome);
    },
  });
}

function unknownAgent({ id }: Pick<MethodRequest, 'id'>): RpcFault {
  return fault(id, RPC_METHOD, 'No agent is listed at this address', {
    hint: 'GET /api/v1/agents?q=<words> finds agents.',
  });
}

function methodOf(
  agent: HostedAgent,
  { id, method, params, era }: MethodRequest,
): string | RpcFault {
  const { name, network, changedAt, tools } = agent;
  const serverInfo = { name, version: String(changedAt) };
  const kept = { resultType: 'complete', ttlMs: LISTED_TTL_MS, cacheScope: 'public' };
  const priced = tools.some(({ price }) => price !== undefined);
  const instructions = priced
    ? 'Tools with a price are called by a request that is signed (RFC 9421) with the key of a hub account, or with an x402 payment; the price is held, and charged when the tool has served.'
    : 'All tools are free.';
  const about = { capabilities: { tools: {} }, instructions };
  switch (method) {
    case 'tools/list':
      return JSON.stringify({
        tools: tools.map((tool) => shownTool(tool, network)),
        ...(era === 'stateless' && kept),
      });
    case 'server/discover': {
      const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
      return JSON.stringify({ supportedVersions: SUPPORTED_VERSIONS, ...about, ...kept, _meta });
    }
    case 'initialize':
      if (era !== 'handshake') break;
      if (typeof params['protocolVersion'] !== 'string') {
        return fault(id, RPC_PARAMS, 'Invalid params: protocolVersion must be a string');
      }
      return JSON.stringify({ protocolVersion: REPORTED_VERSION, serverInfo, ...about });
    case 'ping':
      if (era === 'handshake') return '{}';
  }
  return fault(id, RPC_METHOD, `Method not found: ${head(method, 80)}`);
}

function shownTool(tool: HostedTool, network: string): object {
  const { name, description, inputSchema, outputSchema, price } = tool;
  const cost = price === undefined ? {} : { priceAtomic: `${price}`, asset: 'USDC', network };
  return {
    name,
    description,
    inputSchema: inputSchema ?? { type: 'object', properties: {} },
    ...defined({ outputSchema }),
    _meta: { 'hub/price': price === undefined ? { priceAtomic: '0' } : cost },
  };
}

/** Reads the tool call of `params`; the caller's own limits are in `_meta`. */
function readCall({ id, params }: McpRequest): HostedAsk | RpcFault {
  const { name, arguments: args = {}, _meta: meta = {} } = params;
  const wrong = (what: string): RpcFault => fault(id, RPC_PARAMS, `Invalid params: ${what}`);
  if (typeof name !== 'string') return wrong('name must be a string');
  if (!isObject(args)) return wrong('arguments must be an object');
  if (!isObject(meta)) return wrong('_meta must be an object');
  const set = withoutUnset(meta);
  const { 'hub/max-price': maxPrice, 'hub/idempotency-key': idempotencyKey } = set;
  const { 'x402/payment': payment } = set;
  if (maxPrice !== undefined && typeof maxPrice !== 'string') {
    return wrong('_meta["hub/max-price"] must be a string of atomic units');
  }
  if (idempotencyKey !== undefined && typeof idempotencyKey !== 'string') {
    return wrong('_meta["hub/idempotency-key"] must be a string');
  }
  if (payment !== undefined && !isObject(payment)) {
    return wrong('_meta["x402/payment"] must be an object');
  }
  return {
    tool: name,
    args,
    ...defined({ maxPrice, idempotencyKey }),
    ...(payment && { header: paymentHeader(payment) }),
  };
}

/** A refused signature shows in the HTTP status; everything else is the result of a tool. */
function answered({ id, era, accepts }: McpRequest, outcome: HostedOutcome): Answer {
  if (outcome.kind === 'fault')
    return faultAnswer(outcome.status, { ...outcome.fault, id }, outcome.headers);
  const { headers } = outcome;
  const text = resultText(id, textOf(outcome, era));
  return accepts.json ? jsonAnswer(200, text, headers) : eventAnswer(200, [text]);
}

function textOf(outcome: Exclude<HostedOutcome, { kind: 'fault' }>, era: Era): string {
  if (outcome.kind === 'refused') return errorContent(outcome.body, era);
  return resultContent(outcome.result, outcome.meta, era);
}
