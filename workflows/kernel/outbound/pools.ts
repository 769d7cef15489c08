import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import type { Target } from '../../../domain/outbound/target.ts';

/** Connections that wait for the next call to the same name at the same address. */
export interface Pools {
  /** `fresh` asks for a connection of its own, which was not used before. */
  agentFor(target: Target, fresh: boolean): http.Agent;
  idle(): number;
  close(): void;
}

/** Less than servers usually keep one (5 s), so that it is rarely closing when it is taken. */
const IDLE_MS_MAX = 4_000;
export interface KeptConnections {
  readonly perOriginMax: number;
  readonly allMax: number;
}
export const IDLE_MAX = 64;
export const KEPT_CONNECTIONS: KeptConnections = { perOriginMax: 2, allMax: IDLE_MAX };

/**
 * A kept connection serves the same name at the same address again: TLS pools are keyed by the
 * certificate's name, plain ones by Host, so that no site can leave an answer there for another.
 */
export function openPools(ca: string | undefined, most: KeptConnections): Pools {
  const trust = ca === undefined ? {} : { ca };
  const tls = { ...trust, minVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'] } as const;
  const keeping = {
    keepAlive: true,
    maxFreeSockets: most.perOriginMax,
    timeout: IDLE_MS_MAX,
  } as const;
  const single = {
    http: new http.Agent({ keepAlive: false }),
    https: new https.Agent({ ...tls, keepAlive: false }),
  };
  const kept = { http: new NamedAgent(keeping), https: new https.Agent({ ...tls, ...keeping }) };
  const idle = (): number => idleOf(kept.http) + idleOf(kept.https);
  for (const agent of [kept.http, kept.https]) bound(agent, () => idle() < most.allMax);
  return {
    agentFor: ({ scheme }, fresh) => (fresh ? single : kept)[scheme],
    idle,
    close() {
      for (const agent of [single.http, single.https, kept.http, kept.https]) agent.destroy();
    },
  };
}

/** Keys plain connections by the name in Host as well; Node does it by address and port. */
class NamedAgent extends http.Agent {
  override getName(options?: http.ClientRequestArgs): string {
    const { host } = (options?.headers ?? {}) as http.OutgoingHttpHeaders;
    return `${super.getName(options)}:${String(host)}`;
  }
}

function idleOf({ freeSockets }: http.Agent): number {
  return Object.values(freeSockets).reduce((sum, each) => sum + (each?.length ?? 0), 0);
}

/** Node bounds the idle connections of each origin; this bounds them over all origins. */
function bound(agent: http.Agent, hasRoom: () => boolean): void {
  const keep = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => unknown;
  // Node's own answer says no when the other side announced that it closes at once.
  agent.keepSocketAlive = (socket) => hasRoom() && keep(socket) !== false;
}
