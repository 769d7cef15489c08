import { NO_BYTES, type Exchange, type Routed } from './exchange.ts';
import { readUpload } from './upload.ts';
import { cutShort, NO_BODY_BYTES, tooLarge } from './bodyRefusals.ts';

/**
 * Reads the exact bytes once, capped. The digest is over these bytes, and after the signature the
 * JSON is parsed from them, whatever content-type says: no signature covers that header.
 */
export async function readBody({ exchange, spec }: Routed, uploads?: string): Promise<void> {
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

/** What each piece costs beside its bytes, or single bytes would be nearly free. */
const CHUNK_OVERHEAD_BYTES = 256;

async function readAll(exchange: Exchange, limit: number): Promise<Uint8Array> {
  const { request, held } = exchange;
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) throw tooLarge(request, limit);
  if (declared === 0 && request.headers['transfer-encoding'] === undefined) {
    return NO_BYTES;
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    exchange.dropped = (refusal) => {
      request.removeAllListeners('data');
      request.resume();
      chunks.length = 0;
      reject(refusal);
    };
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      held.add(chunk.length + CHUNK_OVERHEAD_BYTES);
      if (length > limit) {
        request.removeAllListeners('data');
        reject(tooLarge(request, limit));
      } else {
        chunks.push(chunk);
      }
    });
    request.on('end', () => {
      exchange.dropped = undefined;
      resolve(chunks.length === 1 ? (chunks[0] ?? NO_BYTES) : Buffer.concat(chunks));
    });
    request.on('error', () => reject(cutShort()));
  });
}
