import { createHash, randomUUID, type Hash } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Hashes } from '../../domain/httpsig/hashes.ts';
import { HubError } from '../../workflows/kernel/errors.ts';
import type { Upload } from '../../workflows/kernel/call.ts';
import { tooLarge, cutShort } from './bodyRefusals.ts';
import { openBase64, roomFor, type Base64Decoder } from './base64.ts';
import { openFieldSplitter } from './fieldSplitter.ts';

/**
 * Reads a JSON body with one field of base64, which goes into a file as it arrives: none of it is
 * held, parsed or validated. Its digest replaces it, so bodies with the same file are equal.
 */
export interface ReadUpload {
  /** The JSON without the bytes. */
  readonly rest: Uint8Array;
  /** Digests of the body as it was sent, which the signature covers. */
  readonly hashes: Hashes;
  /** Undefined when the body has no such field with a text in it. */
  readonly upload: Upload | undefined;
}

export interface UploadPlace {
  readonly field: string;
  /** Bytes of the whole body. */
  readonly limit: number;
  readonly folder: string;
}

/** Bytes that are split and decoded at once. */
const STEP_BYTES = 16_384;
/** Bytes that are written at once, while the next ones are decoded. */
const WRITE_BYTES = 262_144;
/** A step of more parts than this is made of escapes, and slow; then others have their turn. */
const PARTS_MAX = 64;
/** Bytes of everything but the field. */
const REST_MAX = 262_144;

export async function readUpload(
  request: IncomingMessage,
  { field, limit, folder }: UploadPlace,
): Promise<ReadUpload> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) throw tooLarge(request, limit);
  const digests = openDigests(request.headers['content-digest']);
  const rest: Uint8Array[] = [];
  let [length, restLength] = [0, 0];
  let file: Receiving | undefined;
  const splitter = openFieldSplitter(field);
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const bytes = chunk as Buffer;
      length += bytes.length;
      if (length > limit) throw tooLarge(request, limit);
      digests.update(bytes);
      for (let at = 0; at < bytes.length; at += STEP_BYTES) {
        const pieces: Buffer[] = [];
        const parts = splitter.split(bytes.subarray(at, at + STEP_BYTES));
        for (const part of parts) {
          if (part.is === 'field') {
            pieces.push(part.bytes);
            if (file !== undefined) continue;
            file = await receiveUpload(folder);
            // Its digest goes here, when it is known.
            rest.push(file.digestText);
          } else {
            restLength += part.bytes.length;
            if (restLength > REST_MAX) throw tooLarge(request, REST_MAX);
            rest.push(part.bytes);
          }
        }
        const [only] = pieces;
        if (only !== undefined)
          await file?.take(pieces.length === 1 ? only : Buffer.concat(pieces));
        if (parts.length > PARTS_MAX) await turn();
      }
    }
    const upload = await file?.end();
    return { rest: Buffer.concat(rest), hashes: digests.end(), upload };
  } catch (error) {
    await file?.discard();
    throw error instanceof HubError ? error : cutShort();
  }
}

interface Receiving {
  /** 64 characters of hex; blank until `end`. */
  readonly digestText: Buffer;
  take(base64: Buffer): Promise<void>;
  end(): Promise<Upload>;
  discard(): Promise<void>;
}

/** Opens a file of the folder that takes base64 in pieces of at most `STEP_BYTES` or so. */
export async function receiveUpload(folder: string): Promise<Receiving> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  const file: FileHandle = await open(path, 'wx', 0o600);
  const digest: Hash = createHash('sha256');
  const decoder: Base64Decoder = openBase64();
  const digestText = Buffer.alloc(64, '0');
  let decoded: Buffer = Buffer.allocUnsafeSlow(WRITE_BYTES);
  let written: Buffer | undefined;
  let length = 0;
  let writing = Promise.resolve();
  /** One write is under way at a time, so what a request holds is bounded by two. */
  const write = async (): Promise<void> => {
    await writing;
    writing = file.writeFile(decoded.subarray(0, length));
    // It is waited for by the next one, or by the end.
    writing.catch(() => undefined);
    [decoded, written] = [written ?? Buffer.allocUnsafeSlow(WRITE_BYTES), decoded];
    length = 0;
  };
  const discard = async (): Promise<void> => {
    await writing.catch(() => undefined);
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
  };
  return {
    digestText,
    async take(base64) {
      if (length + roomFor(base64) > WRITE_BYTES) await write();
      const count = decoder.decode(base64, decoded, length);
      digest.update(decoded.subarray(length, length + count));
      length += count;
    },
    async end() {
      const isWhole = decoder.end();
      await write();
      await writing;
      await file.sync();
      await file.close();
      const sha256 = digest.digest('hex');
      digestText.write(sha256, 'latin1');
      return { path, sha256, bytes: decoder.length, isBase64: isWhole, discard };
    },
    discard,
  };
}

interface Digests {
  update(bytes: Buffer): void;
  end(): Hashes;
}

/** Those digests of a body that its Content-Digest may name; no others will be asked for. */
function openDigests(header: string | string[] = ''): Digests {
  const made = (algorithm: 'sha256' | 'sha512', name: string): Hash | undefined =>
    String(header).includes(name) ? createHash(algorithm) : undefined;
  const [short, long] = [made('sha256', 'sha-256'), made('sha512', 'sha-512')];
  const once = (hash: Hash | undefined) => {
    const digest = hash?.digest();
    return (): Uint8Array => {
      if (digest === undefined) throw new Error('a digest that Content-Digest does not name');
      return digest;
    };
  };
  return {
    update(bytes) {
      short?.update(bytes);
      long?.update(bytes);
    },
    end: () => ({ sha256: once(short), sha512: once(long) }),
  };
}
