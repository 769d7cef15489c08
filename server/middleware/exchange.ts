import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Account } from '../../domain/account.ts';
import type { Hashes } from '../../domain/httpsig/hashes.ts';
import type { RawRequest } from '../../domain/httpsig/message.ts';
import type { Identity } from '../http/wire.ts';
import type { RequestFacts, Upload } from '../../workflows/kernel/call.ts';
import { addressPartition } from '../../workflows/kernel/addressPartition.ts';
import type { HubError } from '../../workflows/kernel/errors.ts';
import type { Flight, Held } from '../../workflows/kernel/flight.ts';
import type { OperationSpec } from '../../workflows/kernel/operation.ts';
import type { PolicyName } from '../../workflows/kernel/policies.ts';
import type { TrustedProxies } from '../../workflows/kernel/trustedProxies.ts';
import type { RateNote } from '../http/limits.ts';
import { dropped } from './bodyRefusals.ts';

export const JSON_TYPE = 'application/json';
export const NO_BYTES: Uint8Array = new Uint8Array(0);
const NO_RATE: RateNote = { limit: 0, remaining: 0, policy: '' };

/** The answer; headers that every answer carries are added when it is sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | Readable;
}

/** Work that can be given up in the middle. */
export interface Droppable {
  drop(why: HubError): void;
}

/** Parts that an exchange shares with all others. */
export interface Surroundings {
  readonly flight: Flight;
  readonly proxies: TrustedProxies;
  readonly below: string;
}

/** One request on its way through the HTTP door, and what each step learned of it. */
export class Exchange {
  readonly requestId: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Raw request target: never decoded or rewritten, because the signature covers it. */
  readonly target: string;
  readonly method: string;
  readonly ip: string;
  rate: RateNote = NO_RATE;
  /** The policy that this address is counted by when the request is unsigned. */
  visitorPolicy: 'anon' | 'introduced' = 'anon';
  /** The operation of the contract; absent at a door and where none was found. */
  spec: OperationSpec | undefined;
  /** Whether the answer is the caller's own: it signed, or has an API key. */
  isSigned = false;
  /** The account that the caller acts for; absent for a visitor. */
  account: Account | undefined;
  /** The account that signed a public call, which is counted against it and nothing else. */
  reader: Account | undefined;
  /** The name that metrics count it under: the operation, or the door. */
  operation = 'none';
  /** Why it was refused; empty when it was not. */
  refusal = '';
  /** The bucket that the request was counted in: its address's or its account's. */
  countedBy: readonly [PolicyName, string] | undefined;
  path: Readonly<Record<string, string>> = {};
  rawBody: Uint8Array = NO_BYTES;
  /** The digests of a body that was not kept as it was sent (`upload.ts`). */
  hashes: Hashes | undefined;
  upload: Upload | undefined;
  /** Bytes of the process's memory that the request holds. */
  readonly held: Held;
  /**
   * Dropped when it held too much for too long; absent when no body is read. An object, since a
   * function that is put into a field here took every seventh request into V8's old generation.
   */
  reading: Droppable | undefined;
  readonly #context: Context;
  readonly #below: number;
  #address: string | undefined;

  constructor(context: Context, requestId: string, { flight, proxies, below }: Surroundings) {
    this.#context = context;
    this.#below = below.length;
    this.requestId = requestId;
    this.request = context.req;
    this.response = context.res;
    this.target = context.req.url ?? '/';
    this.method = context.req.method ?? 'GET';
    this.ip = proxies.callerOf(context.req);
    this.held = flight.enter(this.address, (whose) => this.#drop(whose));
  }

  #drop(whose: 'address' | 'process'): void {
    if (this.reading === undefined) this.response.destroy();
    else this.reading.drop(dropped(whose));
  }

  /** The partition that address policies count by. */
  get address(): string {
    return (this.#address ??= addressPartition(this.ip));
  }

  get raw(): RawRequest {
    const { method, target, request, rawBody, hashes } = this;
    const raw = { method, target, headers: request.rawHeaders, body: rawBody };
    return hashes === undefined ? raw : { ...raw, hashes };
  }

  get wantsHtml(): boolean {
    return this.preferred(['text/html']) !== undefined;
  }

  /** The one of these types that the caller would rather have than JSON. */
  preferred(types: readonly string[]): string | undefined {
    const best = this.#context.accepts(JSON_TYPE, ...types);
    return best === false || best === JSON_TYPE ? undefined : best;
  }

  /** The undecoded path, without the one that the hub answers below. */
  get rawPath(): string {
    const cut = this.target.indexOf('?');
    return (cut < 0 ? this.target.slice(this.#below) : this.target.slice(this.#below, cut)) || '/';
  }

  /** The undecoded query; empty for `/p` and for `/p?`. */
  get rawQuery(): string {
    const cut = this.target.indexOf('?');
    return cut < 0 ? '' : this.target.slice(cut + 1);
  }
}

/** The facts that operations are given; few ask whether the caller left. */
export class Facts implements RequestFacts {
  readonly id: string;
  readonly wireBody: unknown;
  readonly #exchange: Exchange;
  #gone: AbortSignal | undefined;

  constructor(exchange: Exchange, wireBody: unknown) {
    this.id = exchange.requestId;
    this.wireBody = wireBody;
    this.#exchange = exchange;
  }

  get gone(): AbortSignal {
    return (this.#gone ??= this.#goneSignal());
  }

  get raw(): RawRequest {
    return this.#exchange.raw;
  }

  get upload(): Upload | undefined {
    return this.#exchange.upload;
  }

  #goneSignal(): AbortSignal {
    const controller = new AbortController();
    this.#exchange.response.once('close', () => controller.abort(LEFT));
    return controller.signal;
  }
}

/** Made once: an abort without a reason makes one with a stack, at every request. */
const LEFT = new DOMException('The caller left.', 'AbortError');

export interface Routed {
  readonly exchange: Exchange;
  readonly spec: OperationSpec;
}

export interface Identified extends Routed {
  readonly identity: Identity;
}
