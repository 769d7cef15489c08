import { readTarget } from '../../db/registry/targets.ts';
import type { KeyId } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { keysInText, stringsIn } from '../../domain/passport/proof.ts';
import type { Listing } from '../../domain/registry/listing.ts';
import { CARD_PATHS, readCard } from '../../domain/registry/readCard.ts';
import { isObject } from '../../domain/jsonObject.ts';
import type { Hub } from '../kernel/hub.ts';
import { parseUntrustedJson } from '../../domain/registry/readJson.ts';

/** The text at a listing's own endpoint: the keys in its card, or in its instructions. */
export type EndpointText =
  | { readonly kind: 'read'; readonly where: string; readonly keys: readonly KeyId[] }
  | { readonly kind: 'silent'; readonly where: string; readonly message: string };

const LIMITS = { totalMs: 10_000 };
const CARDS_MAX = 4;

/** Calls untrusted hosts, so it is never called inside a write. */
export function textAtEndpoint(hub: Hub, listing: Listing): Promise<EndpointText> {
  return listing.kind === 'mcp' ? instructionsOf(hub, listing) : cardOf(hub, listing);
}

async function instructionsOf(hub: Hub, listing: Listing): Promise<EndpointText> {
  const { endpoint, transport, protocolVersion } = listing;
  const where = `the instructions of the MCP server at ${endpoint}`;
  const door = { endpoint, transport, ...defined({ protocolVersion }) };
  const opening = await hub.agents.openMcp(door, { limits: LIMITS });
  if (opening.kind === 'shut') return { kind: 'silent', where, message: opening.end.message };
  const reported = opening.session.opening;
  await opening.session.close();
  const instructions = isObject(reported) ? reported['instructions'] : undefined;
  const keys = typeof instructions === 'string' ? keysInText(instructions) : [];
  return { kind: 'read', where, keys };
}

/**
 * A card counts when it is served by the listing's own origin and names the listing's endpoint: who
 * can put a file somewhere at that origin cannot speak for the agents beside it.
 */
async function cardOf(hub: Hub, listing: Listing): Promise<EndpointText> {
  const { origin, endpoint } = listing;
  const where = `the agent card of ${origin}`;
  const target = await hub.store.readOne((db) => readTarget(db, origin));
  const known = (target?.report?.probes ?? [])
    .filter(({ step, outcome, url }) => step === 'card' && outcome === 'ok' && isAt(origin, url))
    .map(({ url }) => url);
  const urls = [...new Set([...known, ...CARD_PATHS.map((path) => origin + path)])];
  let message = 'There is none.';
  for (const url of urls.slice(0, CARDS_MAX)) {
    const read = await keysInCard(hub, url, endpoint);
    if ('keys' in read) return { kind: 'read', where: `the agent card at ${url}`, keys: read.keys };
    ({ message } = read);
  }
  return { kind: 'silent', where, message };
}

async function keysInCard(
  hub: Hub,
  url: string,
  endpoint: string,
): Promise<{ readonly keys: readonly KeyId[] } | { readonly message: string }> {
  const headers = { accept: 'application/json' };
  const answer = await hub.outbound.fetch({ url, headers, limits: { ...LIMITS, redirectsMax: 0 } });
  if (answer.kind === 'failed') return answer;
  if (answer.status !== 200) return { message: `${url} answers ${answer.status}.` };
  const json = parseUntrustedJson(new TextDecoder().decode(answer.body));
  const verdict = readCard(json, url);
  if (!verdict.ok) return { message: `${url} is no agent card: ${verdict.says}` };
  if (!verdict.card.doors.some((door) => door.url === endpoint)) {
    return { message: `The card at ${url} does not name ${endpoint}.` };
  }
  return { keys: keysInText(stringsIn(json).join('\n')) };
}

function isAt(origin: string, url: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin;
}
