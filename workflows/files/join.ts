import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { filesUnder, type StoredFile } from '../../db/files/files.ts';
import type { Account } from '../../domain/account.ts';
import { FILE_BYTES_MAX } from '../../domain/memory/limits.ts';
import type { Call, Upload } from '../kernel/call.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';

type Part = NonNullable<Call<'files.put'>['body']['parts']>[number];

/** The stored files that one is to be joined of, or a refusal of the first that is not as named. */
export async function partsNamed(
  hub: Hub,
  owner: Account,
  named: readonly Part[],
): Promise<readonly StoredFile[]> {
  const keys = named.map(({ key }) => key);
  const stored = await hub.store.readOne((db) => filesUnder(db, owner, keys));
  const parts = named.map(({ key, sha256 }, at) => {
    const found = stored.get(key);
    if (found?.sha256 === sha256) return found;
    const is = found === undefined ? 'no file' : `a file with the digest ${found.sha256}`;
    return refuse('not-found', {
      error: `parts/${at} names another file: under ${JSON.stringify(key)} you have ${is}.`,
      hint: `Store that part again and send this call again; \`GET /api/v1/files/${owner}\` with \`prefix\` lists the parts that are there, with their digests.`,
      field: `body.parts/${at}`,
    });
  });
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  if (bytes > FILE_BYTES_MAX) {
    refuse('file-too-large', {
      error: `The parts have ${bytes} bytes together; a file has at most ${FILE_BYTES_MAX}.`,
      field: 'body.parts',
    });
  }
  return parts;
}

/** Joins stored files into an upload, a chunk at a time. */
export async function joined(hub: Hub, parts: readonly StoredFile[]): Promise<Upload> {
  const { uploads } = hub.files;
  await mkdir(uploads, { recursive: true });
  const path = join(uploads, randomUUID());
  const discard = (): Promise<void> => rm(path, { force: true });
  const digest = createHash('sha256');
  const file = await open(path, 'wx', 0o600);
  let bytes = 0;
  try {
    for (const { object } of parts) {
      for await (const chunk of await hub.files.open(object)) {
        digest.update(chunk as Buffer);
        bytes += (chunk as Buffer).length;
        await file.writeFile(chunk as Buffer);
      }
    }
    await file.sync();
  } catch (error) {
    await discard();
    throw error;
  } finally {
    await file.close();
  }
  return { path, sha256: digest.digest('hex'), bytes, isBase64: true, discard };
}
