import type { ProofLook } from '../../domain/passport/domain.ts';
import {
  documentUrl,
  hasRecords,
  keyInDocument,
  keysInRecords,
  recordName,
} from '../../domain/passport/proof.ts';
import { cleanText } from '../../domain/registry/text.ts';
import type { Answered, Failed, Hub } from '../kernel/hub.ts';
import { parseUntrustedJson } from '../../domain/registry/readJson.ts';

/**
 * Asks an origin for the proof of its domain in both places at once. It calls untrusted hosts and
 * writes nothing, so it is never called inside a write.
 */
export function probeProofs(hub: Hub, origin: string): Promise<readonly ProofLook[]> {
  const { hostname } = new URL(origin);
  const records = hasRecords(hostname) ? [lookAtRecords(hub, recordName(hostname))] : [];
  return Promise.all([...records, lookAtDocument(hub, documentUrl(origin))]);
}

type Seen = Pick<ProofLook, 'state' | 'keys' | 'seen'>;

const SEEN_MAX = 1_000;
/** A key with its braces fits many times over. */
const DOCUMENT_LIMITS = { bytesMax: 65_536, redirectsMax: 0, totalMs: 8_000 };
const NONE = [] as const;

async function lookAtRecords(hub: Hub, asked: string): Promise<ProofLook> {
  const startedAt = hub.clock.elapsedMs();
  const answer = await hub.outbound.texts(asked);
  const took = { method: 'dns', asked, durationMs: since(hub, startedAt) } as const;
  if (answer.kind === 'failed') return { ...took, ...unanswered(answer) };
  if (answer.texts.length === 0) return { ...took, state: 'absent', keys: NONE };
  const keys = keysInRecords(answer.texts);
  return { ...took, state: 'read', keys, ...shown(answer.texts.join('\n')) };
}

async function lookAtDocument(hub: Hub, asked: string): Promise<ProofLook> {
  const startedAt = hub.clock.elapsedMs();
  const answer = await hub.outbound.fetch({
    url: asked,
    headers: { accept: 'application/json' },
    limits: DOCUMENT_LIMITS,
  });
  const seen = answer.kind === 'failed' ? unanswered(answer) : documentSeen(answer);
  return { method: 'well-known', asked, ...seen, durationMs: since(hub, startedAt) };
}

/** A server that broke, or has had enough, does not say whether the document is there. */
function documentSeen({ status, body }: Answered<Uint8Array>): Seen {
  const text = new TextDecoder().decode(body);
  const what = shown(`${status} ${text}`);
  if (status === 429 || status >= 500) return { state: 'unreachable', keys: NONE, ...what };
  if (status !== 200) return { state: 'absent', keys: NONE, ...what };
  const key = keyInDocument(parseUntrustedJson(text));
  if (key === undefined) return { state: 'malformed', keys: NONE, ...what };
  return { state: 'read', keys: [key], ...what };
}

/** A failure that the host caused on purpose is malformed; all others say nothing of the proof. */
function unanswered({ reason, message }: Failed): Seen {
  const isSent = ['too-large', 'too-many-redirects', 'bad-redirect'].includes(reason);
  return { state: isSent ? 'malformed' : 'unreachable', keys: NONE, ...shown(message) };
}

function shown(text: string): Pick<ProofLook, 'seen'> {
  const seen = cleanText(text, SEEN_MAX);
  return seen === undefined ? {} : { seen };
}

function since(hub: Hub, startedAt: number): number {
  return Math.max(0, Math.round(hub.clock.elapsedMs() - startedAt));
}
