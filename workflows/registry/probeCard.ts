import { defined } from '../../domain/defined.ts';
import type { ProbeVerdict } from '../../domain/registry/history.ts';
import type { AccessClass, ListedSkill } from '../../domain/registry/listing.ts';
import {
  CARD_PATHS,
  readCard,
  type CardDoor,
  type ReadCard,
} from '../../domain/registry/readCard.ts';
import type { Quote } from '../../domain/registry/readQuote.ts';
import type { ProbeResult } from '../../domain/registry/probeResult.ts';
import type { AgentResponse } from '../kernel/hub.ts';
import { parseUntrustedJson } from '../../domain/registry/readJson.ts';
import { HUB_STOPPED, type CrawlSession } from './crawlSession.ts';
import { signalsOf } from './signals.ts';

/**
 * Looks for an A2A agent: its card, then its door with a task that does not exist. Any answer in
 * the protocol will do; skills are never called: a message to an agent is work.
 */
export interface A2aFound {
  readonly result: ProbeResult;
  readonly quote?: Quote;
}

/** Both well-known places, the newer first (choices registry.crawl). */
const ACCEPT = 'application/json, application/a2a+json;q=0.9, */*;q=0.1';
const KEYED = 'Its card asks every caller for a key; nothing was called with one.';
const ABSENT_TASK = '00000000-0000-4000-8000-000000000000';

/** At the well-known places. */
export async function probeCards(session: CrawlSession): Promise<A2aFound | undefined> {
  for (const path of CARD_PATHS) {
    const found = await probeCardAt(session, session.origin + path);
    if (found !== undefined) return found;
  }
  return undefined;
}

export async function probeCardAt(
  session: CrawlSession,
  url: string,
): Promise<A2aFound | undefined> {
  const page = await session.get('card', url, ACCEPT);
  if (page === undefined || page.status !== 200) return undefined;
  return probeCard(session, url, page.text);
}

/** Undefined when the text is no card; the report says what it lacks. */
export async function probeCard(
  session: CrawlSession,
  url: string,
  text: string,
): Promise<A2aFound | undefined> {
  const json = parseUntrustedJson(text);
  if (json === undefined) {
    const detail = 'card-json: It answers 200 with something that is no JSON.';
    const fix = 'Serve the card as application/json, and 404 where there is none.';
    session.note({ step: 'card', url, outcome: 'malformed', detail, fix, durationMs: 0 });
    return undefined;
  }
  const verdict = readCard(json, url);
  if (!verdict.ok) {
    const detail = `${verdict.rule}: ${verdict.says}`;
    session.note({
      step: 'card',
      url,
      outcome: 'malformed',
      detail,
      fix: verdict.fix,
      durationMs: 0,
    });
    return undefined;
  }
  const { card } = verdict;
  const door = card.doors.find(({ binding }) => binding === 'JSONRPC') ?? card.doors[0];
  return lookAtDoor(session, url, card, door);
}

async function lookAtDoor(
  session: CrawlSession,
  at: string,
  card: ReadCard,
  door: CardDoor,
): Promise<A2aFound> {
  const { url: endpoint, binding, protocolVersion, tenant } = door;
  const seen = await askDoor(session, door);
  const { verdict, message, latencyMs, access, accessNote, schemes, quote } = seen;
  const price = quote?.price;
  const { name, description, version, provider, documentationUrl, violations } = card;
  const isKeyed = card.authRequired && access === 'open';
  const authSchemes = card.authSchemes.length > 0 ? card.authSchemes : schemes;
  const signals = await signalsOf(card.texts);
  return {
    result: {
      kind: 'a2a',
      endpoint,
      card: at,
      verdict,
      message,
      latencyMs,
      // A card alone is a claim: it makes a listing only when its door answered.
      ...(verdict === 'live' && {
        reported: {
          name,
          ...defined({ description, version, provider, documentationUrl }),
          violations,
          transport: binding,
          protocolVersion,
          ...defined({ tenant }),
          skills: card.skills.map(skillOf),
          access: isKeyed ? 'auth-required' : access,
          ...(accessNote !== undefined && { accessNote: isKeyed ? KEYED : accessNote }),
          authSchemes: authSchemes.length > 0 ? authSchemes : ['none'],
          ...defined({ price }),
          signals,
        },
      }),
    },
    ...defined({ quote }),
  };
}

function skillOf(skill: ReadCard['skills'][number]): ListedSkill {
  const why = 'Skills of A2A agents are not called by the crawler: a message is work.';
  return { ...skill, access: 'unknown', verdict: 'not-called', why };
}

interface DoorSeen {
  readonly verdict: ProbeVerdict;
  readonly message: string;
  readonly latencyMs: number;
  readonly access: AccessClass;
  readonly accessNote?: string;
  readonly schemes: readonly string[];
  readonly quote?: Quote;
}

async function askDoor(session: CrawlSession, door: CardDoor): Promise<DoorSeen> {
  const nothing = { latencyMs: 0, access: 'unknown', schemes: [] } as const;
  if (!(await session.mayAsk('call', door.url))) {
    const message = 'the rules for robots, or its address, keep the hub from its door.';
    return { ...nothing, verdict: 'unknown', message };
  }
  if (door.binding !== 'JSONRPC') {
    const message = `its card names ${door.binding} only, and the hub speaks JSON-RPC.`;
    const { url } = door;
    session.note({ step: 'call', url, outcome: 'skipped', detail: message, durationMs: 0 });
    return { ...nothing, verdict: 'unknown', message };
  }
  const { url: endpoint, protocolVersion, tenant } = door;
  const response = await session.hub.agents.callMethod(
    { endpoint, protocolVersion, ...defined({ tenant }) },
    'GetTask',
    { id: ABSENT_TASK },
    session.wishes,
  );
  return doorSeen(response);
}

function doorSeen(response: AgentResponse): DoorSeen {
  const latencyMs = response.kind === 'failed' ? 0 : Math.round(response.durationMs);
  const nothing = { latencyMs, access: 'unknown', schemes: [] } as const;
  switch (response.kind) {
    case 'key-needed': {
      const message = 'its door asks for a key.';
      const { schemes } = response;
      return { ...nothing, verdict: 'live', message, access: 'auth-required', schemes };
    }
    case 'quote': {
      const { quote, message, isX402, schemes: named } = response;
      const schemes = isX402 ? ['x402', ...named] : named.length > 0 ? named : ['unknown'];
      const base = { ...nothing, verdict: 'live', message, access: 'paid', schemes } as const;
      return quote === undefined ? base : { ...base, quote };
    }
    case 'refused':
      if (response.rpcCode === undefined) {
        return { ...nothing, verdict: 'not-speaking', message: response.message };
      }
      return openDoor(latencyMs);
    case 'result':
      return openDoor(latencyMs);
    case 'failed':
      return {
        ...nothing,
        verdict: failedVerdict(response),
        message: response.message,
      };
  }
}

function failedVerdict({
  reason,
  raw,
}: Extract<AgentResponse, { readonly kind: 'failed' }>): ProbeVerdict {
  if (HUB_STOPPED.includes(reason)) return 'unknown';
  return raw === undefined ? 'unreachable' : 'not-speaking';
}

function openDoor(latencyMs: number): DoorSeen {
  return {
    verdict: 'live',
    message: 'it answered.',
    latencyMs,
    access: 'open',
    accessNote: 'Inferred: its door answered without key or price; none of its skills was called.',
    schemes: [],
  };
}
