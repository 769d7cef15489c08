import type { StoredDocument } from '../../db/registry/probes.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import type { LiveQuote } from '../../domain/registry/quote.ts';
import { readHttpQuote, type Quote } from '../../domain/registry/readQuote.ts';
import type { Known, OriginCodes, ProbeResult } from '../../domain/registry/probeResult.ts';
import {
  isBare,
  type SeedUrl,
  type CrawlStep,
  type RobotsSeen,
} from '../../domain/registry/target.ts';
import type { ToolSelection } from '../../domain/registry/toolSkill.ts';
import type { Hub } from '../kernel/hub.ts';
import { parseUntrustedJson } from '../../domain/registry/readJson.ts';
import { serversNamedIn } from '../../domain/registry/readServerCard.ts';
import { probeCard, probeCardAt, probeCards, type A2aFound } from './probeCard.ts';
import { probeServer } from './probeMcp.ts';
import { openCrawlSession, type CrawlSession } from './crawlSession.ts';

/**
 * One look at an origin: its rules for robots, its card, its MCP endpoints, the addresses that a
 * caller named. It calls untrusted hosts and writes nothing; `record.ts` stores the result.
 */
export interface ProbePlan {
  readonly origin: string;
  readonly seedUrls: readonly SeedUrl[];
  /** Addresses that may be servers, in the order in which they are asked. */
  readonly servers: readonly SeedUrl[];
  /** Where the card of a listing was read, when that is an address of its own. */
  readonly cardOf: ReadonlyMap<string, string>;
  /** Requests of the look at most. */
  readonly requestsMax: number;
  readonly known: readonly Known[];
  readonly codes: OriginCodes;
  readonly documents: readonly StoredDocument[];
  /** Which tools are called: those whose turn it is, the same at once, or none. */
  readonly tools: ToolSelection;
  /** A caller waits for the answer. */
  readonly isUrgent: boolean;
  readonly signal: AbortSignal;
}

export interface ProbedOrigin {
  readonly at: Instant;
  readonly results: readonly ProbeResult[];
  /** Without the listing that they belong to. */
  readonly quotes: readonly LiveQuote[];
  readonly steps: readonly CrawlStep[];
  readonly documents: readonly StoredDocument[];
  readonly robots: RobotsSeen | undefined;
  /** The hub broke it off; it says nothing about the origin. */
  readonly lost: boolean;
}

/** Usual paths of MCP servers, for an origin that names none. */
const USUAL_PATHS = ['/mcp', '/', '/sse'];
/** Where the card of a server may name another path. */
const SERVER_CARDS = ['/.well-known/mcp/server-card.json', '/.well-known/ai-catalog.json'];
const PAGE_ACCEPT = 'application/json, */*;q=0.5';

interface Seen {
  readonly results: ProbeResult[];
  readonly quotes: LiveQuote[];
}

export async function probeOrigin(hub: Hub, plan: ProbePlan): Promise<ProbedOrigin> {
  const { origin, ...options } = plan;
  const session = openCrawlSession(hub, origin, options);
  const seen: Seen = { results: [], quotes: [] };
  const at = hub.clock.now();
  // Before anything else, and alone when the origin does not answer at all.
  if (await answersAtAll(session)) {
    const cards = plan.servers.filter(({ kind }) => kind === 'a2a');
    for (const { url } of cards) await probeNamedCard(session, seen, url);
    await probeA2a(session, plan, seen);
    await probeServers(session, plan, seen);
  } else recordSilence(session, plan, seen);
  recordLostCard(session, plan, seen);
  return {
    at,
    ...seen,
    steps: session.probes,
    documents: session.fresh,
    robots: session.robots(),
    lost: session.lost(),
  };
}

/** False when not even its rules can be asked for: no address of it would answer. */
async function answersAtAll(session: CrawlSession): Promise<boolean> {
  await session.mayAsk('robots', `${session.origin}/robots.txt`);
  const [first] = session.probes;
  return first === undefined || !['unreachable', 'timeout', 'forbidden'].includes(first.outcome)
    ? true
    : first.status !== undefined;
}

