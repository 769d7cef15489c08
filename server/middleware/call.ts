import { Readable } from 'node:stream';
import { oneLine } from '../../domain/lines.ts';
import type { Dispatcher } from '../dispatch/dispatch.ts';
import type { AnyReply } from '../http/wire.ts';
import { exported } from '../exports/exports.ts';
import { asPage, hasPage } from '../pages/pages.ts';
import type { WebFiles } from '../pages/webFiles.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import { exactText } from '../../workflows/kernel/exactJson.ts';
import { PREVIEW_TYPE } from '../dispatch/preview.ts';
import type { OperationSpec } from '../../workflows/kernel/operation.ts';
import { fieldName, queryValues } from '../dispatch/validation.ts';
import { eventLines, type StreamEvent } from './eventLines.ts';
import { withKeyInBody } from '../dispatch/keyHeader.ts';
import { readJson } from './json.ts';
import { weakTag } from './caching.ts';
import { codingFor, inCoding, takesBrotli } from './codings.ts';
import { Facts, JSON_TYPE, type Answer, type Exchange, type Identified } from './exchange.ts';
import type { StreamedField } from '../../workflows/kernel/call.ts';

/** The HTTP door's last step: bytes to wire input, dispatch, reply to an answer or to a page. */
export async function call(
  { exchange, spec, identity }: Identified,
  dispatch: Dispatcher,
  web: WebFiles | undefined,
): Promise<Answer> {
  const { path, rawQuery, request } = exchange;
  const body = await jsonOf(exchange, spec);
  const given = { path, query: queryValues(rawQuery), header: request.headers, body };
  const input = withKeyInBody(spec, given);
  const reply = await dispatch(spec, input, identity, new Facts(exchange, input.body));
  const { id } = spec;
  if (reply.type === PREVIEW_TYPE) return encoded(reply);
  if (hasPage(id) && exchange.wantsHtml) return encoded(asPage(id, reply, web));
  if (reply.brotli !== undefined) return compressible(reply, exchange);
  const answer = encoded(exported(spec, reply, exchange));
  const isDocument = spec.cacheSeconds !== undefined || spec.compressed === true;
  return isDocument ? documentAnswer(answer, reply, exchange) : answer;
}

/** A body that was compressed when it was made, for who takes it so. */
function compressible(reply: AnyReply, { request }: Exchange): Answer {
  const { headers, ...answer } = encoded(reply);
  const varied = { ...headers, vary: 'accept-encoding' };
  if (reply.brotli === undefined || !takesBrotli(request)) return { ...answer, headers: varied };
  const body = bytesOf(reply.brotli);
  return { ...answer, headers: { ...varied, 'content-encoding': 'br' }, body };
}

/** A document that is kept as bytes: with its tag, and compressed for a client that takes it so. */
async function documentAnswer(
  answer: Answer,
  { encoded: kept }: AnyReply,
  { request }: Exchange,
): Promise<Answer> {
  const { bytes } = kept ?? {};
  if (kept === undefined || bytes === undefined || answer.body !== bytes) return answer;
  const etag = answer.headers?.['etag'] ?? (kept.tag ??= weakTag(bytes));
  const coding = bytes.length > COMPRESSED_BYTES_MIN ? codingFor(request) : undefined;
  if (coding === undefined) return { ...answer, headers: { ...answer.headers, etag } };
  const headers = { ...answer.headers, etag, 'content-encoding': coding };
  return { ...answer, headers, body: await inCoding(kept, bytes, coding) };
}

/** A shorter document goes out as it is. */
const COMPRESSED_BYTES_MIN = 4_096;

async function jsonOf({ rawBody }: Exchange, spec: OperationSpec): Promise<unknown> {
  if (rawBody.length === 0 || spec.body === undefined) return undefined;
  const parsed = await readJson(rawBody, spec.body.membersMax);
  if (parsed.ok) return parsed.value;
  const field = fieldName('body', parsed.pointer ?? '');
  return refuse('bad-json', { error: `${parsed.why}.`, field });
}

function encoded(reply: AnyReply): Answer {
  const { status, type = JSON_TYPE, headers } = reply;
  return { status, headers: { ...headers, 'content-type': type }, body: bodyOf(reply) };
}

function bodyOf(reply: AnyReply): string | Buffer | Readable {
  const { type = JSON_TYPE, encoded: kept, streamed } = reply;
  // Before the body is read: of a text that is stored it would be parsed.
  if (type === JSON_TYPE && kept?.bytes !== undefined) return kept.bytes;
  const { body } = reply;
  if (type === PREVIEW_TYPE) return JSON.stringify(body);
  if (type === JSON_TYPE) {
    if (streamed !== undefined) return Readable.from(jsonWith(body, streamed));
    if (kept === undefined) return exactText(body);
    return (kept.bytes = Buffer.from(JSON.stringify(body)));
  }
  if (type === 'text/event-stream')
    return Readable.from(eventLines(body as AsyncIterable<StreamEvent>));
  if (type === 'application/x-ndjson') return Readable.from(lines(body));
  return bytesOf(body);
}

function bytesOf(body: unknown): string | Buffer {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  throw new Error('a reply that is not JSON is text or bytes');
}

async function* lines(items: unknown): AsyncGenerator<string> {
  for await (const item of items as AsyncIterable<unknown> | readonly unknown[])
    yield `${oneLine(JSON.stringify(item))}\n`;
}

/** A JSON object whose last field is base64 of bytes, read as fast as the caller takes them. */
async function* jsonWith(body: unknown, { field, source }: StreamedField): AsyncGenerator<Buffer> {
  const { [field]: _, ...rest } = body as Readonly<Record<string, unknown>>;
  yield Buffer.from(`${JSON.stringify(rest).slice(0, -1)},${JSON.stringify(field)}:"`);
  let left: Uint8Array = new Uint8Array(0);
  for await (const chunk of source) {
    const bytes = left.length === 0 ? chunk : Buffer.concat([left, chunk]);
    const cut = bytes.length - (bytes.length % 3);
    left = bytes.subarray(cut);
    yield base64(bytes.subarray(0, cut));
  }
  yield base64(left);
  yield Buffer.from('"}');
}

/** As bytes: a text would be gone through once more for letters that take more than one. */
function base64(bytes: Uint8Array): Buffer {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return Buffer.from(view.toString('base64'), 'latin1');
}
