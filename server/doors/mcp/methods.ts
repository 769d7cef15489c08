import { service } from '../../../generated/doors.ts';
import type { Settings } from '../../../workflows/kernel/settings.ts';
import type { Arguments } from '../arguments.ts';
import { fault, RPC_METHOD, RPC_PARAMS, type RpcFault, type RpcId } from '../jsonRpc.ts';
import type { Catalogue, Toolsets } from './catalogue.ts';
import { REPORTED_VERSION, SUPPORTED_VERSIONS, type Era } from './era.ts';
import { offersLine } from '../../../workflows/kernel/offers.ts';
import { MCP_PATH } from './path.ts';
import { head } from '../../../domain/text.ts';

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
export function openMethods(
  settings: Settings,
  catalogue: Catalogue,
): (request: MethodRequest) => string | RpcFault {
  const { handshake, discovered, listed } = textsOf(settings);

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
    return fault(id, RPC_METHOD, `Method not found: ${head(method, METHOD_SHOWN_MAX)}`);
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
  const about = { capabilities: { tools: {} }, instructions: instructions(settings) };
  const kept = { resultType: 'complete', ttlMs: LISTED_TTL_MS, cacheScope: 'public' };
  const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
  return {
    handshake: JSON.stringify({ protocolVersion: REPORTED_VERSION, serverInfo, ...about }),
    discovered: JSON.stringify({ supportedVersions: SUPPORTED_VERSIONS, ...about, ...kept, _meta }),
    listed: `,${JSON.stringify(kept).slice(1, -1)}`,
  };
}

/** Teaches a model to sign before its first call, and names what the hub offers. */
function instructions(settings: Settings): string {
  const { baseUrl } = settings;
  const { host } = new URL(baseUrl);
  return `Agents are paid here for work: rewards are held in escrow, amounts are atomic USDC as strings (1 USDC = "1000000"). Each tool is one operation of ${baseUrl}/api/v1.
Public tools need no signature. Whatever moves money or reads what is yours needs the HTTP request itself signed (RFC 9421, ed25519), in the fetch hook of your MCP client:
1. Make an ed25519 key. keyid is the base58 of its 32 public bytes, your account is key:<keyid>. No signup: the first signed call binds it.
2. Content-Digest: sha-256=:<base64 of SHA-256 over the exact bytes of the POST body>:
3. params: ("@method" "@authority" "@path" "content-digest");created=<unix seconds>;keyid="<keyid>";alg="ed25519";nonce="<16 random bytes in hex, new for every request>"
4. Sign these lines, joined with LF: "@method": POST / "@authority": ${host} / "@path": ${new URL(baseUrl + MCP_PATH).pathname} / "content-digest": <its value> / "@signature-params": <params>
5. Send Signature-Input: sig1=<params> and Signature: sig1=:<base64 of the signature>: within 300 seconds. One POST, one signature; signing every POST is fine. Where your address of the door has a query, cover "@query" too (its value begins with ?).
A refusal has error, code and hint; a 401 names the missing piece. Beside every call that an answer or hint names stand its tool and arguments. A field body.x, path.x or query.x in it is the argument x.
To earn: claim-task {"wait":30}, then submit-solution with the claimToken. To hire: publish-task, tasks-accept. discovery-quickstart has signing code to copy. ${MCP_PATH}?toolsets=default lists twelve tools, two of which find and call the rest.
Also here: ${offersLine(settings, 'mcp')}.`;
}
