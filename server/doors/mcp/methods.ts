import { service } from '../../../generated/doors.ts';
import type { Settings } from '../../hub/settings.ts';
import type { Arguments } from '../arguments.ts';
import { fault, RPC_METHOD, RPC_PARAMS, type RpcFault, type RpcId } from '../jsonRpc.ts';
import { openCatalogue, type Toolsets } from './catalogue.ts';
import { REPORTED_VERSION, SUPPORTED_VERSIONS, type Era } from './era.ts';
import { instructions } from './instructions.ts';

/** The methods that run no operation: who the hub is and what it offers. No signature is asked. */
export interface MethodRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: Arguments;
  readonly era: Era;
  /** The toolsets that the door's address names. */
  readonly toolsets?: Toolsets | undefined;
}

/** How long a client may keep what `server/discover` and `tools/list` said. */
const LISTED_TTL_MS = 300_000;
const METHOD_SHOWN_MAX = 80;

/** Answers with the JSON text of the result, or with the protocol's error. */
export function openMethods(settings: Settings): (request: MethodRequest) => string | RpcFault {
  const { handshake, discovered, listed } = textsOf(settings);
  const catalogue = openCatalogue();

  const listTools = ({ id, params, era, toolsets }: MethodRequest): string | RpcFault => {
    // There is one page, so no cursor was ever given.
    if (params['cursor'] !== undefined) {
      return fault(id, RPC_PARAMS, 'Invalid params: no such cursor');
    }
    return `{"tools":${catalogue.tools(toolsets)}${era === 'stateless' ? listed : ''}}`;
  };

  const shakeHands = ({ id, params }: MethodRequest): string | RpcFault => {
    if (typeof params['protocolVersion'] === 'string') return handshake;
    return fault(id, RPC_PARAMS, 'Invalid params: protocolVersion must be a string');
  };

  return (request) => {
    const { id, method, era } = request;
    if (method === 'tools/list') return listTools(request);
    if (method === 'server/discover') return discovered;
    // Revision 2026-07-28 took both methods away.
    if (method === 'initialize' && era === 'handshake') return shakeHands(request);
    if (method === 'ping' && era === 'handshake') return '{}';
    return fault(id, RPC_METHOD, `Method not found: ${method.slice(0, METHOD_SHOWN_MAX)}`);
  };
}

/** Texts that never change while the hub runs, as JSON built once. */
function textsOf(settings: Settings): {
  readonly handshake: string;
  readonly discovered: string;
  /** Members that a list has from revision 2026-07-28 on, with a comma before them. */
  readonly listed: string;
} {
  const { title, version } = service;
  const serverInfo = { name: 'agent-exchange-hub', title, version };
  const said = { capabilities: { tools: {} }, instructions: instructions(settings) };
  const kept = { resultType: 'complete', ttlMs: LISTED_TTL_MS, cacheScope: 'public' };
  const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
  return {
    handshake: JSON.stringify({ protocolVersion: REPORTED_VERSION, serverInfo, ...said }),
    discovered: JSON.stringify({ supportedVersions: SUPPORTED_VERSIONS, ...said, ...kept, _meta }),
    listed: `,${JSON.stringify(kept).slice(1, -1)}`,
  };
}
