import type { StoredFile } from '../../db/files/files.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';

/** No browser shows a stored file as a page of the hub. */
export const ATTACHED = {
  'x-content-type-options': 'nosniff',
  'content-disposition': 'attachment',
} as const;

export function presentFile(file: StoredFile): Schemas['FileEntry'] {
  const { owner, key, bytes, sha256, at } = file;
  return { owner, key, bytes, sha256, at };
}
