import type { IncomingMessage } from 'node:http';
import { NO_BYTES, type Routed } from './exchange.ts';
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
  exchange.rawBody = await readAll(exchange.request, spec.body?.limitBytes ?? NO_BODY_BYTES);
}

async function readAll(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) throw tooLarge(request, limit);
  if (declared === 0 && request.headers['transfer-encoding'] === undefined) {
    return NO_BYTES;
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) {
        request.removeAllListeners('data');
        reject(tooLarge(request, limit));
      } else {
        chunks.push(chunk);
      }
    });
    request.on('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] ?? NO_BYTES) : Buffer.concat(chunks)),
    );
    request.on('error', () => reject(cutShort()));
  });
}
