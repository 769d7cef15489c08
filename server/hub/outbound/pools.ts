import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import type { Target } from '../../../domain/outbound/target.ts';

/** Connections that wait for the next call to the same name at the same address. */
export interface Pools {
  /** `fresh` asks for a connection of its own, which nobody used before. */
  agentFor(target: Target, fresh: boolean): http.Agent;
  idle(): number;
  close(): void;
}

/** Less than servers usually keep one (5 s), so that it is rarely closing when it is taken. */
const IDLE_MS_MAX = 4_000;
const IDLE_PER_ORIGIN_MAX = 2;
export const IDLE_MAX = 64;

/**
 * Only TLS connections are kept: their pool is keyed by address and certificate name. Plain ones
 * would be keyed by address alone, and one site could leave an answer there for its neighbour.
 */
export function openPools(ca: string | undefined): Pools {
  const trust = ca === undefined ? {} : { ca };
  const tls = { ...trust, minVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'] } as const;
  const plain = new http.Agent({ keepAlive: false });
  const single = new https.Agent({ ...tls, keepAlive: false });
  const kept = new KeepingAgent({
    ...tls,
    keepAlive: true,
    maxFreeSockets: IDLE_PER_ORIGIN_MAX,
    timeout: IDLE_MS_MAX,
  });
  return {
    agentFor({ scheme }, fresh) {
      if (scheme === 'http') return plain;
      return fresh ? single : kept;
    },
    idle: () => kept.idle(),
    close() {
      for (const agent of [plain, single, kept]) agent.destroy();
    },
  };
}

/** Node bounds the idle connections of each origin; this bounds them over all origins. */
class KeepingAgent extends https.Agent {
  idle(): number {
    return Object.values(this.freeSockets).reduce((sum, each) => sum + (each?.length ?? 0), 0);
  }

  override keepSocketAlive(socket: Duplex): boolean {
    if (this.idle() >= IDLE_MAX) return false;
    // Node's own answer says no when the other side announced that it closes at once.
    const keeps: unknown = super.keepSocketAlive(socket);
    return keeps !== false;
  }
}
