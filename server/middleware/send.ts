import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Answer, Exchange } from './exchange.ts';
import { isLong, isUnread, untilRead, writeLong, writeStream } from './writeOut.ts';

const EXPOSED = [
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-policy',
  'retry-after',
  'x-should-retry',
  'allow',
  'payment-required',
  'payment-response',
  'x-payment-response',
  'x-payment-balance',
  'preference-applied',
  'link',
  'content-disposition',
].join(', ');

/**
 * Writes an answer with the headers of every answer, refused ones too: request id, tightest rate
 * policy, CORS. One `writeHead` in place of setters, which were a third of the HTTP door's time.
 */
export async function send(
  { request, response, requestId, rate, held }: Exchange,
  { status, headers, body }: Answer,
  log: Logger,
): Promise<void> {
  const head: (string | number)[] = [];
  for (const name in headers) head.push(name, headers[name] ?? '');
  head.push('x-request-id', requestId);
  // A refusal by a ration of the database names that one itself.
  if (headers['x-ratelimit-policy'] === undefined) {
    head.push('x-ratelimit-limit', rate.limit);
    head.push('x-ratelimit-remaining', rate.remaining);
    head.push('x-ratelimit-policy', rate.policy);
  }
  if (headers['x-content-type-options'] === undefined) {
    head.push('x-content-type-options', 'nosniff');
  }
  head.push('access-control-allow-origin', '*', 'access-control-expose-headers', EXPOSED);
  if (body instanceof Readable) {
    response.writeHead(status, head);
    if (request.method === 'HEAD') {
      body.destroy();
      response.end();
    } else {
      // A reader knows that its stream is open before there is anything to say.
      response.flushHeaders();
      await stream(body, response, log);
    }
    return;
  }
  if (body !== undefined) head.push('content-length', Buffer.byteLength(body));
  response.writeHead(status, head);
  if (body !== undefined && request.method !== 'HEAD' && isLong(body)) {
    await writeLong(response, body, held);
    return;
  }
  response.end(request.method === 'HEAD' ? undefined : body);
  if (isUnread(response)) await untilRead(response, held);
}

async function stream(body: Readable, response: ServerResponse, log: Logger): Promise<void> {
  try {
    await writeStream(response, body);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A client that disconnects during a stream is not an error.
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE') log.error({ err: error }, 'stream');
  }
}
