import type { ErrorCode } from '../../generated/errors.ts';
import type { components } from '../../generated/types.ts';
import { HubFailure, pageOfCode } from './failure.ts';
import { unknownCall, type KeptCall } from './once.ts';

type ErrorBody = components['schemas']['Refusal'];
type PaymentBody = components['schemas']['PaymentRequired'];
export type RefusalBody = Omit<ErrorBody, 'code'> &
  Partial<Pick<PaymentBody, 'accepts' | 'x402Version'>> & { readonly code: ErrorCode };

/**
 * The hub understood the call and refused it. `message` says why, `code` is from the closed list at
 * `GET /errors`, `hint` names the next step, `next` the calls that are legal now.
 */
export class HubRefusal extends HubFailure {
  override readonly name = 'HubRefusal';
  readonly status: number;
  /** A newer hub may know codes that this version does not. */
  readonly code: ErrorCode;
  readonly hint: string;
  /** The place of the refused value, such as `body.amount`. */
  readonly field: string | undefined;
  /** The values or names that would have been taken. */
  readonly allowed: readonly string[] | undefined;
  /** All that is wrong with the query and the body, the first in `field`. */
  readonly faults: NonNullable<ErrorBody['faults']>;
  readonly next: ErrorBody['next'];
  /** Ways to pay, on 402 (x402). */
  readonly accepts: PaymentBody['accepts'] | undefined;
  override readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /**
   * Set on a once-only call that may have happened in spite of this answer: an earlier send was
   * lost, or the hub itself failed. Use `follow(hub, call)`; a new call could do it twice.
   */
  override readonly call: KeptCall | undefined;
  readonly link: string;
  readonly body: RefusalBody;

  constructor(response: Response, body: RefusalBody) {
    super(`${body.code}: ${body.error} ${body.hint}`);
    this.link = pageOfCode(response.url, body.code);
    this.status = response.status;
    this.code = body.code;
    this.hint = body.hint;
    this.field = body.field;
    this.allowed = body.allowed;
    this.faults = body.faults ?? [];
    this.next = body.next;
    this.accepts = body.accepts;
    this.requestId = body.requestId ?? response.headers.get('x-request-id') ?? undefined;
    this.retryAfterSeconds = body.retryAfterSeconds;
    this.call = unknownCall(response);
    this.body = body;
  }
}

/** Something answered that does not speak for the hub: a proxy, a wrong address. */
export class NotTheHub extends HubFailure {
  override readonly name = 'NotTheHub';
  readonly code = 'not-the-hub';
  readonly hint = 'Check the address of the hub, and the proxy in front of it.';
  readonly link: string;
  readonly status: number;
  override readonly requestId: string | undefined;
  override readonly call: KeptCall | undefined;

  constructor(response: Response, text: string) {
    const { status } = response;
    super(`status ${status} without the hub's error form: ${text.slice(0, SHOWN_CHARACTERS)}`);
    this.link = response.url;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
    this.status = status;
    this.call = unknownCall(response);
  }
}

const SHOWN_CHARACTERS = 200;

export interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** The data of an answer; throws HubRefusal, or NotTheHub, when there is none. */
export function unwrap<Data>(answer: Answer<Data>): NonNullable<Data> {
  const { data, error, response } = answer;
  if (response.ok && data !== undefined && data !== null) return data;
  if (isRefusalBody(error)) throw new HubRefusal(response, error);
  throw new NotTheHub(response, typeof error === 'string' ? error : JSON.stringify(error));
}

/** Whether something thrown is the hub's refusal, and with this code when one is named. */
export function isRefusal(thrown: unknown, code?: ErrorCode): thrown is HubRefusal {
  return thrown instanceof HubRefusal && (code === undefined || thrown.code === code);
}

function isRefusalBody(value: unknown): value is RefusalBody {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['error', 'code', 'hint'].every((name) => typeof Reflect.get(value, name) === 'string')
  );
}
