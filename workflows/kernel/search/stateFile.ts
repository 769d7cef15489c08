import { createHash } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import type { IndexState } from '../../../domain/search/index.ts';
import { pack, unpack } from '../../../domain/search/packing.ts';

/**
 * The state of an index as a file: the length of a text in eight bytes, the text, and the arrays that
 * it names. It is read by a thread that answers nothing meanwhile, so it is read in one go.
 */
export interface WrittenState {
  readonly sha256: string;
  readonly bytes: number;
}

/** Few enough to be hashed while they are in the processor's cache. */
const STEP = 1_048_576;
const LENGTH_BYTES = 8;

export function writeState(path: string, state: IndexState): WrittenState {
  const { text, arrays } = pack(state);
  const words = Buffer.from(text);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeBigUInt64LE(BigInt(words.length));
  const hash = createHash('sha256');
  const file = openSync(path, 'wx', 0o600);
  let bytes = 0;
  try {
    for (const part of [length, words, ...arrays]) {
      for (let at = 0; at < part.length;) {
        const written = writeSync(file, part, at, Math.min(STEP, part.length - at));
        hash.update(part.subarray(at, at + written));
        at += written;
      }
      bytes += part.length;
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** Throws if the file is not the one that was written. */
export function readState(path: string, sha256: string): IndexState {
  const hash = createHash('sha256');
  const file = openSync(path, 'r');
  let left = fstatSync(file).size;
  const fill = <T extends Uint8Array>(part: T): T => {
    left -= part.length;
    for (let at = 0; at < part.length;) {
      const read = readSync(file, part, at, Math.min(STEP, part.length - at), null);
      if (read === 0) throw new Error('the file of a snapshot ends early');
      hash.update(part.subarray(at, at + read));
      at += read;
    }
    return part;
  };
  try {
    const length = Number(fill(Buffer.alloc(LENGTH_BYTES)).readBigUInt64LE());
    if (length > left) throw new Error('the file of a snapshot is damaged');
    const state = unpack(fill(Buffer.alloc(length)).toString(), fill);
    if (left !== 0 || hash.digest('hex') !== sha256) {
      throw new Error('the file of a snapshot is damaged');
    }
    return state as IndexState;
  } finally {
    closeSync(file);
  }
}
