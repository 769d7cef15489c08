import { lockContents, loosenContent } from '../../db/files/contents.ts';
import { deleteFile, type StoredFile } from '../../db/files/files.ts';
import { unpin } from '../../db/tasks/taskFiles.ts';
import type { Writer } from '../../db/store.ts';
import type { Hub } from '../kernel/hub.ts';
import { changeStorage } from '../memory/delete.ts';
import { fileUnder, lockFiles, mustBeFree, type FileKey } from './given.ts';

/** Deletes a file; its bytes leave the store with the next sweep when no other file has them. */
export async function removeFile(
  tx: Writer,
  hub: Hub,
  named: FileKey & { readonly isErased?: boolean },
): Promise<StoredFile> {
  await lockFiles(tx, hub, named.owner);
  const file = await fileUnder(tx, named);
  const { bytes, object } = file;
  if (!named.isErased) await mustBeFree(tx, hub, file);
  await lockContents(tx, [object]);
  await deleteFile(tx, file);
  await unpin(tx, named.owner, object);
  await loosenContent(tx, object, hub.clock.now());
  await changeStorage(tx, hub, [[named.owner, { files: -1, fileBytes: -bytes }]]);
  return file;
}
