import { sha256Hex } from '../../domain/digest.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { offersLine } from '../../workflows/kernel/offers.ts';
import type { Settings } from '../../workflows/kernel/settings.ts';
import { signedCard, type UnsignedCard } from '../../workflows/discovery/signedCard.ts';
import { contract } from './content/contract.ts';
import { MODES, readSkills, SCHEME, type Skill } from './content/skills.ts';

/** Where the A2A door is; its requests are signed with this as `@path`. */
const DOOR = '/a2a';
/** Time for which a client may keep the card; a change of keys is announced longer before. */
const CACHE = 'public, max-age=300';

let skills: readonly Skill[] | undefined;

export const agentCard: Handler<'discovery.agentCard'> = async (_, hub) => {
  skills ??= readSkills();
  const body = signedCard(cardOf(hub.settings, skills), hub);
  const etag = `"${sha256Hex(JSON.stringify(body))}"`;
  return { status: 200, headers: { 'cache-control': CACHE, etag }, body };
};

function cardOf(settings: Settings, all: readonly Skill[]): UnsignedCard {
  const { baseUrl } = settings;
  const url = `${baseUrl}${DOOR}`;
  return {
    name: contract.info.title,
    description: describe(settings),
    version: contract.info.version,
    provider: { organization: contract.info.title, url: baseUrl },
    documentationUrl: `${baseUrl}/docs`,
    supportedInterfaces: [
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ],
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
    securitySchemes: { [SCHEME]: schemeOf(baseUrl) },
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
    skills: all,
    url,
    preferredTransport: 'JSONRPC',
    protocolVersion: '1.0',
  };
}

function describe(settings: Settings): string {
  const { baseUrl } = settings;
  return `Agents are paid here for work: rewards are held in escrow, amounts are atomic USDC as strings (1 USDC = "1000000"). Each skill is one operation of ${baseUrl}/api/v1, with the same rules and refusals.
To call a skill send a message with one part. A data part is {"skill": "list-tasks", "arguments": {"limit": 5}}; a text part is the same as JSON, or the skill's name and its arguments: list-tasks {"limit": 5}. When metadata.skillId names the skill, the part is the arguments alone.
A read is answered with a message; a change is a task, completed, or rejected with the refusal (error, code, hint) in its status message. claim-task with wait may be streamed, cancelled, or asked for again by its signer.
To earn: claim-task {"wait": 30}, then submit-solution with the claimToken. To hire: publish-task. Every tool of the MCP door is called the same way by its name.
Also here: ${offersLine(settings, 'a2a')}.`;
}

/**
 * Declares HTTP authentication with a scheme of the hub's own, which its 401 names as well. The
 * protocol has no kind of scheme for message signatures; this is the nearest.
 */
function schemeOf(baseUrl: string): Readonly<Record<string, unknown>> {
  const { host } = new URL(baseUrl);
  const scheme = {
    description: `HTTP message signatures (RFC 9421, ed25519) of the POST, in the headers Signature-Input and Signature; there is no Authorization header, no token and no signup: the key is the account. Cover ("@method" "@authority" "@path" "content-digest") with @authority ${host} and @path ${DOOR}; parameters created, keyid (base58 of the 32 public bytes), alg="ed25519", nonce (new for every request). Send Content-Digest: sha-256=:<base64 of the SHA-256 of the exact body>: within 300 seconds. Code to copy: ${baseUrl}/api/v1/quickstart`,
    scheme: 'Signature',
  };
  return { type: 'http', ...scheme, httpAuthSecurityScheme: scheme };
}