/** Named or known as an A2A agent, or not known as anything else; a card that was named comes first. */
async function probeA2a(session: CrawlSession, plan: ProbePlan, seen: Seen): Promise<void> {
  const { seedUrls: hints, known } = plan;
  const isNamed = hints.some(({ kind }) => kind !== 'mcp') || hints.length === 0;
  const isKnown = known.some(({ listing }) => listing.kind === 'a2a');
  if (!isNamed && !isKnown) return;
  if (seen.results.some(({ kind }) => kind === 'a2a')) return;
  const found = await probeCards(session);
  if (found !== undefined) addA2a(seen, found, session);
}

async function probeNamedCard(session: CrawlSession, seen: Seen, url: string): Promise<void> {
  if (!session.hasRoom()) return;
  const found = await probeCardAt(session, url);
  if (found !== undefined) addA2a(seen, found, session);
}

function addA2a(seen: Seen, { result, quote }: A2aFound, session: CrawlSession): void {
  if (seen.results.some(({ endpoint }) => endpoint === result.endpoint)) return;
  seen.results.push(result);
  if (quote !== undefined) seen.quotes.push(quoteAt(session, 'a2a', result.endpoint, quote));
}

/** A large origin has too many servers for one look: those whose turn it is are asked in order. */
async function probeServers(session: CrawlSession, plan: ProbePlan, seen: Seen): Promise<void> {
  const { seedUrls, servers, known } = plan;
  const isAsked = seedUrls.some(({ kind, url }) => kind !== 'a2a' && isBare(url));
  const isKnown =
    servers.some(({ kind }) => kind === 'mcp') ||
    known.some(({ listing }) => listing.kind === 'mcp');
  if (!isKnown && (isAsked || seedUrls.length === 0)) await guessServers(session, plan, seen);
  for (const each of servers) {
    if (each.kind === 'a2a') continue;
    if (!session.hasRoom()) return;
    await probeAddress(session, plan, seen, each);
  }
}

/** Where servers usually are, when the origin alone was named and none of it is known. */
async function guessServers(session: CrawlSession, plan: ProbePlan, seen: Seen): Promise<void> {
  for (const path of USUAL_PATHS) {
    if (session.over()) return;
    const found = await addServer(session, plan, seen, session.origin + path);
    // One guess that is right is enough.
    if (found?.verdict === 'live') return;
  }
  for (const path of SERVER_CARDS) {
    if (!session.hasRoom()) return;
    const url = session.origin + path;
    const page = await session.get('document', url, PAGE_ACCEPT);
    if (page?.status === 200 && (await askNamed(session, plan, seen, { url, text: page.text }))) {
      return;
    }
  }
}

async function probeAddress(
  session: CrawlSession,
  plan: ProbePlan,
  seen: Seen,
  { url, kind }: SeedUrl,
): Promise<void> {
  if (seen.results.some(({ endpoint }) => endpoint === url)) return;
  const isServer = plan.known.some(
    ({ listing }) => listing.kind === 'mcp' && listing.endpoint === url,
  );
  if (kind === undefined && !isServer) {
    if ((await probePage(session, plan, seen, url)) !== undefined) return;
  }
  await addServer(session, plan, seen, url);
}

async function addServer(
  session: CrawlSession,
  { tools, known }: ProbePlan,
  seen: Seen,
  endpoint: string,
  card?: string,
): Promise<ProbeResult | undefined> {
  const before = known.find(({ listing }) => listing.endpoint === endpoint);
  const found = await probeServer(session, endpoint, before, tools);
  if (found === undefined) return undefined;
  const { result, quotes } = found;
  seen.results.push({ ...result, ...defined({ card }) });
  // An address that quoted and was not seen to speak MCP is a paid page.
  const kind = result.reported === undefined ? 'http' : 'mcp';
  for (const [tool, quote] of quotes)
    seen.quotes.push(quoteAt(session, kind, endpoint, quote, tool));
  return result;
}

