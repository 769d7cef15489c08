import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Settings } from '../config.ts';
import { openFolder } from './folder.ts';

/**
 * Where the contents of files lie. An object has a name of its own, is written once and never
 * changed, so two processes cannot disagree about it; what is in use is for the database to say.
 */
export interface FileStore {
  /** The folder that uploads arrive in; it is this machine's, whatever the store. */
  readonly uploads: string;
  /** Puts the bytes of a file on this machine under a name. When it answers, they are safe. */
  put(object: string, path: string): Promise<void>;
  /** The bytes, to be read or destroyed; rejects when there is no such object. */
  open(object: string): Promise<Readable>;
  /** Also of an object that is not there. */
  remove(object: string): Promise<void>;
  /** Removes uploads that are older; their requests ended with their process. */
  sweepUploads(olderMs: number): Promise<void>;
  close(): Promise<void>;
}

/** The store that the settings name. The S3 client is loaded by hubs that use it alone. */
export async function openFiles({ dataDir, filesS3 }: Settings): Promise<FileStore> {
  const uploads = join(dataDir, 'uploads');
  if (filesS3 === undefined) return openFolder(join(dataDir, 'files'), uploads);
  const { openS3 } = await import('./s3.ts');
  return openS3(filesS3, uploads);
}
