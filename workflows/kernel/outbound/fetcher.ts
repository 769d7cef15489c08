import { randomBytes } from 'node:crypto';
import { fieldValue, readFields } from '../../../domain/httpsig/message.ts';
import type { HostAllowList } from '../../../domain/outbound/hostAllowList.ts';
import {
  afterRedirect,
  isRedirect,
  requestFault,
  resolveLocation,
  type Carried,
} from '../../../domain/outbound/request.ts';
import { judgeTarget, type Target, type TargetVerdict } from '../../../domain/outbound/target.ts';
import type { HubKey } from '../keys/ed25519.ts';
import type { Clock } from '../clock.ts';
import type { NoteDate } from '../peerClocks.ts';
import { openBody, wholeBody } from './body.ts';
import type { Endpoint } from './connect.ts';
import { openLimiter } from './limiter.ts';
import { attempt, type AttemptResponse, type OutboundDependencies } from './attempt.ts';
import { openRequestContexts, type RequestContext } from './requestContext.ts';
import { CONCURRENCY_LIMITS, limitsOf, type ConcurrencyLimits, type Limits } from './limits.ts';
import { resolveTexts, systemResolver, type Resolver, type Texts } from './resolver.ts';
import {
  failed,
  type Answered,
  type BodyStream,
  type Failed,
  type Outcome,
  type OutboundRequest,
} from './outcome.ts';
import { KEPT_CONNECTIONS, openPools, type KeptConnections } from './pools.ts';
import { withoutSecrets } from './redact.ts';

/**
 * The only door to other hosts (threats.ssrf, threats.rebinding). Every address of a name is
 * checked before one of them is dialled; a redirect starts again. Failures are values.
 */
export interface Outbound {
  /** Calls, and reads the body whole. */
  fetch(request: OutboundRequest): Promise<Outcome<Uint8Array>>;
  /** Calls, and hands the body over as it comes; it must be read or cancelled. */
  stream(request: OutboundRequest): Promise<Outcome<BodyStream>>;
  /** Asks for the TXT records of a name that was judged as the host of a URL. */
  texts(name: string): Promise<Texts | Failed>;
  /** Judges a URL without a call; `ok` false is one that could never be dialled. */
  judge(url: string, plainHttp?: boolean): TargetVerdict;
  report(): { readonly calls: number; readonly attempts: number; readonly idle: number };
  /** Gives up what is under way, and lets every connection go. */
  close(): void;
}

export interface OutboundParts {
  readonly allowList: HostAllowList;
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly key: () => HubKey;
  /** Called with the head of each answer, whose `Date` is compared with this clock. */
  readonly noteDate?: NoteDate;
  readonly resolver?: Resolver;
  readonly concurrency?: ConcurrencyLimits;
  readonly kept?: KeptConnections;
  /** Trusted instead of the public authorities, in PEM. */
  readonly ca?: string;
  /** Puts a test's own server where a checked address would be dialled. */
  readonly endpoint?: (address: string, port: number) => Endpoint;
}

const NONCE_BYTES = 16;

export function openOutbound(parts: OutboundParts): Outbound {
  const limiter = openLimiter(parts.concurrency ?? CONCURRENCY_LIMITS);
  const pools = openPools(parts.ca, parts.kept ?? KEPT_CONNECTIONS);
  const contexts = openRequestContexts();
  const dependencies: OutboundDependencies = {
    resolver: parts.resolver ?? systemResolver(),
    limiter,
    pools,
    clock: parts.clock,
    baseUrl: parts.baseUrl,
    key: parts.key,
    nonce: () => randomBytes(NONCE_BYTES).toString('hex'),
    endpoint: parts.endpoint ?? ((host, port) => ({ host, port })),
  };
  const { allowList: opened } = parts;
  let closed = false;

  const send = async (request: OutboundRequest): Promise<Outcome<BodyStream>> => {
    if (closed) return failed('cancelled', 'The hub is closing.');
    const limits = limitsOf(request.limits);
    const startedAt = parts.clock.elapsedMs();
    const context = contexts.begin(limits.totalMs, request.signal);
    const policy = { opened, plainHttp: request.plainHttp ?? false };
    let end: End | Failed | undefined;
    try {
      end = await followRedirects(dependencies, policy, request, limits, context);
    } finally {
      if (end?.kind !== 'end') context.end();
    }
    if (end.kind === 'failed') return end;
    const { head, permit } = end.arrived;
    noteDate(parts, end);
    const body = openBody(head, limits.bytesMax, context, () => {
      permit.leave();
      context.end();
    });
    return answerOf(end, body, parts.clock.elapsedMs() - startedAt);
  };
  const stream: Outbound['stream'] = async (request) =>
    withoutSecrets(request, await send(request));

  return {
    stream,
    async fetch(request) {
      const startedAt = parts.clock.elapsedMs();
      const answer = await stream(request);
      if (answer.kind === 'failed') return answer;
      const body = await wholeBody(answer.body);
      if ('kind' in body) return body;
      const timings = { ...answer.timings, totalMs: parts.clock.elapsedMs() - startedAt };
      return { ...answer, body, timings } satisfies Answered<Uint8Array>;
    },
    async texts(name) {
      if (closed) return failed('cancelled', 'The hub is closing.');
      const context = contexts.begin(limitsOf().totalMs, undefined);
      try {
        return await resolveTexts(name, dependencies.resolver, context);
      } finally {
        context.end();
      }
    },
    judge: (url, plainHttp = false) => judgeTarget(url, { opened, plainHttp }),
    report: () => ({
      calls: contexts.underWay(),
      attempts: limiter.underWay(),
      idle: pools.idle(),
    }),
    close() {
      closed = true;
      contexts.stopAll();
      pools.close();
    },
  };
}

