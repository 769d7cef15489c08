import type { Readable } from 'stream';

/** The first and the last byte of a part that is not empty. */
export interface BytePart {
  readonly start: number;
  readonly end: number;
}

/**
 * Where the contents of files lie. An object has a name of its own, is written once and never
 * changed, so two processes cannot disagree about it; what is in use is for the database to say.
 */
export interface FileStore {
  /** The folder that uploads arrive in; it is this machine's, whatever the store. */
  readonly uploads: string;
  /** Puts the bytes of a file on this machine under a name. When it answers, they are safe. */
  put(object: string, path: string): Promise<void>;
  /** The bytes, or a part of them, to be read or destroyed; rejects when there is no such object. */
  open(object: string, part?: BytePart): Promise<Readable>;
  /** Puts the bytes into a new file on this machine; rejects when there is no such object. */
  copy(object: string, path: string): Promise<void>;
  /** Also of an object that is not there. */
  remove(object: string): Promise<void>;
  /** Removes uploads that are older; their requests ended with their process. */
  sweepUploads(olderMs: number): Promise<void>;
  close(): Promise<void>;
}
