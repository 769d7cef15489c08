import type { StoredFile } from '../../db/files/files.ts';
import { iso } from '../../domain/instant.ts';
import type { components } from '../../generated/types.ts';

export function presentFile(file: StoredFile): components['schemas']['FileEntry'] {
  const { owner, key, bytes, sha256, at } = file;
  return { owner, key, bytes, sha256, at: iso(at) };
}
