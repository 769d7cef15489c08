import { defined } from '../../domain/defined.ts';
import type { HostedRoute } from '../../domain/hosted/agent.ts';
import { FORWARDED_HEADER } from '../../domain/hosted/agent.ts';
import { openPace } from '../../domain/hosted/pace.ts';
import { strippedResult } from '../../domain/hosted/result.ts';
import type { JsonObject } from '../../domain/jsonObject.ts';
import type { AgentCallOptions, AgentResponse, Hub } from '../kernel/hub.ts';
import type { AgentClient } from '../kernel/outbound/agentClient.ts';
import { perHub } from '../kernel/perHub.ts';
import { tunnelAddress, tunnelClient } from './tunnel.ts';

/**
 * One call to a hosted agent. Only tool and arguments of the request go on, only the result of the
 * answer comes back (threats.hosted-answers). Names of hosts stay with the holder.
 */
const paces = perHub(({ settings }) => openPace(settings.rateLimits));
type Failure = Extract<AgentResponse, { kind: 'failed' }>;

/** In the words of the public; the holder reads the whole of it where only the holder looks. */
const SAYS: Readonly<Record<Failure['reason'], string>> = {
  'refused-url': 'Its endpoint is an address that the hub does not call.',
  'refused-address': 'Its endpoint is an address that the hub does not call.',
  'refused-request': 'The hub could not make this request.',
  dns: 'The name of its endpoint leads nowhere.',
  connect: 'Its endpoint could not be reached.',
  tls: 'The certificate of its endpoint is not accepted.',
  timeout: 'Its endpoint did not answer in time.',
  'too-large': 'Its answer is larger than the hub takes.',
  'too-many-redirects': 'Its endpoint redirects, and forwarded calls follow no redirect.',
  'bad-redirect': 'Its endpoint redirects, and forwarded calls follow no redirect.',
  protocol: 'Its endpoint answered outside of HTTP.',
  busy: 'It is not connected, or the hub has too many calls under way.',
  cancelled: 'The call was given up.',
  malformed: 'Its endpoint answered something else than MCP.',
  'server-error': 'Its endpoint failed.',
};

export function clientOf(hub: Hub, { via }: Pick<HostedRoute, 'via'>): AgentClient {
  return via === 'dial' ? hub.agents : tunnelClient(hub);
}

export function addressOfRoute({ via, keyId, endpoint }: HostedRoute): string {
  return via === 'dial' ? endpoint : tunnelAddress(keyId);
}

/** Wishes of any request that goes on to a hosted agent: marked, and not forwarded again. */
export function forwarding(route: HostedRoute, wishes: AgentCallOptions): AgentCallOptions {
  return {
    ...wishes,
    limits: { ...wishes.limits, redirectsMax: 0 },
    headers: { ...wishes.headers, [FORWARDED_HEADER]: route.keyId },
  };
}

export async function forwardTool(
  hub: Hub,
  route: HostedRoute,
  {
    caller,
    tool,
    args,
  }: { readonly caller: string; readonly tool: string; readonly args: JsonObject },
  wishes: AgentCallOptions,
): Promise<AgentResponse> {
  const place = paces(hub).enter(route.keyId, caller, hub.clock.now());
  if ('full' in place) return { kind: 'failed', reason: 'busy', message: place.full };
  try {
    const { transport, protocolVersion } = route;
    const door = {
      endpoint: addressOfRoute(route),
      transport,
      ...defined({ protocolVersion }),
    };
    const response = await clientOf(hub, route).callTool(
      door,
      tool,
      args,
      forwarding(route, wishes),
    );
    return forPublic(response);
  } finally {
    place.leave();
  }
}

function forPublic(response: AgentResponse): AgentResponse {
  switch (response.kind) {
    case 'result':
      return { ...response, result: strippedResult(response.result) };
    case 'quote': {
      // The listing states the price of a call; a hosted agent is paid through the hub alone.
      const { status, bytes, durationMs } = response;
      const message = 'Its endpoint asks for money itself; a hosted agent is paid by the hub.';
      return { kind: 'refused', status, bytes, durationMs, message };
    }
    case 'failed':
      return { ...response, message: SAYS[response.reason] };
    case 'key-needed':
    case 'refused':
      return response;
  }
}

const VISIT_MS_MAX = 20_000;
const VISIT_BYTES_MAX = 1_048_576;

/** Limits of one call of a visitor; a visitor that disconnects cancels it. */
export function visitLimits(gone: AbortSignal): AgentCallOptions {
  return {
    limits: { totalMs: VISIT_MS_MAX, firstByteMs: VISIT_MS_MAX, bytesMax: VISIT_BYTES_MAX },
    signal: AbortSignal.any([gone, AbortSignal.timeout(VISIT_MS_MAX)]),
  };
}
