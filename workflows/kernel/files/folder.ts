import { link, mkdir, open, rm, copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileStore } from './fileStore.ts';
import { sweepUploads } from './uploads.ts';

/** Bytes that are read at once: 64 KB of base64, and none left over for the next. */
const READ_BYTES = 49_152;

/** Objects as files of a folder, in sub-folders by the first two letters of their names. */
export function openFolder(folder: string, uploads: string): FileStore {
  const pathOf = (object: string): string => {
    if (!/^[0-9a-f]{64}\.[0-9a-f-]{36}$/.test(object)) throw new Error(`not an object: ${object}`);
    return join(folder, object.slice(0, 2), object);
  };
  return {
    uploads,
    sweepUploads: (olderMs) => sweepUploads(uploads, olderMs),
    async put(object, path) {
      const to = pathOf(object);
      await mkdir(dirname(to), { recursive: true });
      await linked(path, to);
      await synced(dirname(to));
    },
    async open(object, part) {
      const file = await open(pathOf(object));
      return file.createReadStream({ ...part, highWaterMark: READ_BYTES });
    },
    copy: (object, path) => linked(pathOf(object), path),
    remove: (object) => rm(pathOf(object), { force: true }),
    close: () => Promise.resolve(),
  };
}

/** A second name for the same bytes, or, over a boundary of file systems, a synced copy. */
async function linked(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'EXDEV' && code !== 'EPERM' && code !== 'ENOTSUP') throw error;
    await copyFile(from, to);
    await synced(to);
  }
}

/** The name of a new file is safe only when its folder is. */
async function synced(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
