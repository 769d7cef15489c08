import type { OutboundHeaders, OutboundMethod } from '../../../domain/outbound/request.ts';
import type { Fields } from '../../../domain/httpsig/message.ts';
import type { LimitOptions } from './limits.ts';

/** Why there is no answer. A closed set: receipts, listings and seats store it. */
export type FailureReason =
  | 'refused-url'
  | 'refused-address'
  | 'refused-request'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'too-large'
  | 'too-many-redirects'
  | 'bad-redirect'
  | 'protocol'
  /** The hub has too many calls under way, or cannot sign; no call was made. */
  | 'busy'
  /** The caller of the guard, or a hub that closes, gave up. */
  | 'cancelled';

export interface Failed {
  readonly kind: 'failed';
  readonly reason: FailureReason;
  /** A sentence for the operator of the other side. */
  readonly message: string;
  /** The connection stood and was cut: the request may have been acted on. */
  readonly cutOff?: true;
}

export interface OutboundRequest {
  /** Absolute; https unless the host is opened or `plainHttp` is set. */
  readonly url: string;
  readonly method?: OutboundMethod;
  /** Names in lower case; those that the guard makes itself are refused. */
  readonly headers?: OutboundHeaders;
  readonly body?: Uint8Array;
  /** Secrets that the answer must not repeat, beside the credentials among `headers`. */
  readonly secrets?: readonly string[];
  readonly limits?: LimitOptions;
  /** Signs with the hub's key for the origin of `url`; a redirect elsewhere goes unsigned. */
  readonly sign?: boolean;
  /** Speaks plain http too, with hosts that are not opened. */
  readonly plainHttp?: boolean;
  readonly signal?: AbortSignal;
}

/** Milliseconds. The first three are of the last hop, `totalMs` counts from the call. */
interface Timings {
  readonly resolveMs: number;
  /** TCP and TLS; 0 on a connection that was kept from an earlier call. */
  readonly connectMs: number;
  /** From a connection that is ready to the whole head of the answer. */
  readonly firstByteMs: number;
  /** To the last byte of a body that is read whole, to the head of one that is streamed. */
  readonly totalMs: number;
}

export interface Answered<Body> {
  readonly kind: 'answer';
  /** Any status but a redirect, 4xx and 5xx included. */
  readonly status: number;
  readonly headers: Fields;
  /** Without its content coding. */
  readonly body: Body;
  readonly finalUrl: string;
  readonly redirects: number;
  readonly address: string;
  readonly timings: Timings;
}

export type BodyPart = { readonly kind: 'bytes'; readonly bytes: Uint8Array } | Failed;

export interface BodyStream {
  /** To be read once; a part that failed is the last. Nothing more is taken in than is read. */
  readonly parts: AsyncIterable<BodyPart>;
  /** Gives up the rest; a stream that is neither read nor cancelled ends at its total time. */
  cancel(): void;
}

export type Outcome<Body> = Answered<Body> | Failed;

export function failed(reason: FailureReason, message: string): Failed {
  return { kind: 'failed', reason, message };
}