function noteDate({ noteDate: note }: OutboundParts, { arrived, target }: End): void {
  const { response, connectMs, firstByteMs } = arrived.head;
  const waitedMs = connectMs + firstByteMs;
  note?.({ url: target.url, headers: readFields(response.rawHeaders), waitedMs });
}

interface End {
  readonly kind: 'end';
  readonly arrived: AttemptResponse;
  readonly target: Target;
  readonly redirects: number;
}

function answerOf(end: End, body: BodyStream, totalMs: number): Answered<BodyStream> {
  const { arrived, target, redirects } = end;
  const { head, address, resolveMs } = arrived;
  const { response, connectMs, firstByteMs } = head;
  return {
    kind: 'answer',
    status: response.statusCode ?? 0,
    headers: readFields(response.rawHeaders),
    body,
    finalUrl: target.url,
    redirects,
    address,
    timings: { resolveMs, connectMs, firstByteMs, totalMs },
  };
}

/** Hop after hop until an answer is no redirect; each begins with its URL, as the first did. */
async function followRedirects(
  dependencies: OutboundDependencies,
  policy: { readonly opened: HostAllowList; readonly plainHttp: boolean },
  request: OutboundRequest,
  limits: Limits,
  context: RequestContext,
): Promise<End | Failed> {
  let carried: Carried = {
    method: request.method ?? 'GET',
    headers: request.headers ?? {},
    body: request.body,
    sign: request.sign ?? false,
  };
  const fault = requestFault(carried);
  if (fault !== undefined) return failed('refused-request', fault);
  const first = judgeTarget(request.url, policy);
  if (!first.ok) return failed(first.reason, first.message);
  let target = first.target;
  for (let redirects = 0; redirects <= limits.redirectsMax; redirects += 1) {
    const arrived = await attempt(dependencies, target, carried, limits, context);
    if (arrived.kind === 'failed') return arrived;
    const { response } = arrived.head;
    const status = response.statusCode ?? 0;
    if (!isRedirect(status)) return { kind: 'end', arrived, target, redirects };
    const location = fieldValue(readFields(response.rawHeaders), 'location');
    // Its body is of no use, and reading it would be the other side's choice of how long.
    arrived.head.request.destroy();
    arrived.permit.leave();
    const next = nextTarget(location, target, policy);
    if (next.kind === 'failed') return next;
    carried = afterRedirect(carried, status, next.target.origin === target.origin);
    target = next.target;
  }
  const message = `${target.authority} sends the hub on more than ${limits.redirectsMax} times.`;
  return failed('too-many-redirects', message);
}

function nextTarget(
  location: string | undefined,
  from: Target,
  policy: { readonly opened: HostAllowList; readonly plainHttp: boolean },
): { readonly kind: 'next'; readonly target: Target } | Failed {
  if (location === undefined) {
    return failed('bad-redirect', `${from.authority} redirects without a Location.`);
  }
  const url = resolveLocation(location, from.url);
  if (url === undefined) {
    return failed('bad-redirect', `${from.authority} redirects to a Location that is no URL.`);
  }
  if (from.scheme === 'https' && /^http:/i.test(url)) {
    return failed('bad-redirect', `${from.authority} redirects from https to plain http.`);
  }
  const verdict = judgeTarget(url, policy);
  if (!verdict.ok) {
    const message = `${from.authority} redirects to where the hub does not go: ${verdict.message}`;
    return failed(verdict.reason, message);
  }
  return { kind: 'next', target: verdict.target };
}
