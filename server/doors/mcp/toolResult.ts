import type { AnyReply } from '../../http/wire.ts';
import { errorText, fault, resultText, RPC_UNAUTHORIZED, type RpcId } from '../jsonRpc.ts';
import type { Outcome, Refusal } from '../operations.ts';
import { receiptJson } from '../payment.ts';
import { PREVIEW_TYPE } from '../../dispatch/preview.ts';
import { exactText } from '../../../workflows/kernel/exactJson.ts';
import type { Era } from './era.ts';

/** JSON text of a whole response: a result, a refusal as a result, or the error of a 401. */
export function responseText(id: RpcId, form: Form, outcome: Outcome): string {
  if (outcome.kind === 'reply') return resultText(id, replied(outcome.reply, form));
  if (outcome.refusal.status === 401) return unauthorizedText(id, outcome);
  const json = JSON.stringify(outcome.refusal.body);
  return resultText(id, content(json, form, ',"isError":true'));
}

export interface Form {
  readonly era: Era;
  /** The toolset listed no schemas of results, so the text alone is read and is not repeated. */
  readonly isOnce?: boolean;
}

export function unauthorizedText(id: RpcId, { refusal }: Refusal): string {
  return errorText(fault(id, RPC_UNAUTHORIZED, refusal.body.error, refusal.body));
}

/** Structured content must be an object at its root; a model that reads none gets the same text. */
function replied({ type = 'application/json', headers, body }: AnyReply, form: Form): string {
  if (type !== 'application/json' && type !== PREVIEW_TYPE)
    throw new Error(`a tool cannot answer ${type}`);
  return content(exactText(body), form, metaOf(headers));
}

function content(json: string, { era, isOnce }: Form, more: string): string {
  const structured = isOnce === true ? '' : `,"structuredContent":${json}`;
  const complete = era === 'stateless' ? ',"resultType":"complete"' : '';
  const text = JSON.stringify(json);
  return `{"content":[{"type":"text","text":${text}}]${structured}${more}${complete}}`;
}

/** A result that is text alone. */
export function once(json: string, era: Era): string {
  return content(json, { era, isOnce: true }, '');
}

/** The receipt of a payment (x402 over MCP). */
function metaOf(headers: AnyReply['headers']): string {
  const json = receiptJson(headers);
  return json === undefined ? '' : `,"_meta":{"x402/payment-response":${json}}`;
}

/** The result of an agent that the hub forwarded to, with what the hub itself says of the call. */
export function resultContent(
  result: Readonly<Record<string, unknown>>,
  meta: Readonly<Record<string, unknown>>,
  era: Era,
): string {
  return exactText({
    ...result,
    _meta: meta,
    ...(era === 'stateless' && { resultType: 'complete' }),
  });
}

export function errorContent(body: Readonly<Record<string, unknown>>, era: Era): string {
  return content(JSON.stringify(body), { era }, ',"isError":true');
}
