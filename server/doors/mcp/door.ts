import type { Hub } from '../../../workflows/kernel/hub.ts';
import type { Answer, Exchange } from '../../middleware/exchange.ts';
import { isObject } from '../../../domain/jsonObject.ts';
import { fault, resultText, RPC_PARAMS, type RpcFault, type RpcId } from '../jsonRpc.ts';
import type { Operations } from '../operations.ts';
import { doorSpec, eventAnswer, faultAnswer, jsonAnswer, type Door } from '../transport.ts';
import type { Routes } from '../../http/routes.ts';
import { mcpWords } from '../words.ts';
import { openCatalogue, readToolsets, TOOLSETS, type Toolsets } from './catalogue.ts';
import { EVERYDAY, SEARCH, unwrapped } from './everyday.ts';
import { openMethods } from './methods.ts';
import { openCalls } from './openCalls.ts';
import { MCP_PATH } from './path.ts';
import { callTool, type ToolParts } from './toolCall.ts';
import { once } from './toolResult.ts';
import { openMcpTransport, refusedAtDoor, type McpRequest } from './transport.ts';

/** The MCP door: the operations of the contract as tools, at one path (`transport.ts`). */
export interface McpParts {
  readonly hub: Hub;
  readonly operations: Operations;
  readonly routes: Routes;
  /** Milliseconds between two signs of life of a call that waits. */
  readonly progressEveryMs?: number;
}

const SPEC = doorSpec('mcp', MCP_PATH, 'The MCP door');
const PROGRESS_EVERY_MS = 1_000;

export function createMcpDoor(parts: McpParts): Door {
  const { hub, operations } = parts;
  const progressEveryMs = parts.progressEveryMs ?? PROGRESS_EVERY_MS;
  const words = mcpWords(parts.routes);
  const tools: ToolParts = { operations, calls: openCalls(hub), words, progressEveryMs };
  const catalogue = openCatalogue();
  const methods = openMethods(hub.settings, catalogue);
  const search = async (exchange: Exchange, request: McpRequest): Promise<Answer> => {
    const { id, params, era, accepts } = request;
    const admission = await operations.admit(exchange, SPEC);
    if (admission.kind === 'refusal') return refusedAtDoor(id, admission);
    const given = params['arguments'];
    if (!isObject(given) || typeof given['query'] !== 'string') {
      const hint = `${SEARCH} takes {"query": "a few words"}.`;
      return faultAnswer(200, fault(id, RPC_PARAMS, 'Invalid params: query is missing', { hint }));
    }
    const text = resultText(id, once(JSON.stringify(catalogue.search(given)), era));
    return accepts.json ? jsonAnswer(200, text) : eventAnswer(200, [text]);
  };
  return openMcpTransport({
    baseUrl: hub.settings.baseUrl,
    operations,
    spec: SPEC,
    async methods(exchange, request) {
      const read = toolsetsOf(exchange, request.id);
      return 'kind' in read ? read : methods({ ...request, ...read });
    },
    async callTool(exchange, request) {
      const read = toolsetsOf(exchange, request.id);
      // A toolset shortens the list and forbids nothing: every tool may be called at this address.
      if ('kind' in read) return faultAnswer(200, read);
      const params = unwrapped(request.params);
      if (params['name'] === SEARCH) return search(exchange, { ...request, params });
      const isOnce = read.toolsets?.includes(EVERYDAY) === true;
      return callTool(tools, exchange, { ...request, params, isOnce });
    },
    cancel: (identity, id) => tools.calls.cancel(identity, id),
  });
}

/** The toolsets that the address names; a mistake in it shows in the very first answer. */
function toolsetsOf({ target }: Exchange, id: RpcId): RpcFault | { readonly toolsets: Toolsets } {
  const query = target.includes('?') ? target.slice(target.indexOf('?')) : '';
  const read = readToolsets(query);
  if (read === undefined || !('wrong' in read)) return { toolsets: read };
  const hint = `Toolsets: ${TOOLSETS.join(', ')}. Without the query the door lists every tool.`;
  return fault(id, RPC_PARAMS, `Invalid params: ${read.wrong}`, { hint, allowed: TOOLSETS });
}
