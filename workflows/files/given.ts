import { readFile, type StoredFile } from '../../db/files/files.ts';
import { lockStorage } from '../../db/memory/storage.ts';
import type { Reader, Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { rentDay } from '../../domain/memory/rent.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Hub } from '../../server/hub/hub.ts';
import type { FileKey } from './put.ts';

/** The file under a key of its owner's; refuses a key that holds none. */
export async function fileUnder(db: Reader, { owner, key }: FileKey): Promise<StoredFile> {
  const found = await readFile(db, owner, key);
  return (
    found ??
    refuse('not-found', {
      error: `You have no file under the key ${JSON.stringify(key)}.`,
      hint: 'Keys are compared letter by letter; percent-encode the key as one segment of the path. GET /api/v1/files/{owner} lists your files.',
    })
  );
}

/** Locks the files of an account, as every change of one does first. */
export async function lockFiles(tx: Writer, hub: Hub, owner: Account): Promise<void> {
  await lockStorage(tx, [owner], rentDay(hub.clock.now()));
}
