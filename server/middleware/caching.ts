import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { OperationSpec } from '../hub/operation.ts';
import type { Answer, Exchange } from './exchange.ts';

/** A longer answer that a cache may not keep anyway is not hashed: 2 MB take 3 ms. */
const TAGGED_BYTES_MAX = 65_536;
/** The headers that change an answer of a public read, beside its URL. */
const VARY = 'accept, accept-encoding';

/**
 * Says what a cache may do with the answer to a read (RFC 9111, choices pipeline.caching), and
 * answers 304 to a client that has it. An answer that names its own `cache-control` is left alone.
 */
export function withCaching(exchange: Exchange, answer: Answer): Answer {
  const { method, request, spec, isSigned } = exchange;
  if (method !== 'GET' && method !== 'HEAD') return answer;
  if (answer.headers['cache-control'] !== undefined) return answer;
  if (answer.status !== 200 || spec === undefined) return withHeaders(answer, NOT_KEPT);
  if (isSigned) return withHeaders(answer, OWN);
  const vary = spec.auth === 'optional' ? `${VARY}, signature-input` : VARY;
  const seconds = spec.cacheSeconds;
  const control = seconds === undefined ? 'no-cache' : `public, max-age=${seconds}`;
  const etag = answer.headers['etag'] ?? tagOf(answer.body, spec);
  const headers = { 'cache-control': control, vary, ...(etag !== undefined && { etag }) };
  if (etag === undefined || !names(request.headers['if-none-match'], etag)) {
    return withHeaders(answer, headers);
  }
  return { status: 304, headers };
}

const NOT_KEPT = { 'cache-control': 'no-store' };
const OWN = { 'cache-control': 'private, no-store' };

function withHeaders(answer: Answer, headers: Readonly<Record<string, string>>): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

function tagOf(body: Answer['body'], { cacheSeconds }: OperationSpec): string | undefined {
  if (body === undefined || body instanceof Readable) return undefined;
  const isWorthIt = cacheSeconds !== undefined || body.length <= TAGGED_BYTES_MAX;
  return isWorthIt ? weakTag(body) : undefined;
}

/** A weak tag, since one answer may go out in several codings (RFC 9110 8.8.3). */
export function weakTag(body: string | Uint8Array): string {
  return `W/"${createHash('sha1').update(body).digest('base64url')}"`;
}

/** Whether If-None-Match names a tag, by the weak comparison (RFC 9110 13.1.2). */
function names(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const opaque = tag.replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((each) => each.includes(opaque));
}
