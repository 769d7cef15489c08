import { KEY_HEADER, type Message, PAYMENT_HEADERS, splitTarget } from './base.ts';
import type { Hashes } from './hashes.ts';
import { refusal, type Refusal } from './refusal.ts';
import { trimSpace } from './text.ts';

/**
 * A received request as it came: the target is never decoded or normalised, and a repeated header
 * that must be single is refused, since frameworks keep the first or the last.
 */
export interface RawRequest {
  readonly method: string;
  /** The second word of the request line (`req.url` before any router has touched it). */
  readonly target: string;
  /** Names and values in turn, as Node's `rawHeaders` gives them. */
  readonly headers: readonly string[];
  /** The bytes as transferred; empty when there is no body. */
  readonly body: Uint8Array;
  /** Digests of the bytes as transferred, when `body` is not all of them. */
  readonly hashes?: Hashes;
  /** Whether the headers announce a body; set while it has not been read. */
  readonly announcesBody?: boolean;
}

/** Lower-case header names with their values in the order received. */
export type Fields = ReadonlyMap<string, readonly string[]>;

export interface ReceivedMessage extends Message {
  /** False when Host is none of this hub's origins; only a covered authority makes that matter. */
  readonly isForThisHub: boolean;
}

const METHOD_GRAMMAR = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const HOST_GRAMMAR = /^[A-Za-z0-9._~%!$&'()*+,;=:[\]-]+$/;
const DEFAULT_PORTS: readonly (readonly [string, string])[] = [
  ['http://', ':80'],
  ['https://', ':443'],
];
const SINGLE_HEADERS = ['host', ...PAYMENT_HEADERS, KEY_HEADER] as const;

export function readFields(headers: readonly string[]): Fields {
  const fields = new Map<string, string[]>();
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = (headers[at] ?? '').toLowerCase();
    const value = trimSpace(headers[at + 1] ?? '');
    const values = fields.get(name);
    if (values === undefined) fields.set(name, [value]);
    else values.push(value);
  }
  return fields;
}

/** RFC 9421 2.1: the lines of one field in order, joined; undefined when it was not sent. */
export function fieldValue(fields: Fields, name: string): string | undefined {
  return fields.get(name)?.join(', ');
}

/** Reads the request for a verifier; `origins` are this hub's, as `scheme://host[:port]`. */
export function readMessage(
  request: RawRequest,
  fields: Fields,
  origins: readonly string[],
): ReceivedMessage | Refusal {
  const { method, target } = request;
  for (const name of SINGLE_HEADERS) {
    if ((fields.get(name)?.length ?? 0) > 1) {
      return refusal('unsigned', `the header ${name} was sent more than once`, name);
    }
  }
  if (!METHOD_GRAMMAR.test(method)) {
    return refusal('unsigned', 'the method is not a token', '@method');
  }
  const split = splitTarget(target);
  if (split === undefined) {
    const detail = 'the request target must be a path: one leading slash, no scheme, no fragment';
    return refusal('unsigned', detail, '@path');
  }
  const host = fieldValue(fields, 'host');
  if (host !== undefined && !HOST_GRAMMAR.test(host)) {
    return refusal('unsigned', 'the Host header is not host[:port]', '@authority');
  }
  const place = locate(host?.toLowerCase(), origins);
  // Written out: spreading two objects here costs as much as reading the whole signature.
  return {
    method,
    target,
    path: split.path,
    query: split.query,
    scheme: place.scheme,
    authority: place.authority,
    isForThisHub: place.isForThisHub,
    hasBody: request.announcesBody ?? request.body.length > 0,
    field: (name) => fieldValue(fields, name),
  };
}

type Place = Pick<ReceivedMessage, 'scheme' | 'authority' | 'isForThisHub'>;

/** Which of the hub's origins a Host means; the default port is dropped as RFC 9421 2.2.3 asks. */
function locate(host: string | undefined, origins: readonly string[]): Place {
  for (const origin of origins) {
    for (const [prefix, port] of DEFAULT_PORTS) {
      if (!origin.startsWith(prefix)) continue;
      const authority = origin.slice(prefix.length);
      if (host === authority || host === `${authority}${port}`) {
        return { scheme: prefix.slice(0, -3), authority, isForThisHub: true };
      }
    }
  }
  return { scheme: 'https', authority: host, isForThisHub: false };
}
