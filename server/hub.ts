import type { Logger } from 'pino';
import type { Store, Writer } from '../db/store.ts';
import type { Account, KeyId } from '../domain/account.ts';
import type { Inspection } from '../domain/httpsig/inspect.ts';
import type { RawRequest } from '../domain/httpsig/message.ts';
import type { Instant } from '../domain/instant.ts';
import type { OnceOperation } from '../generated/operations.ts';
import type { Bell } from './bell.ts';
import type { Checks } from './checks/checks.ts';
import type { Settings } from './config.ts';
import type { Call, JsonAnswer } from './handler.ts';
import type { Introductions } from './introductions.ts';
import type { Keys } from './keys.ts';
import type { Outside } from './outside/fetcher.ts';
import type { Speak } from './outside/speak.ts';
import type { FileStore } from './files/store.ts';
import type { Recent } from './recent.ts';
import type { Vectors } from './vectors/vectors.ts';

export type { HubKey } from './ed25519.ts';
export type { BodyPart, BodyStream, Failed, FailureReason, Outcome } from './outside/outcome.ts';
export type { Answered, OutsideRequest, Timings } from './outside/outcome.ts';
export type { Exchange, Shut, SpeakWishes, Spoken } from './outside/speech.ts';
export type { McpSession } from './outside/mcp/open.ts';

/** Everything that a handler or job may reach; nothing else in the process is global. */
export interface Hub {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: (bytes: number) => Uint8Array;
  readonly bell: Bell;
  readonly keys: Keys;
  readonly checks: Checks;
  /** Search by embedding, beside the event loop. */
  readonly vectors: Vectors;
  /** The contents of files; the database says what they are. */
  readonly files: FileStore;
  /** Every call that leaves the hub goes through here, and none goes out within a write. */
  readonly outside: Outside;
  /** MCP and A2A over `outside`. */
  readonly speak: Speak;
  /** Addresses that introduced themselves by a handshake. */
  readonly introductions: Introductions;
  /** Answers of public reads that are given again while nothing was written. */
  readonly recent: Recent;
  /** What an address is counted by: a v6 site is one caller (choices 10.2). */
  partitionOf(ip: string): string;
  readonly settings: Settings;
  readonly log: Logger;
  /** Verifies the signature of a request; binds nothing and takes no nonce. */
  inspect(request: RawRequest): Inspection;
  /** The account of a bound key, when this process has met the binding; a binding never changes. */
  boundAccount(keyId: KeyId): Account | undefined;
  /** Whether this key used this nonce before; does not take it. */
  wasNonceUsed(keyId: KeyId, nonce: string): Promise<boolean>;
  /** Takes the nonce of a signed request; false when it was taken before. */
  consumeNonce(keyId: KeyId, nonce: string): Promise<boolean>;
  /**
   * Runs `work` in a write transaction, once per (account, operation, idempotencyKey): a repeat
   * with the same body answers the stored result with `repeated` true, another body under the same
   * key is refused, and a refusal inside `work` leaves the key unused (choices 1.6).
   */
  once<Op extends OnceOperation>(
    call: Call<Op>,
    work: (tx: Writer) => Promise<OnceAnswer<Op>>,
  ): Promise<JsonAnswer<Op>>;
}

/** The answer without `repeated`, which `once` adds. */
export type OnceAnswer<Op extends OnceOperation> = DropRepeated<JsonAnswer<Op>>;
type DropRepeated<T> = T extends unknown ? Omit<T, 'repeated'> : never;

export interface Clock {
  now(): Instant;
  /** Milliseconds on a clock that nobody can set; only differences mean something. */
  elapsedMs(): number;
}
export interface Ids {
  /** A UUID version 7: sorts by time of making. */
  uuid(): string;
}
