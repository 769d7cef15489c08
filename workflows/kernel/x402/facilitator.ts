import { isObject } from '../../../domain/jsonObject.ts';
import { parseJson } from '../../../domain/json.ts';
import { secretsOfUrl } from '../../../domain/outbound/redaction.ts';
import { cleanLine } from '../../../domain/registry/text.ts';
import type { Payment } from '../../../domain/x402/payment.ts';
import { offerV1, offerV2, type Terms } from '../../../domain/x402/terms.ts';
import type { Outbound } from '../outbound/fetcher.ts';

/**
 * A facilitator elsewhere, over its HTTP interface (x402). What it says settles nothing by itself:
 * whether the token moved is read from the hub's own node.
 */
export type FacilitatorAnswer =
  | { readonly kind: 'yes' }
  /** It refuses. It has the authorization all the same, and could send it later. */
  | { readonly kind: 'no'; readonly fault: string; readonly why: string }
  /** Unknown: no answer, or none that can be read. */
  | { readonly kind: 'unknown'; readonly why: string };

const ANSWER_BYTES_MAX = 65_536;
const VERIFY_MS_MAX = 10_000;
/** A settlement waits for a block. */
const SETTLE_MS_MAX = 30_000;
const FAULT = /^[a-z0-9_]{1,80}$/;

export type FacilitatorStep = 'verify' | 'settle';

/** Sends the payload as it came, and the terms as the hub offered them. */
export function askFacilitator(
  outbound: Outbound,
  base: string,
  step: FacilitatorStep,
  payment: Payment,
  terms: Terms,
): Promise<FacilitatorAnswer> {
  const paid = { ...terms, amount: payment.authorization.value };
  const question = {
    x402Version: payment.x402Version,
    paymentPayload: payment.wire,
    paymentRequirements: payment.x402Version === 1 ? offerV1(paid) : offerV2(paid),
  };
  return ask(outbound, `${base.replace(/\/+$/, '')}/${step}`, step, question);
}

async function ask(
  outbound: Outbound,
  url: string,
  step: FacilitatorStep,
  question: object,
): Promise<FacilitatorAnswer> {
  const totalMs = step === 'verify' ? VERIFY_MS_MAX : SETTLE_MS_MAX;
  const answer = await outbound.fetch({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: Buffer.from(JSON.stringify(question)),
    secrets: secretsOfUrl(url),
    limits: { totalMs, firstByteMs: totalMs, bytesMax: ANSWER_BYTES_MAX },
  });
  if (answer.kind === 'failed') return { kind: 'unknown', why: answer.message };
  const parsed = parseJson(answer.body);
  // An answer that is no 2xx may still carry the verdict.
  return verdictOf(parsed.ok ? parsed.value : undefined, step, answer.status);
}

function verdictOf(value: unknown, step: FacilitatorStep, status: number): FacilitatorAnswer {
  const verdict = isObject(value) ? value[step === 'verify' ? 'isValid' : 'success'] : undefined;
  if (!isObject(value) || typeof verdict !== 'boolean') {
    return { kind: 'unknown', why: `the facilitator answered ${status} without a verdict` };
  }
  if (verdict) return { kind: 'yes' };
  const reason = value[step === 'verify' ? 'invalidReason' : 'errorReason'];
  const message = value[step === 'verify' ? 'invalidMessage' : 'errorMessage'];
  const fault = typeof reason === 'string' && FAULT.test(reason) ? reason : 'invalid_payment';
  return { kind: 'no', fault, why: cleanLine(message, 200) ?? 'the facilitator refused it' };
}
