import { need } from '../../db/batch/need.ts';
import type { Transaction } from '../../db/batch/transaction.ts';
import { IDEMPOTENCY, onceIn, type OnceOutcome } from '../../db/idempotency.ts';
import { sha256Hex } from '../../domain/digest.ts';
import { defined } from '../../domain/defined.ts';
import { canonical } from '../../domain/json.ts';
import { isObject } from '../../domain/jsonObject.ts';
import type { ModelReceipt } from '../../domain/models/receipt.ts';
import { decideWithKey } from '../kernel/apiKey.ts';
import type { Call } from '../kernel/call.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { inTime } from '../kernel/inTime.ts';
import type { ModelAsk } from './admit.ts';
import { beginAnswer, type Answering } from './answering.ts';
import { beginPlanned, planCall, receiptNow, type BegunCall } from './begin.ts';

/** A call that an API key pays for, in whichever form it came. */
export type KeyedCall = Pick<Call<'models.completions'>, 'caller' | 'request' | 'header'> & {
  readonly operation: string;
};

/** A call that began, or the receipt of the one that the same Idempotency-Key began before. */
export type Begun =
  | { readonly receipt: ModelReceipt; readonly answering: Answering }
  | { readonly repeated: ModelReceipt };

/** Holds the most that the call may cost and asks the providers (choices models.compat). */
export async function beginWithKey(
  call: KeyedCall,
  hub: Hub,
  ask: Omit<ModelAsk, 'network'>,
  isStream: boolean,
): Promise<Begun> {
  const begun = await beginOnce(call, hub, { ...ask, network: hub.settings.network });
  if (typeof begun === 'string') return { repeated: await receiptNow(hub, begun) };
  const { admitted, receipt } = begun;
  const answering = beginAnswer(hub, receipt, { admitted, gone: call.request.gone, isStream });
  return { receipt, answering };
}

async function beginOnce(call: KeyedCall, hub: Hub, ask: ModelAsk): Promise<BegunCall | string> {
  const planned = await planCall(hub, ask);
  const { caller, header, request, operation } = call;
  const { account, hint: apiKeyHint } = caller;
  const payer = { account, door: 'v1', apiKeyHint, spending: caller } as const;
  const key = header['idempotency-key'];
  const { needs, decide } = beginPlanned(hub, planned, payer);
  const { model, fallbacks } = ask;
  const asked = { operation, isRead: false, model, fallbacks };
  if (key === undefined) return decideWithKey(hub, caller, asked, { needs, decide });
  const digest = sha256Hex(canonical({ body: request.wireBody }));
  const of = { account: caller.account, operation, key, digest };
  let begun: BegunCall | undefined;
  const beginning: Transaction<OnceOutcome<unknown>> = {
    needs: [need(IDEMPOTENCY, of), ...needs],
    decide: (db) =>
      onceIn(db, of, hub.clock.now(), () => {
        begun = decide(db);
        return { id: begun.receipt.id };
      }),
  };
  const outcome = await decideWithKey(hub, caller, asked, beginning);
  if ('mismatch' in outcome) {
    return refuse('idempotency-mismatch', {
      error: 'This Idempotency-Key was used before with another request.',
      field: 'header.idempotency-key',
    });
  }
  const { result } = outcome;
  if (!outcome.repeated && begun !== undefined) return begun;
  if (isObject(result) && typeof result['id'] === 'string') return result['id'];
  throw new Error('a kept call has its id');
}

/** A request that a provider rejects as invalid fails however often it is sent. */
export function refuseFailed({ id, reason }: ModelReceipt, { isOfRequest }: Answering): never {
  const why = reason ?? 'it failed.';
  const after = `The call (${id}) cost nothing.`;
  if (isOfRequest()) {
    const error = `The provider refused the request: ${why} ${after}`;
    return refuse('bad-request', { error, hint: 'Change what its words name.', field: 'body' });
  }
  return refuse('model-failed', { error: `The model gave no answer: ${why} ${after}` });
}

/**
 * A call that fails before its first token is refused by status, which clients understand best. A
 * model that thinks long must not keep the head of the answer back, so the wait is short.
 */
const BEGIN_MS_MAX = 5_000;

/**
 * Waits for the head of a stream, and refuses the call that failed before it. Returns the receipt
 * as it is then, with the model that answers.
 */
export async function streamBegins(
  answering: Answering,
  receipt: ModelReceipt,
): Promise<ModelReceipt> {
  const hasPiece = await inTime(answering.begun, BEGIN_MS_MAX);
  const over = hasPiece === false ? await answering.receipt : undefined;
  if (over?.outcome === 'failed') refuseFailed(over, answering);
  return { ...receipt, ...defined({ servedModel: answering.servedModel() }) };
}

export function brokenOff({ reason }: ModelReceipt): string {
  return `The model broke off: ${reason ?? 'it failed.'} The call cost nothing.`;
}
