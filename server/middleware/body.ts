import type { IncomingMessage } from 'node:http';
import type { HubError } from '../../workflows/kernel/errors.ts';
import { NO_BYTES, type Droppable, type Exchange, type Routed } from './exchange.ts';
import { readUpload } from './upload.ts';
import { cutShort, hasBody, NO_BODY_BYTES, tooLarge } from './bodyRefusals.ts';

/**
 * Reads the exact bytes once, capped. The digest is over these bytes, and after the signature the
 * JSON is parsed from them, whatever content-type says: no signature covers that header.
 */
export async function readBody({ exchange, spec }: Routed, uploads?: string): Promise<void> {
  // The client waits for this before it sends the body; HTTP/1.0 has no such answer (RFC 9110 10.1.1).
  const { headers, httpVersion } = exchange.request;
  if (httpVersion !== '1.0' && /^100-continue$/i.test(headers.expect ?? ''))
    exchange.response.writeContinue();
  if (spec.body?.streamed !== undefined && uploads !== undefined) {
    const { streamed: field, limitBytes: limit } = spec.body;
    const read = await readUpload(exchange.request, { field, limit, folder: uploads });
    exchange.rawBody = read.rest;
    exchange.hashes = read.hashes;
    exchange.upload = read.upload;
    return;
  }
  exchange.rawBody = await readAll(exchange, spec.body?.limitBytes ?? NO_BODY_BYTES);
}

/** The overhead of each chunk beside its bytes, or single bytes would be nearly free. */
const CHUNK_OVERHEAD_BYTES = 256;

async function readAll(exchange: Exchange, limit: number): Promise<Uint8Array> {
  const { request, held } = exchange;
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(request, limit);
  if (!hasBody(request)) return NO_BYTES;
  try {
    return await new Promise((resolve, reject) => {
      const reading = new Reading(request, limit, resolve, reject);
      exchange.reading = reading;
      request.on('data', (chunk: Buffer) => {
        held.add(chunk.length + CHUNK_OVERHEAD_BYTES);
        reading.take(chunk);
      });
      request.on('end', () => reading.end());
      request.on('error', () => reject(cutShort()));
    });
  } finally {
    exchange.reading = undefined;
  }
}

class Reading implements Droppable {
  readonly #request: IncomingMessage;
  readonly #limit: number;
  readonly #resolve: (body: Uint8Array) => void;
  readonly #reject: (why: HubError) => void;
  readonly #chunks: Buffer[] = [];
  #length = 0;

  constructor(
    request: IncomingMessage,
    limit: number,
    resolve: (body: Uint8Array) => void,
    reject: (why: HubError) => void,
  ) {
    this.#request = request;
    this.#limit = limit;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  take(chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length <= this.#limit) {
      this.#chunks.push(chunk);
      return;
    }
    this.#request.removeAllListeners('data');
    this.#reject(tooLarge(this.#request, this.#limit));
  }

  end(): void {
    const [first = NO_BYTES, ...more] = this.#chunks;
    this.#resolve(more.length === 0 ? first : Buffer.concat([first, ...more]));
  }

  drop(why: HubError): void {
    this.#request.removeAllListeners('data');
    this.#request.resume();
    this.#chunks.length = 0;
    this.#reject(why);
  }
}
