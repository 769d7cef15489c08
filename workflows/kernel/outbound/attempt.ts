import {
  isSafeMethod,
  ROBOT_NAME,
  type Carried,
  type OutboundHeaders,
} from '../../../domain/outbound/request.ts';
import type { Target } from '../../../domain/outbound/target.ts';
import { service } from '../../../generated/doors.ts';
import type { HubKey } from '../keys/ed25519.ts';
import { HubError } from '../errors.ts';
import type { Clock } from '../clock.ts';
import { CODINGS_OFFERED } from './body.ts';
import { connect, type Endpoint, type Head, type Stop } from './connect.ts';
import type { Limiter, Permit } from './limiter.ts';
import type { RequestContext } from './requestContext.ts';
import type { Limits } from './limits.ts';
import { resolveTarget, type Resolver } from './resolver.ts';
import { failed, type Failed } from './outcome.ts';
import type { Pools } from './pools.ts';
import { signatureHeaders } from './sign.ts';

export interface OutboundDependencies {
  readonly resolver: Resolver;
  readonly limiter: Limiter;
  readonly pools: Pools;
  readonly clock: Clock;
  readonly baseUrl: string;
  /** The key that signs now; may refuse with `busy`. */
  readonly key: () => HubKey;
  readonly nonce: () => string;
  readonly endpoint: (address: string, port: number) => Endpoint;
}

/** One request that got a head; `turn` is held until its body is done with. */
export interface AttemptResponse {
  readonly kind: 'arrived';
  readonly head: Head;
  readonly permit: Permit;
  readonly address: string;
  readonly resolveMs: number;
}

/** Addresses of one name that are tried in turn. */
const ADDRESSES_TRIED_MAX = 4;

/** Waits for a turn, resolves, and dials what was checked: the check and the use are one list. */
export async function attempt(
  dependencies: OutboundDependencies,
  target: Target,
  carried: Carried,
  limits: Limits,
  context: RequestContext,
): Promise<AttemptResponse | Failed> {
  const permit = await dependencies.limiter.enter(target.host, context);
  if (permit.kind === 'failed') return permit;
  let result: Reached | Failed | undefined;
  try {
    result = await reach(dependencies, target, carried, limits, context);
  } finally {
    if (result?.kind !== 'reached') permit.leave();
  }
  return result.kind === 'failed' ? result : { ...result, kind: 'arrived', permit };
}

async function reach(
  dependencies: OutboundDependencies,
  target: Target,
  carried: Carried,
  limits: Limits,
  context: RequestContext,
): Promise<Reached | Failed> {
  const startedAt = dependencies.clock.elapsedMs();
  const addresses = await resolveTarget(target, dependencies.resolver, context);
  if ('kind' in addresses) return addresses;
  const resolveMs = dependencies.clock.elapsedMs() - startedAt;
  const result = await tryInTurn(dependencies, target, addresses, carried, limits, context);
  return result.kind === 'failed' ? result : { ...result, kind: 'reached', resolveMs };
}

interface Met {
  readonly kind: 'answered';
  readonly head: Head;
  readonly address: string;
}

interface Reached extends Omit<Met, 'kind'> {
  readonly kind: 'reached';
  readonly resolveMs: number;
}

async function tryInTurn(
  dependencies: OutboundDependencies,
  target: Target,
  addresses: readonly string[],
  carried: Carried,
  limits: Limits,
  context: RequestContext,
): Promise<Met | Failed> {
  const { elapsedMs } = dependencies.clock;
  const tried = addresses.slice(0, ADDRESSES_TRIED_MAX);
  const until = elapsedMs() + limits.connectMs;
  let last = failed('connect', `${target.authority} could not be reached.`);
  for (const [at, address] of tried.entries()) {
    const left = until - elapsedMs();
    if (left <= 0) break;
    // One dead address of several must leave time for the others.
    const connectMs = at === tried.length - 1 ? left : left / 2;
    let result = await send(dependencies, { target, address, carried, limits, connectMs, context });
    if (result.kind === 'stop' && result.again === 'fresh-connection') {
      const fresh = { target, address, carried, limits, connectMs, context, fresh: true };
      result = await send(dependencies, fresh);
    }
    if (result.kind === 'failed') return result;
    if (result.kind === 'head') return { kind: 'answered', head: result, address };
    if (result.again !== 'next-address') return result.failure;
    last = result.failure;
  }
  return last;
}

interface Sending {
  readonly target: Target;
  readonly address: string;
  readonly carried: Carried;
  readonly limits: Limits;
  readonly connectMs: number;
  readonly context: RequestContext;
  readonly fresh?: boolean;
}

/** Signs every attempt, since a nonce is good for one. */
async function send(
  dependencies: OutboundDependencies,
  sending: Sending,
): Promise<Head | Stop | Failed> {
  const { target, address, carried, limits, connectMs, context, fresh = false } = sending;
  const { method, body } = carried;
  const headers = headersOf(dependencies, target, carried);
  if (headers === undefined) return failed('busy', 'This process of the hub cannot sign yet.');
  const agent = dependencies.pools.agentFor(target, fresh);
  const endpoint = dependencies.endpoint(address, target.port);
  const { elapsedMs } = dependencies.clock;
  return connect(
    { target, endpoint, method, headers, body, limits, connectMs, agent, elapsedMs },
    context,
  );
}

/** Undefined when it should be signed and there is no key. */
function headersOf(
  dependencies: OutboundDependencies,
  target: Target,
  carried: Carried,
): OutboundHeaders | undefined {
  const { method, body } = carried;
  const headers: OutboundHeaders = {
    accept: '*/*',
    ...carried.headers,
    'accept-encoding': CODINGS_OFFERED,
    'user-agent': userAgent(dependencies.baseUrl),
    // Framed in any case, or some servers wait for a body that never comes (RFC 9110 8.6).
    ...(!isSafeMethod(method) && { 'content-length': String(body?.length ?? 0) }),
  };
  if (!carried.sign) return headers;
  const key = signingKey(dependencies);
  if (key === undefined) return undefined;
  const signing = {
    key,
    createdSeconds: Math.floor(dependencies.clock.now() / 1000),
    nonce: dependencies.nonce(),
    baseUrl: dependencies.baseUrl,
  };
  return { ...headers, ...signatureHeaders({ target, method, headers, body }, signing) };
}

function signingKey({ key }: OutboundDependencies): HubKey | undefined {
  try {
    return key();
  } catch (error) {
    if (error instanceof HubError) return undefined;
    throw error;
  }
}

/** RFC 9110 10.1.5: who calls, and where to read about it. */
function userAgent(baseUrl: string): string {
  return `${ROBOT_NAME}/${service.version} (+${new URL(baseUrl).href.replace(/\/$/, '')}/docs)`;
}
