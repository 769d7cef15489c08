import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import {
  brotliCompress,
  constants,
  gzip as zip,
  type BrotliOptions,
  type InputType,
} from 'node:zlib';
import type { Coding, Encoded } from '../../workflows/kernel/call.ts';

const brotli: (bytes: InputType, options: BrotliOptions) => Promise<Buffer> =
  promisify(brotliCompress);
const gzip: (bytes: InputType) => Promise<Buffer> = promisify(zip);

const compress = {
  br: (bytes: Buffer): Promise<Buffer> =>
    brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes: Buffer): Promise<Buffer> => gzip(bytes),
};
/** Quality 11 takes a second of a thread for the contract; 5 takes 20 ms and is 6 % longer. */
const BROTLI_QUALITY = 5;

/** Bytes that are kept, compressed once for each coding, in a thread. */
export function inCoding(kept: Encoded, bytes: Buffer, coding: Coding): Promise<Buffer> {
  const made = (kept.compressed ??= new Map<Coding, Promise<Buffer>>());
  const known = made.get(coding) ?? compress[coding](bytes);
  made.set(coding, known);
  return known;
}

/** The best coding that a client takes; undefined for none. */
export function codingFor(request: IncomingMessage): Coding | undefined {
  if (takesBrotli(request)) return 'br';
  return takes(request, 'gzip') ? 'gzip' : undefined;
}

/** Whether a caller takes `br` (RFC 9110 12.5.3); a wildcard is not taken for it. */
export function takesBrotli(request: IncomingMessage): boolean {
  return takes(request, 'br');
}

const TAKEN: Readonly<Record<Coding, RegExp>> = { br: takenAs('br'), gzip: takenAs('gzip') };

function takenAs(coding: Coding): RegExp {
  return new RegExp(`(?:^|,)\\s*${coding}\\s*(?:$|,|;(?!\\s*q=0(?:\\.0*)?\\s*(?:$|,)))`, 'i');
}

function takes({ headers }: IncomingMessage, coding: Coding): boolean {
  return TAKEN[coding].test(String(headers['accept-encoding'] ?? ''));
}
