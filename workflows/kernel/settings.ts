import type { Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { Offer } from '../../domain/models/offer.ts';
import type { VerifierKey } from '../../domain/log/note.ts';
import type { HostAllowList } from '../../domain/outbound/hostAllowList.ts';
import type { TrustedProxies } from './trustedProxies.ts';
import type { ChainSettings } from './chain/settings.ts';

/** Decisions of the operator; `server/boot/config.ts` reads them from the environment. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  /** Base address in every answer, without a trailing slash. */
  readonly baseUrl: string;
  readonly databaseUrl: string;
  /** The same database without a pooler, for what listens; `databaseUrl` when absent. */
  readonly databaseDirectUrl?: string;
  /** A replica for reads that may lag; absent when there is none. */
  readonly databaseReplica?: { readonly url: string; readonly lagMsMax: number };
  /** Connections of one process to PostgreSQL. */
  readonly databaseConnections: number;
  readonly dataDir: string;
  /** A folder of the hub with fewer free bytes raises an alert. */
  readonly diskLowBytes: number;
  /** Default money network. */
  readonly network: NetworkId;
  readonly faucetEnabled: boolean;
  readonly logLevel: string;
  /** Writes one line at `info` for each answered request. */
  readonly accessLog: boolean;
  /** Logs each pass of each batch. */
  readonly traceBatches: boolean;
  /** Tests and fuzzing turn the buckets off; the headers stay. */
  readonly rateLimits: boolean;
  /** Answers are checked against the contract before they leave, and units for nesting. */
  readonly checkAnswers: boolean;
  /** Scripted counterparties on the sandbox, for an agent that is alone there. */
  readonly sandboxAgents: boolean;
  /** Test worlds of this process at once; none when 0 (choices worlds.world). */
  readonly worldsMax: number;
  /** `host:port` pairs that the hub may call although they are private, by plain http too. */
  readonly allowPrivateHosts: HostAllowList;
  /** Keys of witnesses whose cosignatures of the log are taken. */
  readonly logWitnesses: readonly VerifierKey[];
  /** Lists elsewhere that propose addresses to the crawler. */
  readonly crawlFeeds: readonly string[];
  /** Proxies whose word on a caller's address is taken. */
  readonly trustedProxies: TrustedProxies;
  /** Files of the certificate and its key; plain HTTP when absent. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Processes on one port under one parent; this one process alone when absent. */
  readonly workers?: number | 'auto';
  /** Bytes of embeddings that a process keeps in memory for searches. */
  readonly memoryCacheBytes: number;
  /** Models that the desk sells; its stand-in alone when empty. */
  readonly models: readonly Offer[];
  /** The model whose vectors search uses, which the operator pays for; words alone when absent. */
  readonly searchEmbeddings?: string;
  /** Where the contents of files are; a folder under `dataDir` when absent. */
  readonly filesS3?: S3Settings;
  /** The operator's own port for metrics and health; absent when there is none. */
  readonly metricsPort?: number;
  /** Lets who sends it read `/metrics` at the hub's own port. */
  readonly metricsToken?: string;
  /** Opens the operator's page `/admin`; there is none when absent. */
  readonly adminToken?: string;
  /** Where traces are sent, and which share of them; absent when requests are not traced. */
  readonly traces?: { readonly url: string; readonly ratio: number };
  /** How long a process goes on serving after it was asked to end, so that balancers notice. */
  readonly drainMs: number;
  /** The chain of `base`; absent when the hub follows none. */
  readonly chain?: ChainSettings;
  /** Who settles x402 payments that come in: this hub (`local`) or an address; none when absent. */
  readonly x402Facilitator?: string;
  /** Ceilings of chain payments to others' agents for callers; nothing is paid when absent. */
  readonly x402PayUpstream?: PayUpstream;
}

/** Ceilings in atomic units: for one call, and for all calls of a UTC day, over all processes. */
export interface PayUpstream {
  readonly callMax: Atomic;
  readonly dayMax: Atomic;
}

/** A bucket of an S3 server; without an endpoint it is Amazon's. */
export interface S3Settings {
  readonly bucket: string;
  readonly region: string;
  readonly endpoint?: string;
  readonly prefix: string;
  /** The machine's own credentials when absent. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}
