import { readStorage } from '../../db/memory/storage.ts';
import { FILES_BYTES_PER_ACCOUNT_MAX } from '../../domain/memory/limits.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { removeFile } from '../../workflows/files/remove.ts';

export const remove: Handler<'files.delete'> = async (call, hub) => {
  const { owner, key } = call.path;
  const body = await hub.once(call, async (tx) => {
    const { bytes } = await removeFile(tx, hub, call.path);
    const left = (await readStorage(tx, owner))?.fileBytes ?? 0;
    return { owner, key, bytes, bytesLeft: FILES_BYTES_PER_ACCOUNT_MAX - left };
  });
  return { status: 200, body };
};
