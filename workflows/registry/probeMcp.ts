import { defined } from '../../domain/defined.ts';
import type { ListedSkill } from '../../domain/registry/listing.ts';
import type { Quote } from '../../domain/registry/readQuote.ts';
import { readTools, type ReadTool } from '../../domain/registry/readTools.ts';
import type { Known, ProbeResult, ReportedMetadata } from '../../domain/registry/probeResult.ts';
import {
  asksForKey,
  doorAccess,
  skillOfTool,
  toolsToCall,
} from '../../domain/registry/toolSkill.ts';
import type { Called, ToolSelection } from '../../domain/registry/toolSkill.ts';
import type { McpSession, ConnectionRefused, AgentResponse } from '../kernel/hub.ts';
import { outcomeOf } from './probeStep.ts';
import { argumentRule, brokenList, claimsOf, toolPages } from './reportedMetadata.ts';
import { HUB_STOPPED, type CrawlSession } from './crawlSession.ts';
import { signalsOf } from './signals.ts';

/** Probes an MCP server: opens it in its revision, lists its tools and calls a few safe ones. */
export interface McpFound {
  readonly result: ProbeResult;
  /** Prices that were quoted, by tool; the door's own under the empty name. */
  readonly quotes: ReadonlyMap<string, Quote>;
}

const METHOD_UNKNOWN = -32_601;

/** Undefined when the hub ended the look before it had asked for the tools. */
export async function probeServer(
  crawl: CrawlSession,
  endpoint: string,
  known: Known | undefined,
  turn: ToolSelection,
): Promise<McpFound | undefined> {
  const silent = { kind: 'mcp', endpoint, latencyMs: 0 } as const;
  const none = new Map<string, Quote>();
  if (!(await crawl.mayAsk('initialize', endpoint))) {
    const message = 'the rules for robots, or its address, keep the hub from it.';
    return { result: { ...silent, verdict: 'unknown', message }, quotes: none };
  }
  const before = known?.listing;
  const door = {
    endpoint,
    ...(before?.transport === 'sse' && { transport: 'sse' }),
    ...defined({ protocolVersion: before?.protocolVersion }),
  };
  const opening = await crawl.hub.agents.openMcp(door, crawl.wishes);
  if (opening.kind === 'shut') return shutServer(crawl.origin, endpoint, opening.end, known);
  const { session } = opening;
  try {
    return await readServer(crawl, endpoint, session, known, turn);
  } finally {
    await session.close();
  }
}

/** A door that asks for a key or money answered as far as it does for any caller. */
function shutServer(
  origin: string,
  endpoint: string,
  end: ConnectionRefused,
  known: Known | undefined,
): McpFound | undefined {
  if (end.kind === 'failed' && HUB_STOPPED.includes(end.reason)) return undefined;
  const latencyMs = end.kind === 'failed' ? 0 : Math.round(end.durationMs);
  const base = { kind: 'mcp', endpoint, latencyMs, message: end.message } as const;
  const none = new Map<string, Quote>();
  if (end.kind === 'failed') {
    const isSilent = end.raw === undefined && end.reason !== 'malformed';
    const verdict = isSilent ? 'unreachable' : 'not-speaking';
    return { result: { ...base, verdict }, quotes: none };
  }
  if (end.kind === 'refused') return { result: { ...base, verdict: 'not-speaking' }, quotes: none };
  const isKeyed = end.kind === 'key-needed';
  // Any web page can answer 401; OAuth of MCP names its metadata.
  if (isKeyed && known === undefined && end.schemes.length === 0) {
    const message = 'it answers 401 or 403 and does not say how to get in.';
    return { result: { ...base, message, verdict: 'unknown' }, quotes: none };
  }
  const quote = end.kind === 'quote' ? end.quote : undefined;
  const quotes = quote === undefined ? none : new Map([['', quote]]);
  // Anything can answer 402: only a reply in the protocol, or an earlier look, shows a server.
  if (end.kind === 'quote' && known === undefined && !end.isReply) {
    return { result: { ...base, verdict: 'not-speaking' }, quotes };
  }
  const isX402 = end.kind === 'quote' && end.isX402;
  const schemes = isX402 ? ['x402', ...end.schemes] : end.schemes;
  const reported: ReportedMetadata = {
    ...keptClaims(known, origin),
    skills: known?.skills ?? [],
    access: isKeyed ? 'auth-required' : 'paid',
    authSchemes: isKeyed || schemes.length > 0 ? [...new Set(schemes)] : ['unknown'],
    isX402,
    ...(quote !== undefined && { price: quote.price }),
    violations: known?.listing.cardViolations ?? [],
    signals: known?.listing.injectionSignals ?? [],
  };
  return { result: { ...base, verdict: 'live', reported }, quotes };
}

