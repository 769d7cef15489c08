import { defined } from '../../../../domain/defined.ts';
import { fieldValue } from '../../../../domain/httpsig/message.ts';
import { openEvents, type StreamEvent } from '../eventStream.ts';
import { failed, type Answered, type BodyPart, type BodyStream, type Failed } from '../outcome.ts';
import { looseJson, replyIn, rpcBody, type RpcEnd, type RpcMessage } from '../rpc.ts';
import { responseBefore } from '../response.ts';
import { CLIENT, type McpPlace } from './channel.ts';

/** HTTP+SSE (2024-11-05): the stream of a GET names where to post, then carries the replies. */
export interface OldStream {
  request(message: RpcMessage): Promise<RpcEnd>;
  close(): void;
}

const OLD_VERSION = '2024-11-05';
/** Events of one reply, with all the notifications before it. */
const EVENTS_MAX = 500;

export async function openOldStream(place: McpPlace): Promise<OldStream | RpcEnd> {
  const { dependencies, endpoint, options } = place;
  const { limits, sign, signal } = options;
  const kept = await options.before?.(endpoint);
  if (kept !== undefined) return kept;
  const startedAt = dependencies.elapsedMs();
  const answer = await dependencies.outbound.stream({
    url: endpoint,
    headers: { ...options.headers, accept: 'text/event-stream' },
    ...defined({ limits, sign, signal }),
  });
  const end = await opening(answer, dependencies.elapsedMs() - startedAt);
  options.onExchange?.({ method: 'GET', url: endpoint, end, shut: responseBefore(end) });
  if (answer.kind === 'failed' || end.kind === 'failed' || !isStream(answer)) return end;
  return speakOver(place, answer);
}

function isStream({ status, headers }: Answered<BodyStream>): boolean {
  const type = fieldValue(headers, 'content-type') ?? '';
  return status === 200 && /^text\/event-stream\b/i.test(type);
}

/** The answer to the GET as an end; the body of one that is no stream is not worth reading. */
async function opening(answer: Answered<BodyStream> | Failed, durationMs: number): Promise<RpcEnd> {
  if (answer.kind === 'failed') return answer;
  if (!isStream(answer)) answer.body.cancel();
  const { status, headers, finalUrl } = answer;
  const nothing = { bytes: new Uint8Array(), json: undefined };
  return { kind: 'answer', status, headers, finalUrl, durationMs, ...nothing };
}

async function speakOver(
  place: McpPlace,
  answer: Answered<BodyStream>,
): Promise<OldStream | RpcEnd> {
  const { dependencies, options } = place;
  const next = eventsOf(answer.body.parts);
  const first = await next();
  if (first === undefined || 'kind' in first) {
    answer.body.cancel();
    return first ?? failed('protocol', 'The event stream ended before it named an endpoint.');
  }
  const target = first.event === 'endpoint' ? sameOrigin(first.data, answer.finalUrl) : undefined;
  if (target === undefined) {
    answer.body.cancel();
    return failed('protocol', 'The first event of the stream names no endpoint of its origin.');
  }
  const request = async (message: RpcMessage): Promise<RpcEnd> => {
    const startedAt = dependencies.elapsedMs();
    const { limits, sign, signal, headers } = options;
    const posted = await dependencies.outbound.fetch({
      url: target,
      method: 'POST',
      headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
      body: rpcBody(message),
      ...defined({ limits, sign, signal }),
    });
    if (posted.kind === 'failed') return posted;
    const { status, headers: fields, finalUrl, body } = posted;
    const raw = { kind: 'answer', status, headers: fields, finalUrl } as const;
    if (status >= 300 || message.id === undefined) {
      const json = looseJson(Buffer.from(body).toString('utf8'));
      return { ...raw, bytes: body, json, durationMs: dependencies.elapsedMs() - startedAt };
    }
    for (let seen = 0; seen < EVENTS_MAX; seen += 1) {
      const event = await next();
      if (event === undefined) break;
      if ('kind' in event) return event;
      const reply = replyIn(event.data, looseJson(event.data), message.id);
      if (reply === undefined) continue;
      const durationMs = dependencies.elapsedMs() - startedAt;
      const bytes = Buffer.from(event.data);
      return { ...raw, status: 200, bytes, json: undefined, durationMs, reply };
    }
    return failed('protocol', 'The event stream ended before it answered.');
  };
  return {
    async request(message) {
      const kept = await options.before?.(target);
      if (kept !== undefined) return kept;
      const end = await request(message);
      const shut = responseBefore(end);
      options.onExchange?.({ method: message.method, url: target, end, shut });
      return end;
    },
    close: () => answer.body.cancel(),
  };
}

/** The opening message; the version is the only one that speaks this transport. */
export const OLD_INITIALIZE: RpcMessage = {
  id: 'initialize',
  method: 'initialize',
  params: { protocolVersion: OLD_VERSION, capabilities: {}, clientInfo: CLIENT },
};

/** Reads one event after the other; undefined when the stream has ended. */
function eventsOf(parts: AsyncIterable<BodyPart>): () => Promise<StreamEvent | Failed | undefined> {
  const source = parts[Symbol.asyncIterator]();
  const reader = openEvents();
  const waiting: StreamEvent[] = [];
  return async () => {
    while (waiting.length === 0) {
      const step = await source.next();
      if (step.done === true) return undefined;
      if (step.value.kind === 'failed') return step.value;
      waiting.push(...reader.push(step.value.bytes));
    }
    return waiting.shift();
  };
}

/** An endpoint on another origin would let the server choose where the hub posts to. */
function sameOrigin(named: string, from: string): string | undefined {
  if (!/^[\x21-\x7e]{1,2048}$/.test(named) || !URL.canParse(named, from)) return undefined;
  const url = new URL(named, from);
  return url.origin === new URL(from).origin ? url.href : undefined;
}
