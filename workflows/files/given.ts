import { readFile, type StoredFile } from '../../db/files/files.ts';
import { lockStorage } from '../../db/memory/storage.ts';
import { taskHolding } from '../../db/tasks/taskFiles.ts';
import type { Reader, Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { instant } from '../../domain/instant.ts';
import { rentDay } from '../../domain/memory/rent.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';

export interface FileKey {
  readonly owner: Account;
  readonly key: string;
}

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

/** Far longer than a task takes from the pins of its files to its commit. */
const PINNED_MS = 3_600_000;

/** Refuses to remove the bytes of a file that work names until that work is over. */
export async function mustBeFree(tx: Writer, hub: Hub, file: StoredFile): Promise<void> {
  const taskId = await taskHolding(tx, file, instant(hub.clock.now() - PINNED_MS));
  if (taskId === undefined) return;
  refuse('wrong-state', {
    error: `The file under ${JSON.stringify(file.key)} is part of the task ${taskId}, which is not over.`,
    hint: `Store other bytes under a key of their own: POST /api/v1/files. \`GET /api/v1/tasks/${taskId}\` shows when the task ends.`,
  });
}
