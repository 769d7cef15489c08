import type { Logger } from 'pino';
import type { Need } from '../../db/batch/need.ts';
import type { Decider, Transaction } from '../../db/batch/transaction.ts';
import type { Nonce } from '../../db/nonces.ts';
import type { Store, Writer } from '../../db/store.ts';
import type { Account, KeyId } from '../../domain/account.ts';
import type { Inspection } from '../../domain/httpsig/inspect.ts';
import type { RawRequest } from '../../domain/httpsig/message.ts';
import type { OnceOperation } from '../../generated/operations.ts';
import type { Notifier } from './notifier.ts';
import type { Chains } from './chain/chains.ts';
import type { Checks } from './checks/checks.ts';
import type { Settings } from './settings.ts';
import type { ActingCall, Caller, JsonAnswer } from './call.ts';
import type { AddressAllowances } from './addressAllowances.ts';
import type { Ruling } from './keyRuling.ts';
import type { Health } from './health.ts';
import type { Keys } from './keys/keys.ts';
import type { Outbound } from './outbound/fetcher.ts';
import type { AgentClient } from './outbound/agentClient.ts';
import type { ListingTexts } from './listingTexts.ts';
import type { ResponseCache } from './responseCache.ts';
import type { CostlyAnswers } from './costlyAnswers.ts';
import type { Clock, Ids } from './clock.ts';
import type { ModelDesk } from './models/desk.ts';
import type { FileStore } from './files/fileStore.ts';
import type { Moderation } from './moderation.ts';
import type { StorageBudget } from './storageBudget.ts';
import type { FeedReader } from './crawlFeeds/reader.ts';
import type { ByMeaning } from './search/byMeaning.ts';
import type { Search } from './search/search.ts';
import type { Vectors } from './vectors/vectors.ts';
import type { Worlds } from './worlds.ts';
import type { PaymentSignatures } from './x402/signatures.ts';

export type { HubKey } from './keys/ed25519.ts';
export type { Failed, Outcome } from './outbound/outcome.ts';
export type { Answered, OutboundRequest } from './outbound/outcome.ts';
export type {
  Exchange,
  ConnectionRefused,
  AgentCallOptions,
  PaymentAlong,
  AgentResponse,
} from './outbound/response.ts';
import type { Answered } from './answered.ts';
export type { ModelFault, ModelPart } from './models/desk.ts';
export type { McpSession } from './outbound/mcp/open.ts';

/** Time and chance, which tests set. */
export interface Ambient {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: (bytes: number) => Uint8Array;
}

/** An address below that of the hub, and the hash of its bytes. */
interface ClientPackage {
  readonly path: string;
  readonly integrity: string;
}

/** The stored state of the hub, and the parts of it in memory. */
interface Kept {
  readonly store: Store;
  /** Accounts of the hub's own scripted agents; empty where none run. */
  readonly sandboxAgents: ReadonlySet<string>;
  /** The client's package that this hub serves; undefined where none was built. */
  readonly clientPackage: (ClientPackage & { readonly wheel?: ClientPackage }) | undefined;
  /** The contents of files; the database says what they are. */
  readonly files: FileStore;
  readonly keys: Keys;
  readonly search: Search;
  readonly byMeaning: ByMeaning;
  /** Search by embedding, beside the event loop. */
  readonly vectors: Vectors;
  readonly listingTexts: ListingTexts;
  readonly responses: ResponseCache & CostlyAnswers;
}

/** Whom the hub calls. */
interface Reach {
  /** Every call that leaves the hub goes through here, and none goes out within a write. */
  readonly outbound: Outbound;
  /** MCP and A2A over `outbound`. */
  readonly agents: AgentClient;
  readonly models: ModelDesk;
  /** The chains that money comes in and goes out on; none unless configured. */
  readonly chains: Chains;
  /** Whose signature a payment over x402 has, found beside the event loop. */
  readonly paymentSignatures: PaymentSignatures;
  readonly feedReader: FeedReader;
}

export interface Acting {
  readonly caller: Caller;
  readonly operation: string;
}

/** Units of work in a caller's name. */
export interface Units {
  /**
   * Runs `work` in a write transaction in the caller's name. Once it is committed the caller's
   * account was used, and its key joins no other; a refusal settles nothing.
   */
  act<T>(call: Pick<Acting, 'caller'>, work: (tx: Writer) => Promise<T>): Promise<T>;
  /** The same for a transaction, which shares its round trips with all that wait. */
  transact<T>(call: Acting, unit: Omit<Transaction<T>, 'admit' | 'name'>): Promise<T>;
  /**
   * Runs `work` as `act` does, once per (account, operation, idempotencyKey): a repeat
   * with the same body answers the stored result with `repeated` true, another body under the same
   * key is refused, and a refusal inside `work` leaves the key unused (choices ledger.idempotency).
   */
  once<Op extends OnceOperation>(
    call: ActingCall<Op>,
    work: (tx: Writer) => Promise<OnceAnswer<Op>>,
  ): Promise<JsonAnswer<Op>>;
  /** The same for a transaction, as `transact` has it. */
  transactOnce<Op extends OnceOperation>(
    call: ActingCall<Op>,
    unit: Omit<Transaction<OnceAnswer<Op>>, 'admit' | 'name'>,
  ): Promise<JsonAnswer<Op>>;
}

/** Everything that a handler or job may reach; nothing else in the process is global. */
export interface Hub extends Ambient, Kept, Reach, Units {
  readonly settings: Settings;
  readonly log: Logger;
  readonly notifier: Notifier;
  readonly health: Health;
  readonly checks: Checks;
  readonly moderation: Moderation;
  readonly storage: StorageBudget;
  readonly worlds: Worlds;
  readonly callers: Callers;
  readonly allowances: AddressAllowances;
  /** Set for a call that is tried (choices pipeline.preview). */
  readonly trial?: {
    /** Ends it before the hub would reach out. */
    stop(before: string): never;
    /** Raised when it would wait, in place of its caller's leaving. */
    readonly gone: AbortSignal;
  };
}

/** Keys that sign requests, and their accounts. */
export interface Callers {
  /** Verifies the signature of a request; binds nothing and takes no nonce. */
  inspect(request: RawRequest): Inspection;
  /** The account of a key that signed and is settled, when this process has met it. */
  boundAccount(keyId: KeyId): Account | undefined;
  /**
   * Settles the key in an account's name there, in the unit that uses or names the account; answers
   * the account that this key acts for, for ever: another one when it joined that before.
   */
  settle(tx: Writer, account: Account): Promise<Account>;
  /** The same for a transaction. */
  settling(account: Account): Settling;
  /** Whether this key used this nonce before; does not take it. */
  wasNonceUsed(keyId: KeyId, nonce: string): Promise<boolean>;
  /** Takes the nonce; false when it was taken before. Throws what the policy of the key refuses. */
  consumeNonce(nonce: Nonce, ruling: Ruling): Promise<boolean>;
  /** Whether the API key of this digest is good now. */
  isKeyGood(digest: string): Promise<boolean>;
}

export interface Settling {
  readonly needs: readonly Need[];
  settle(db: Decider): Account;
}

/** The answer without `repeated`, which `once` adds. */
export type OnceAnswer<Op extends OnceOperation> = DropRepeated<Answered<JsonAnswer<Op>>>;
type DropRepeated<T> = T extends unknown ? Omit<T, 'repeated'> : never;
