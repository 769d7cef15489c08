import { lockContents, loosenContent } from '../../db/files/contents.ts';
import { deleteFile } from '../../db/files/files.ts';
import { readStorage } from '../../db/memory/storage.ts';
import { FILES_BYTES_PER_ACCOUNT_MAX } from '../../domain/memory/limits.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { fileUnder, lockFiles } from '../../workflows/files/given.ts';
import { changeStorage } from '../../workflows/memory/delete.ts';

/** Deletes a file; its bytes leave the store with the next sweep when no other file has them. */
export const remove: Handler<'files.delete'> = async (call, hub) => {
  const { owner, key } = call.path;
  const body = await hub.act(call, async (tx) => {
    await lockFiles(tx, hub, owner);
    const file = await fileUnder(tx, call.path);
    const { bytes, object } = file;
    await lockContents(tx, [object]);
    await deleteFile(tx, file);
    await loosenContent(tx, object, hub.clock.now());
    await changeStorage(tx, hub, [[owner, { files: -1, fileBytes: -bytes }]]);
    const left = (await readStorage(tx, owner))?.fileBytes ?? 0;
    return { owner, key, bytes, bytesLeft: FILES_BYTES_PER_ACCOUNT_MAX - left };
  });
  return { status: 200, body };
};
