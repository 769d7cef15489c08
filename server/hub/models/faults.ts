import { isObject, type JsonObject } from '../../../domain/jsonObject.ts';
import { sentence } from '../../../domain/models/receipt.ts';
import type { ModelFault } from './part.ts';

const OF_REQUEST = [400, 413, 422];
const WORDS_MAX = 2_000;

/** The request as it stands is at fault; another provider would refuse it as well. */
export function isOfRequest(status: number): boolean {
  return OF_REQUEST.includes(status);
}

/** The error in an event or body: `{"error":{…}}`, `{"error":"…"}`, or its members at the top. */
export function faultIn(body: JsonObject): ModelFault | undefined {
  const { error, choices } = body;
  const isNested = error !== undefined && error !== null && error !== false;
  const isBare =
    !Array.isArray(choices) && (body['object'] === 'error' || wordsIn(body) !== undefined);
  if (!isNested && !isBare) return undefined;
  const why = `The provider says: ${reasonIn(body)}`;
  return { is: 'fault', why, ...(blamesRequest(body) && { ofRequest: true }) };
}

/** The provider's words, in one line. */
export function reasonIn(body: JsonObject): string {
  const { error } = body;
  const inner = isObject(error) ? wordsIn(error) : error;
  return sentence((typeof inner === 'string' ? inner : (wordsIn(body) ?? '')).slice(0, WORDS_MAX));
}

function wordsIn(body: JsonObject): string | undefined {
  const { message, error_message: named, detail } = body;
  const text = [named, message, detail].find((each) => typeof each === 'string' && each !== '');
  if (typeof text === 'string') return text;
  return Array.isArray(detail) ? JSON.stringify(detail) : undefined;
}

/** Types and codes of errors; their messages are not read, since they quote the caller. */
const OF_REQUEST_NAMED =
  /bad_?request|invalid_?request|unprocessable|context_?length|content_?(filter|policy)/i;
/** Types that some providers also call an invalid request; the operator's settings are at fault. */
const OF_OPERATOR_NAMED = /api_?key|model_?not_?found|quota|rate_?limit|billing|auth|permission/i;

/** A status decides where the error has one; else its type and code do. */
function blamesRequest(body: JsonObject): boolean {
  const { error } = body;
  const places = isObject(error) ? [error, body] : [body];
  const values = places.flatMap((at) => [
    ...[at['code'], at['status'], at['status_code'], at['error_code']],
    ...[at['type'], at['error_type']],
  ]);
  const status = values.map(statusOf).find((each) => each !== undefined);
  if (status !== undefined) return isOfRequest(status);
  const names = values.filter((each) => typeof each === 'string').join(' ');
  return OF_REQUEST_NAMED.test(names) && !OF_OPERATOR_NAMED.test(names);
}

function statusOf(value: unknown): number | undefined {
  const status = typeof value === 'string' && /^[45]\d\d$/.test(value) ? Number(value) : value;
  return Number.isInteger(status) && Number(status) >= 400 && Number(status) < 600
    ? Number(status)
    : undefined;
}
