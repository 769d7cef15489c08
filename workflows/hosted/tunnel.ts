import { connectedUntil } from '../../db/hosted/connections.ts';
import { answerOf, dropLetter, putLetter, renewLetter } from '../../db/hosted/letters.ts';
import type { KeyId } from '../../domain/account.ts';
import { instant } from '../../domain/instant.ts';
import type { Hub, OutboundRequest } from '../kernel/hub.ts';
import { openAgentClient, type AgentClient } from '../kernel/outbound/agentClient.ts';
import { limitsOf } from '../kernel/outbound/limits.ts';
import { failed, type Answered, type BodyStream } from '../kernel/outbound/outcome.ts';
import type { BodyPart, Failed, Outcome } from '../kernel/outbound/outcome.ts';
import type { Carrier } from '../kernel/outbound/rpc.ts';
import { perHub } from '../kernel/perHub.ts';
import { hostedAnswersTopic, hostedCallsTopic } from '../topics.ts';

/**
 * Speaks to an agent that connected out (choices hosted.connections). It carries requests of MCP
 * like the guard does, by a letter in the database in place of a dialled connection: whichever
 * process the agent asks next hands the letter out, and gives the answer back the same way.
 */
export interface TunnelRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface TunnelAnswer {
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
  /** Why no answer came. */
  readonly failed?: string | undefined;
}

/** Stands where an endpoint would; the agent alone knows which server it forwards to. */
const PLACE = 'http://connected.invalid/';
/** Headers read of an answer; any other could have an effect that was not asked for. */
const HEADERS_READ = ['content-type', 'mcp-session-id', 'www-authenticate', 'payment-required'];
/** How long after its caller last waited a letter that was not taken is still handed out. */
const LETTER_KEPT_MS = 3_000;
const LETTER_RENEWED_MS = 1_000;

export function tunnelAddress(keyId: KeyId): string {
  return PLACE + keyId;
}

/** Waiting callers of this process by letter, which get their answer without the database. */
export const waitingCallers = perHub(() => new Map<string, (answer: TunnelAnswer) => void>());

/** Speaks MCP over connections; what servers agreed on is remembered as for dialled ones. */
export const tunnelClient = perHub((hub): AgentClient => openAgentClient(carrier(hub), hub.clock));

function carrier(hub: Hub): Carrier {
  const stream = async (request: OutboundRequest): Promise<Outcome<BodyStream>> => {
    const answer = await carry(hub, request);
    if ('kind' in answer) return answer;
    const bytes = Buffer.from(answer.body ?? '');
    return answered(request, answer, { parts: onePart(bytes), cancel: () => undefined });
  };
  return {
    stream,
    async fetch(request) {
      const answer = await carry(hub, request);
      if ('kind' in answer) return answer;
      return answered(request, answer, new Uint8Array(Buffer.from(answer.body ?? '')));
    },
  };
}

async function* onePart(bytes: Uint8Array): AsyncGenerator<BodyPart> {
  yield await Promise.resolve({ kind: 'bytes', bytes } as const);
}

function answered<Body>(
  { url }: OutboundRequest,
  { status = 502, headers = {} }: TunnelAnswer,
  body: Body,
): Answered<Body> {
  const read = Object.entries(headers).flatMap(([name, value]): [string, string[]][] =>
    HEADERS_READ.includes(name.toLowerCase()) ? [[name.toLowerCase(), [value]]] : [],
  );
  const timings = { resolveMs: 0, connectMs: 0, firstByteMs: 0, totalMs: 0 };
  const from = { finalUrl: url, redirects: 0, address: '', timings };
  return { kind: 'answer', status, headers: new Map(read), body, ...from };
}

async function carry(hub: Hub, request: OutboundRequest): Promise<TunnelAnswer | Failed> {
  hub.trial?.stop('the call of a connected agent');
  const keyId = request.url.slice(PLACE.length) as KeyId;
  const { bytesMax, totalMs } = limitsOf(request.limits);
  const id = hub.ids.uuid();
  const put = await post(hub, keyId, id, request);
  if (put !== undefined) return put;
  const answer = await answerFor(hub, keyId, id, { totalMs, signal: request.signal });
  if ('kind' in answer) return answer;
  if (answer.failed !== undefined || answer.status === undefined) {
    return failed('connect', `The agent got no answer: ${answer.failed ?? 'it sent none'}`);
  }
  if (Buffer.byteLength(answer.body ?? '') > bytesMax) {
    return failed('too-large', `Its answer is larger than ${bytesMax} bytes.`);
  }
  return answer;
}

async function post(
  hub: Hub,
  keyId: KeyId,
  id: string,
  { method = 'POST', headers = {}, body }: OutboundRequest,
): Promise<Failed | undefined> {
  if (method !== 'GET' && method !== 'POST' && method !== 'DELETE') {
    return failed('refused-request', `${method} is not carried over a connection.`);
  }
  const text = body === undefined ? {} : { body: Buffer.from(body).toString('utf8') };
  const request: TunnelRequest = { method, headers, ...text };
  return hub.store.write(async (tx) => {
    const now = hub.clock.now();
    const until = await connectedUntil(tx, keyId);
    // The agent is not there to answer, which is no fault of an address.
    if (until === undefined || until <= now) return failed('busy', 'The agent is not connected.');
    const letter = { id, request: JSON.stringify(request) };
    await putLetter(tx, keyId, letter, instant(now + LETTER_KEPT_MS));
    tx.publish(hostedCallsTopic(keyId));
    return undefined;
  });
}

/** Waits for the answer, here or from another process; nothing of the letter is left behind. */
async function answerFor(
  hub: Hub,
  keyId: KeyId,
  id: string,
  { totalMs, signal }: { readonly totalMs: number; readonly signal: AbortSignal | undefined },
): Promise<TunnelAnswer | Failed> {
  const callers = waitingCallers(hub);
  const topic = hostedAnswersTopic(keyId);
  const isHere = new AbortController();
  let answer: TunnelAnswer | undefined;
  callers.set(id, (given) => {
    answer = given;
    isHere.abort();
  });
  const until = hub.clock.elapsedMs() + totalMs;
  try {
    const ended = signal === undefined ? isHere.signal : AbortSignal.any([isHere.signal, signal]);
    const isGone = (): boolean => signal?.aborted === true;
    for (;;) {
      const since = hub.notifier.published(topic);
      if (answer !== undefined) return answer;
      const stored = await hub.store.readOne((db) => answerOf(db, id));
      if (stored !== undefined) return JSON.parse(stored) as TunnelAnswer;
      const left = until - hub.clock.elapsedMs();
      if (isGone() || left <= 0) {
        return failed('timeout', 'The connected agent did not answer in time.');
      }
      const ms = Math.min(left, LETTER_RENEWED_MS);
      if ((await hub.notifier.wait(topic, since, ms, ended)) || ended.aborted) continue;
      const expiresAt = instant(hub.clock.now() + LETTER_KEPT_MS);
      await hub.store.write((tx) => renewLetter(tx, id, expiresAt));
    }
  } finally {
    callers.delete(id);
    // An answer that came to this process took its letter along.
    if (answer === undefined) await hub.store.write((tx) => dropLetter(tx, id));
  }
}