function keptClaims(
  known: Known | undefined,
  origin: string,
): Pick<ReportedMetadata, 'transport' | 'protocolVersion' | 'name' | 'description' | 'version'> {
  const { transport = 'streamable-http', name = new URL(origin).host } = known?.listing ?? {};
  const { protocolVersion, description, version } = known?.listing ?? {};
  return {
    transport,
    name,
    ...defined({ protocolVersion, description, version }),
  };
}

async function readServer(
  crawl: CrawlSession,
  endpoint: string,
  session: McpSession,
  known: Known | undefined,
  turn: ToolSelection,
): Promise<McpFound | undefined> {
  const listed = await toolPages(session);
  if (listed.stopped !== undefined && HUB_STOPPED.includes(listed.stopped)) return undefined;
  const read = readTools(listed.pages);
  const before = new Map(known?.skills.map((skill) => [skill.id, skill]));
  const now = crawl.hub.clock.now();
  const called = new Map<string, Called>();
  for (const tool of toolsToCall(read.tools, before, now, turn)) {
    if (crawl.over()) break;
    const result = await callTool(crawl, session, endpoint, tool);
    if (result !== undefined) called.set(tool.name, result);
  }
  const skills = read.tools.map((tool) =>
    skillOfTool(tool, called.get(tool.name), before.get(tool.name)),
  );
  const { claims, violations, texts } = claimsOf(session, crawl.origin);
  const lists = listed.isWhole ? [] : [brokenList(listed.message)];
  const reported: ReportedMetadata = {
    ...claims,
    skills,
    ...(listed.access ?? doorAccess(skills)),
    authSchemes: listed.access === undefined ? ['none'] : listed.schemes,
    isX402: asksOverX402(skills, called, known),
    violations: [...violations, ...lists, ...read.violations, ...argumentRule(read.tools)],
    signals: await signalsOf([...texts, ...read.texts]),
  };
  const { latencyMs } = listed;
  const message = 'it opened and listed its tools.';
  const result = { kind: 'mcp', endpoint, verdict: 'live', message, latencyMs, reported } as const;
  const quotes = [...called].flatMap(([name, { quote }]) =>
    quote === undefined ? [] : [[name, quote] as const],
  );
  return { result, quotes: new Map(quotes) };
}

/** A tool that was not called again asks as it did when it was. */
function asksOverX402(
  skills: readonly ListedSkill[],
  called: ReadonlyMap<string, Called>,
  known: Known | undefined,
): boolean {
  const isStill = skills.some(({ id, verdict }) => verdict === 'quoted' && !called.has(id));
  const asked = [...called.values()].some(({ isX402 }) => isX402 === true);
  return asked || (isStill && known?.listing.quotesX402 === true);
}

async function callTool(
  crawl: CrawlSession,
  session: McpSession,
  endpoint: string,
  { name }: ReadTool,
): Promise<Called | undefined> {
  const response = await crawl.hub.agents.callToolIn(session, name, {});
  const at = crawl.hub.clock.now();
  if (response.kind === 'failed' && response.raw === undefined) return undefined;
  const raw = response.kind === 'failed' ? response.raw : response;
  const durationMs = Math.round(raw?.durationMs ?? 0);
  const called = { ...verdictOf(response), durationMs, at };
  const outcome =
    called.verdict === 'served'
      ? 'ok'
      : called.verdict === 'quoted'
        ? 'quoted'
        : called.verdict === 'key-needed'
          ? 'key-needed'
          : response.kind === 'result'
            ? 'refused'
            : outcomeOf(response, raw?.status ?? 0);
  const status = raw?.status;
  crawl.note({
    step: 'call',
    url: endpoint,
    outcome,
    ...defined({ status }),
    detail: `${name}: ${called.message}`,
    durationMs,
  });
  return called;
}

/** Returns the verdict on a call of a tool, in words. */
export function verdictOf(response: AgentResponse): Omit<Called, 'durationMs' | 'at'> {
  switch (response.kind) {
    case 'result': {
      if (!response.isError) return { verdict: 'served', message: 'It was called and served.' };
      const isKeyed = asksForKey(JSON.stringify(response.result));
      return isKeyed
        ? { verdict: 'key-needed', message: 'It failed, and its text asks for a key.' }
        : { verdict: 'failed', message: 'It was called and said that it failed.' };
    }
    case 'quote': {
      const { quote, message, isX402 } = response;
      return { verdict: 'quoted', message, isX402, ...defined({ quote }) };
    }
    case 'key-needed':
      return { verdict: 'key-needed', message: response.message };
    case 'refused': {
      // Most errors are about this call; only these say that no caller is let in.
      const isClosed = response.rpcCode === undefined || response.rpcCode === METHOD_UNKNOWN;
      return { verdict: isClosed ? 'refused' : 'failed', message: response.message };
    }
    case 'failed':
      return { verdict: 'failed', message: response.message };
  }
}
