import { LedgerFrozen } from '../../db/ledger/memory.ts';
import { isUnavailable } from '../../db/unavailable.ts';
import { UncertainCommit } from '../../db/uncertainCommit.ts';
import type { Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import { shorten } from '../../domain/text.ts';
import { iso } from '../../domain/instant.ts';
import { errorTable, type ErrorCode } from '../../generated/errors.ts';
import type { components } from '../../generated/types.ts';
import { ChecksBusy } from './checks/checks.ts';
import { CounterBusy } from './models/counter.ts';
import { SignaturesBusy } from './x402/signatures.ts';
import { VectorsBusy } from './vectors/vectors.ts';

export type ErrorBody = components['schemas']['Refusal'];
type Extra = Omit<Partial<ErrorBody>, 'error' | 'code' | 'hint' | 'requestId'>;
export interface RefusalDetail extends Extra {
  /** Why this very call was refused; the code's own text when absent. */
  readonly error?: string;
  /** The next call, when it can be named more exactly than the code's own hint. */
  readonly hint?: string;
  /** Ways to pay, on 402 alone. */
  readonly accepts?: readonly components['schemas']['PaymentOption'][];
}

/** An expected refusal. Everything else that is thrown is a bug and answers 500 `internal`. */
export class HubError extends Error {
  readonly code: ErrorCode;
  readonly detail: RefusalDetail;
  readonly headers: Readonly<Record<string, string>>;
  /** The money of a call that needs an approval, and the approval that was of no use to it. */
  readonly asks?: { readonly amount: Atomic; readonly network: NetworkId; readonly seen?: string };

  constructor(
    code: ErrorCode,
    detail: RefusalDetail,
    headers: Readonly<Record<string, string>>,
    asks?: HubError['asks'],
  ) {
    super(detail.error ?? errorTable[code].says);
    this.name = 'HubError';
    this.code = code;
    this.detail = detail;
    this.headers = headers;
    if (asks !== undefined) this.asks = asks;
  }

  /** Returns the same refusal with other details or headers: its class and other members stay. */
  with(changes: Partial<Pick<HubError, 'detail' | 'headers'>>): this {
    const members = Object.getOwnPropertyDescriptors(this);
    const copy = Object.create(Object.getPrototypeOf(this) as object, members) as this;
    return Object.assign(copy, changes);
  }
}

/** Refuses the call: throws, so the transaction around it rolls back and nothing is lost. */
export function refuse(
  code: ErrorCode,
  detail: RefusalDetail = {},
  headers: Readonly<Record<string, string>> = {},
): never {
  throw new HubError(code, detail, headers);
}

export interface WireRefusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorBody;
}

/** Characters of the Error schema; names and values that callers chose can be longer. */
const ERROR_LENGTH_MAX = 1_000;
const HINT_LENGTH_MAX = 1_500;
const FIELD_LENGTH_MAX = 300;

/**
 * The one mapping from anything thrown to what a caller reads; a bug shows only the request id. The
 * hint of a read names no key of idempotency.
 */
export function wireRefusal(
  thrown: unknown,
  requestId: string,
  baseUrl: string,
  method = 'POST',
): WireRefusal {
  const isRead = method === 'GET' || method === 'HEAD';
  const known = knownRefusal(thrown, isRead);
  const entry = errorTable[known.code];
  const { error, hint, field, ...extra } = waited(known.detail, entry.retry);
  const usual = (isRead ? entry.readHint : undefined) ?? entry.hint;
  return {
    status: entry.status,
    headers: { ...waitHeader(extra), ...known.headers },
    body: {
      error: shorten(error ?? entry.says, ERROR_LENGTH_MAX),
      code: known.code,
      hint: `${shorten(hint ?? usual, HINT_LENGTH_MAX)} See ${baseUrl}/errors/${known.code}`,
      requestId,
      ...(field !== undefined && { field: shorten(field, FIELD_LENGTH_MAX) }),
      // The x402 shape. Without a quote of the handler's it lists no rail.
      ...(entry.status === 402 && { x402Version: 1, accepts: [] }),
      ...extra,
    },
  };
}

const WAIT_SECONDS = 1;

/** A code after which waiting helps always says how long (spec/common/error-codes.yaml, retry). */
function waited(detail: RefusalDetail, retry: string): RefusalDetail {
  return ['wait', 'same'].includes(retry) ? { retryAfterSeconds: WAIT_SECONDS, ...detail } : detail;
}

function waitHeader({ retryAfterSeconds }: RefusalDetail): Readonly<Record<string, string>> {
  return retryAfterSeconds === undefined ? {} : { 'retry-after': `${retryAfterSeconds}` };
}

/** A full queue is load and a frozen ledger is caution: neither is a bug of the hub. */
function knownRefusal(thrown: unknown, isRead: boolean): HubError {
  if (thrown instanceof HubError) return thrown;
  if (thrown instanceof LedgerFrozen) {
    const error = `The ledger is frozen since ${iso(thrown.since)}; no money moves.`;
    return new HubError('ledger-frozen', { error }, {});
  }
  if (!isBusy(thrown)) return new HubError('internal', {}, {});
  const detail = !isRead && thrown instanceof UncertainCommit ? UNCERTAIN : {};
  return new HubError('busy', detail, {});
}

const UNCERTAIN = {
  error: 'The database did not confirm this call, so it may have counted.',
  hint: 'Send the same call again with the same `idempotencyKey` and a fresh nonce: if it counted, the answer is the first one, with `repeated: true`. Without a key, read the object that the call changes first.',
};

function isBusy(thrown: unknown): boolean {
  return (
    thrown instanceof ChecksBusy ||
    thrown instanceof VectorsBusy ||
    thrown instanceof CounterBusy ||
    thrown instanceof SignaturesBusy ||
    isUnavailable(thrown)
  );
}
