import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { OperationSpec } from '../../workflows/kernel/operation.ts';
import type { Answer, Exchange } from './exchange.ts';
import { defined } from '../../domain/defined.ts';

/** A longer answer that a cache may not keep anyway is not hashed: 2 MB take 3 ms. */
const TAGGED_BYTES_MAX = 65_536;
/** The headers that change an answer of a public read, beside its URL. */
const VARY = 'accept, accept-encoding';

/**
 * Says what a cache may do with the answer to a read (RFC 9111, choices pipeline.caching), unless
 * the answer names its own `cache-control`, and answers 304 to a client that has it by its tag.
 */
export function withCaching(exchange: Exchange, answer: Answer): Answer {
  const { method, request } = exchange;
  if (method !== 'GET' && method !== 'HEAD') return answer;
  return unlessKnown(request.headers['if-none-match'], controlled(exchange, answer));
}

function controlled({ spec, isSigned }: Exchange, answer: Answer): Answer {
  if (answer.headers['cache-control'] !== undefined) return answer;
  if (answer.status !== 200 || spec === undefined) return withHeaders(answer, NOT_KEPT);
  if (isSigned) return withHeaders(answer, OWN);
  const vary = spec.auth === 'optional' ? `${VARY}, signature-input` : VARY;
  const seconds = spec.cacheSeconds;
  const control = seconds === undefined ? 'no-cache' : `public, max-age=${seconds}`;
  const etag = answer.headers['etag'] ?? tagOf(answer.body, spec);
  const headers = { 'cache-control': control, vary, ...defined({ etag }) };
  return withHeaders(answer, headers);
}

/** Headers of a representation, which a 304 leaves out (RFC 9110 15.4.5). */
const OF_BODY = ['content-type', 'content-encoding', 'content-length', 'content-disposition'];

/** 304 in place of an answer that the client has by its tag; the one place that decides it. */
function unlessKnown(header: string | undefined, answer: Answer): Answer {
  const { etag } = answer.headers;
  if (answer.status !== 200 || etag === undefined || !names(header, etag)) return answer;
  if (answer.body instanceof Readable) answer.body.destroy();
  const kept = Object.entries(answer.headers).filter(([name]) => !OF_BODY.includes(name));
  return { status: 304, headers: Object.fromEntries(kept) };
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
  const [own] = opaqueTags(tag);
  return header.trim() === '*' || opaqueTags(header).includes(own ?? '');
}

/** The tags of a list without their weakness; a comma may be within the quotes of one. */
function opaqueTags(list: string): readonly string[] {
  return [...list.matchAll(/(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g)].map(
    ([, opaque]) => opaque ?? '',
  );
}
