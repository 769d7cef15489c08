import type { NetworkId } from '../../domain/network.ts';
import type { HostAllowList } from '../../domain/outbound/hostAllowList.ts';

/** What an operator decides; `server/config.ts` reads it from the environment. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  /** Base address in every answer, without a trailing slash. */
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** Default money network. */
  readonly network: NetworkId;
  readonly faucetEnabled: boolean;
  readonly logLevel: string;
  /** Tests and fuzzing turn the buckets off; the headers stay. */
  readonly rateLimits: boolean;
  /** Answers are checked against the contract before they leave. */
  readonly checkAnswers: boolean;
  /** Scripted counterparties on the sandbox, for somebody who is alone there. */
  readonly sandboxAgents: boolean;
  /** `host:port` pairs that the hub may call although they are private, by plain http too. */
  readonly allowPrivateHosts: HostAllowList;
}
