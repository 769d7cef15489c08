import type { StoredFile } from '../../db/files/files.ts';
import type { Schemas } from '../../server/hub/answered.ts';

export function presentFile(file: StoredFile): Schemas['FileEntry'] {
  const { owner, key, bytes, sha256, at } = file;
  return { owner, key, bytes, sha256, at };
}
