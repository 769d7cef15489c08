import { isObject, listOf, type JsonObject } from '../../../domain/jsonObject.ts';
import { sentence } from '../../../domain/models/receipt.ts';
import type { ModelFault } from './part.ts';
import { head } from '../../../domain/text.ts';

const OF_REQUEST = [400, 413, 422];
const WORDS_MAX = 2_000;

/** The request as it stands is at fault; another provider would refuse it as well. */
export function isOfRequest(status: number): boolean {
  return OF_REQUEST.includes(status);
}

/** Members of some providers that have an error, or the status of the answer. */
const APART = ['x_groq', 'base_resp'] as const;

function isBareFault(body: JsonObject): boolean {
  if (Array.isArray(body['choices'])) return false;
  return (
    body['object'] === 'error' || listOf(body['errors']).length > 0 || wordsIn(body) !== undefined
  );
}

function hasFault({ error, status_code: status, status_msg: words }: JsonObject): boolean {
  const isNamed = error !== undefined && error !== null && error !== false && error !== '';
  return isNamed || (typeof status === 'number' && status !== 0 && words !== undefined);
}

/** The error in an event or body: `{"error":{…}}`, `{"error":"…"}`, or its members at the top. */
export function faultIn(body: JsonObject): ModelFault | undefined {
  const places = [body, ...APART.map((name) => body[name])].filter(isObject);
  const at = places.find(hasFault) ?? (isBareFault(body) ? body : undefined);
  if (at === undefined) return undefined;
  const why = `The provider says: ${reasonIn(at)}`;
  return { is: 'fault', why, ...(blamesRequest(at) && { ofRequest: true }) };
}

/** The provider's words, in one line, with the member of the request that they are about. */
export function reasonIn(body: JsonObject): string {
  const { error, errors } = body;
  const words = wordsOf(error) ?? wordsOf(errors) ?? wordsIn(body) ?? '';
  const { param } = isObject(error) ? error : body;
  const isNew = typeof param === 'string' && param !== '' && !words.includes(param);
  const about = isNew ? ` (${param})` : '';
  return sentence(`${head(words, WORDS_MAX)}${about}`);
}

/** An error is a text, an object, or a list of them. */
function wordsOf(error: unknown): string | undefined {
  if (typeof error === 'string') return error || undefined;
  if (isObject(error)) return wordsIn(error);
  const words = listOf(error).flatMap((each) => wordsOf(each) ?? []);
  return words.length > 0 ? words.join('; ') : undefined;
}

/** Members that hold the words of an error; a gateway has those of the model's host below. */
function wordsIn(body: JsonObject): string | undefined {
  const { message, error_message: named, detail, msg, status_msg: status, metadata } = body;
  const raw = isObject(metadata) ? metadata['raw'] : undefined;
  const words = [named, message, detail, msg, status]
    .map(wordsOf)
    .find((each) => each !== undefined);
  if (words === undefined || typeof raw !== 'string' || raw === '') return words;
  return words.includes(raw) ? words : `${words}: ${raw}`;
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
    at['code'],
    at['status'],
    at['status_code'],
    at['error_code'],
    at['type'],
    at['error_type'],
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
