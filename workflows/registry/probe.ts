import type { StoredDocument } from '../../db/registry/probes.ts';
import type { Instant } from '../../domain/instant.ts';
import type { LiveQuote } from '../../domain/registry/quote.ts';
import { readHttpQuote, type Quote } from '../../domain/registry/readQuote.ts';
import type { Known, OriginCodes, ProbeResult } from '../../domain/registry/probeResult.ts';
import type { SeedUrl, CrawlStep, RobotsSeen } from '../../domain/registry/target.ts';
import type { ToolSelection } from '../../domain/registry/toolSkill.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { parseUntrustedJson } from '../../domain/registry/readJson.ts';
import { probeCard, probeCards, type A2aFound } from './probeCard.ts';
import { probeServer } from './probeMcp.ts';
import { openCrawlSession, type CrawlSession } from './crawlSession.ts';

/**
 * One look at an origin: its rules for robots, its card, its MCP endpoints, the addresses that
 * somebody named. It asks strangers and writes nothing; `_record.ts` keeps what it saw.
 */
export interface ProbePlan {
  readonly origin: string;
  readonly seedUrls: readonly SeedUrl[];
  readonly known: readonly Known[];
  readonly codes: OriginCodes;
  readonly documents: readonly StoredDocument[];
  /** Which tools are called: those whose turn it is, the same at once, or none. */
  readonly tools: ToolSelection;
  /** Somebody waits for the answer. */
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

/** Where MCP servers are when nobody says where. */
const USUAL_PATHS = ['/mcp', '/', '/sse'];
const PAGE_ACCEPT = 'application/json, */*;q=0.5';

interface Seen {
  readonly results: ProbeResult[];
  readonly quotes: LiveQuote[];
}

export async function probeOrigin(hub: Hub, plan: ProbePlan): Promise<ProbedOrigin> {
  const { origin, documents, isUrgent, signal } = plan;
  const session = openCrawlSession(hub, origin, { documents, isUrgent, signal });
  const seen: Seen = { results: [], quotes: [] };
  const at = hub.clock.now();
  // Before anything else, and alone when the origin does not answer at all.
  if (await answersAtAll(session)) {
    await probeA2a(session, plan, seen);
    await probeMcp(session, plan, seen);
    await probePages(session, plan, seen);
  }
  recordUnreachable(session, plan, seen);
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

/** Named or known as an A2A agent, or not known as anything else. */
async function probeA2a(session: CrawlSession, plan: ProbePlan, seen: Seen): Promise<void> {
  const { seedUrls: hints, known } = plan;
  const named = hints.filter(({ kind }) => kind === 'a2a');
  const isOpen = hints.some(({ kind }) => kind === undefined) || hints.length === 0;
  const isKnown = known.some(({ listing }) => listing.kind === 'a2a');
  if (named.length === 0 && !isOpen && !isKnown) return;
  const urls = named.map(({ url }) => url).filter((url) => !isBare(url));
  const found = await probeCards(session, urls);
  if (found !== undefined) addA2a(seen, found, session);
}

function addA2a(seen: Seen, { result, quote }: A2aFound, session: CrawlSession): void {
  if (seen.results.some(({ endpoint }) => endpoint === result.endpoint)) return;
  seen.results.push(result);
  if (quote !== undefined) seen.quotes.push(quoteAt(session, 'a2a', result.endpoint, quote));
}

async function probeMcp(session: CrawlSession, plan: ProbePlan, seen: Seen): Promise<void> {
  const known = plan.known.filter(({ listing }) => listing.kind === 'mcp');
  const named = plan.seedUrls.filter(({ kind, url }) => kind === 'mcp' && !isBare(url));
  const endpoints = new Set([
    ...known.map(({ listing }) => listing.endpoint),
    ...named.map(({ url }) => url),
  ]);
  const isAsked = plan.seedUrls.some(({ kind, url }) => kind !== 'a2a' && isBare(url));
  const isGuessing = endpoints.size === 0 && (isAsked || plan.seedUrls.length === 0);
  const guesses = isGuessing ? USUAL_PATHS.map((path) => session.origin + path) : [];
  for (const endpoint of [...endpoints, ...guesses]) {
    if (session.over()) return;
    const before = known.find(({ listing }) => listing.endpoint === endpoint);
    const found = await addServer(session, plan, seen, endpoint, before);
    // One guess that is right is enough.
    if (isGuessing && found.verdict === 'live') return;
  }
}

async function addServer(
  session: CrawlSession,
  { tools }: ProbePlan,
  seen: Seen,
  endpoint: string,
  known: Known | undefined,
): Promise<ProbeResult> {
  const { result, quotes } = await probeServer(session, endpoint, known, tools);
  seen.results.push(result);
  for (const [tool, quote] of quotes)
    seen.quotes.push(quoteAt(session, 'mcp', endpoint, quote, tool));
  return result;
}

/** Addresses that were named without a kind: a card, a price, or else an MCP endpoint. */
async function probePages(session: CrawlSession, plan: ProbePlan, seen: Seen): Promise<void> {
  const named = plan.seedUrls.filter(({ kind, url }) => kind === undefined && !isBare(url));
  for (const { url } of named) {
    if (session.over()) return;
    if (seen.results.some(({ endpoint }) => endpoint === url)) continue;
    const page = await session.get('document', url, PAGE_ACCEPT);
    if (page === undefined) continue;
    const { status, text, paymentRequired } = page;
    const body = parseUntrustedJson(text);
    const asked = readHttpQuote({ status, paymentRequired, body });
    if (asked?.kind === 'quote') {
      seen.quotes.push(quoteAt(session, 'http', url, asked.quote));
      continue;
    }
    const card =
      status === 200 && body !== undefined ? await probeCard(session, url, text) : undefined;
    if (card !== undefined) addA2a(seen, card, session);
    else {
      const known = plan.known.find(({ listing }) => listing.endpoint === url);
      await addServer(session, plan, seen, url, known);
    }
  }
}

/** What is listed and was not heard in this look, with what the report says of it. */
function recordUnreachable(session: CrawlSession, { known }: ProbePlan, seen: Seen): void {
  const [first] = session.probes;
  const isGone = first !== undefined && ['unreachable', 'timeout'].includes(first.outcome);
  for (const { listing } of known) {
    const { kind, endpoint } = listing;
    const isSeen = seen.results.some((each) => each.endpoint === endpoint && each.kind === kind);
    if (isSeen) continue;
    const moved = seen.results.some((each) => each.kind === kind && each.verdict === 'live');
    if (kind === 'a2a' && moved) continue;
    const message = isGone
      ? first.detail
      : kind === 'a2a'
        ? 'its card could not be read.'
        : 'it was not asked.';
    const verdict = isGone ? 'unreachable' : kind === 'a2a' ? cardVerdict(session) : 'unknown';
    seen.results.push({ kind, endpoint, verdict, message, latencyMs: 0 });
  }
}

function cardVerdict(session: CrawlSession): ProbeResult['verdict'] {
  const cards = session.probes.filter(({ step }) => step === 'card');
  const outcomes = new Set(cards.map(({ outcome }) => outcome));
  if (outcomes.has('unreachable') || outcomes.has('timeout')) return 'unreachable';
  return outcomes.has('forbidden') || cards.length === 0 ? 'unknown' : 'not-speaking';
}

/** An address without a path names the origin. */
function isBare(url: string): boolean {
  const { pathname, search } = new URL(url);
  return pathname === '/' && search === '';
}

function quoteAt(
  { hub, origin }: CrawlSession,
  kind: LiveQuote['kind'],
  endpoint: string,
  { price, x402Version, scheme }: Quote,
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
    quotedAt: hub.clock.now(),
  };
}