/**
 * An address that was named without a kind: `read` when it is a card, a catalog or a price, `kept`
 * when it may not be read, and undefined when it may be a server itself.
 */
async function probePage(
  session: CrawlSession,
  plan: ProbePlan,
  seen: Seen,
  url: string,
  isNested = false,
): Promise<'read' | 'kept' | undefined> {
  const page = await session.get('document', url, PAGE_ACCEPT);
  if (page === undefined) return 'kept';
  const { status, text, paymentRequired } = page;
  const body = parseUntrustedJson(text);
  const asked = readHttpQuote({ status, paymentRequired, body });
  if (asked?.kind === 'quote') {
    seen.quotes.push(quoteAt(session, 'http', url, asked.quote));
    return 'read';
  }
  if (status !== 200 || body === undefined) return undefined;
  if (await askNamed(session, plan, seen, { url, text, isNested })) return 'read';
  const card = await probeCard(session, url, text);
  if (card !== undefined) addA2a(seen, card, session);
  return card === undefined ? undefined : 'read';
}

/** Asks the servers that a card or a catalog names; true when it names any. */
async function askNamed(
  session: CrawlSession,
  plan: ProbePlan,
  seen: Seen,
  { url, text, isNested = false }: { url: string; text: string; isNested?: boolean },
): Promise<boolean> {
  const named = serversNamedIn(parseUntrustedJson(text), text, url);
  for (const each of named) {
    if (!session.hasRoom()) break;
    if (seen.results.some(({ endpoint }) => endpoint === each)) continue;
    const isCard = !isNested && (await probePage(session, plan, seen, each, true)) === 'read';
    if (!isCard) await addServer(session, plan, seen, each, url);
  }
  return named.length > 0;
}

/** Records that nothing of the origin answered: its listings are out of reach, or unknown. */
function recordSilence(session: CrawlSession, { known }: ProbePlan, seen: Seen): void {
  const [first] = session.probes;
  const isGone = first !== undefined && first.outcome !== 'forbidden';
  for (const { listing } of known) {
    const { kind, endpoint } = listing;
    const verdict = isGone ? 'unreachable' : 'unknown';
    const message = first?.detail ?? 'it was not asked.';
    seen.results.push({ kind, endpoint, verdict, message, latencyMs: 0 });
  }
}

/**
 * Records an agent whose card was not found, unless another card took its place. A server that was
 * not asked gets no result: its listing stays as it was measured.
 */
function recordLostCard(session: CrawlSession, plan: ProbePlan, seen: Seen): void {
  if (seen.results.some(({ kind, verdict }) => kind === 'a2a' && verdict === 'live')) return;
  const asked = new Set(session.probes.map(({ url }) => url));
  for (const { listing } of plan.known) {
    const { id, kind, endpoint } = listing;
    const isSeen = seen.results.some((each) => each.endpoint === endpoint && each.kind === kind);
    const card = plan.cardOf.get(id);
    if (kind !== 'a2a' || isSeen || (card !== undefined && !asked.has(card))) continue;
    const message = 'its card could not be read.';
    seen.results.push({ kind, endpoint, verdict: cardVerdict(session), message, latencyMs: 0 });
  }
}

function cardVerdict(session: CrawlSession): ProbeResult['verdict'] {
  const cards = session.probes.filter(({ step }) => step === 'card');
  const outcomes = new Set(cards.map(({ outcome }) => outcome));
  if (outcomes.has('unreachable') || outcomes.has('timeout')) return 'unreachable';
  return outcomes.has('forbidden') || cards.length === 0 ? 'unknown' : 'not-speaking';
}

function quoteAt(
  { hub, origin }: CrawlSession,
  kind: LiveQuote['kind'],
  endpoint: string,
  { price, x402Version, scheme, accept }: Quote,
  tool = '',
): LiveQuote {
  return {
    kind,
    endpoint,
    origin,
    ...(tool !== '' && { tool }),
    price,
    x402Version,
    scheme,
    accept,
    quotedAt: hub.clock.now(),
  };
}
