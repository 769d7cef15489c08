import { decideIn } from '../../db/batch/inside.ts';
import { need } from '../../db/batch/need.ts';
import { MEMORY_ACCOUNTS } from '../../db/memory/memoryTables.ts';
import {
  awaitContent,
  findContent,
  giveUpContent,
  keepContent,
  lockContents,
  loosenContent,
} from '../../db/files/contents.ts';
import { readFile, saveFile, type StoredFile } from '../../db/files/files.ts';
import { balance } from '../../db/ledger/balances.ts';
import { lockStorage, readStorage, saveStorage } from '../../db/memory/storage.ts';
import { unpin } from '../../db/tasks/taskFiles.ts';
import type { Reader, Writer } from '../../db/store.ts';
import { FILES_BYTES_PER_ACCOUNT_MAX, fileWritePrice } from '../../domain/memory/limits.ts';
import { rentDay } from '../../domain/memory/rent.ts';
import { changedBy } from '../../domain/memory/storage.ts';
import type { NetworkId } from '../../domain/network.ts';
import { refuse } from '../kernel/errors.ts';
import type { Upload } from '../kernel/call.ts';
import type { Hub } from '../kernel/hub.ts';
import { ASSET } from '../../domain/network.ts';
import { writable } from '../memory/rent.ts';
import { mustBeFree, type FileKey } from './given.ts';
import { removeGone } from './sweep.ts';

/**
 * A file is stored in three steps: announced in the database, put into the store, made a file with
 * its charge. A killed process leaves a content without a file, which the sweep removes.
 */

/** A content in the store; `isNew` when this call put it there. */
export interface Stored {
  readonly object: string;
  readonly isNew: boolean;
}

/** Puts the bytes of an upload into the store, unless they are there. */
export async function storeContent(hub: Hub, upload: Upload): Promise<Stored> {
  const { sha256, bytes, path } = upload;
  const at = hub.clock.now();
  const object = `${sha256}.${hub.ids.uuid()}`;
  const known = await hub.store.write(async (tx) => {
    const found = await findContent(tx, sha256, at);
    if (found === undefined) await awaitContent(tx, { object, sha256, bytes }, at);
    return found;
  });
  if (known !== undefined) return { object: known, isNew: false };
  await hub.files.put(object, path);
  return { object, isNew: true };
}

/** Removes what this call put into the store, when no file was made of it. */
export async function giveUp(hub: Hub, { object, isNew }: Stored): Promise<void> {
  if (!isNew) return;
  if (await hub.store.write((tx) => giveUpContent(tx, object))) await removeGone(hub, object);
}

/** Whether the file could be stored now; if not, its bytes need not go to the store. */
export async function canStore(
  db: Reader,
  { owner, key }: FileKey,
  bytes: number,
  network: NetworkId,
): Promise<boolean> {
  const { spendable } = await balance(db, owner, { network, asset: ASSET });
  const storage = await readStorage(db, owner);
  const former = await readFile(db, owner, key);
  const after = (storage?.fileBytes ?? 0) - (former?.bytes ?? 0) + bytes;
  return spendable >= fileWritePrice(bytes) && after <= FILES_BYTES_PER_ACCOUNT_MAX;
}

export interface Replaced<Paid> {
  readonly paid: Paid;
  readonly file: StoredFile;
  readonly replaced: boolean;
  /** Bytes that the account may still add. */
  readonly bytesLeft: number;
}

/**
 * Makes a file of a content, in place of the former one, and charges it.
 * @throws ContentGone when the content is missing or was swept, and no other rule refuses the file.
 */
export async function replaceFile<Paid>(
  tx: Writer,
  hub: Hub,
  of: FileKey & {
    readonly bytes: number;
    readonly sha256: string;
    readonly object: string | undefined;
  },
  pay: () => Promise<Paid>,
): Promise<Replaced<Paid>> {
  const { owner, key, bytes, sha256, object } = of;
  const at = hub.clock.now();
  const today = rentDay(at);
  await decideIn(tx, {
    needs: [need(MEMORY_ACCOUNTS, owner)],
    decide: (db) => void writable(db, hub, owner, today),
  });
  const storage = (await lockStorage(tx, [owner], today)).get(owner);
  if (storage === undefined) throw new Error('a locked account has a row');
  const former = await readFile(tx, owner, key);
  if (former !== undefined && former.sha256 !== sha256) await mustBeFree(tx, hub, former);
  const delta = { files: former === undefined ? 1 : 0, fileBytes: bytes - (former?.bytes ?? 0) };
  const after = changedBy(storage, delta, today);
  if (after.fileBytes > FILES_BYTES_PER_ACCOUNT_MAX) refuseFull(storage.fileBytes, bytes);
  const paid = await pay();
  if (object === undefined) throw new ContentGone();
  const file = { owner, key, object, bytes, sha256, at };
  await swapContents(tx, file, former?.object);
  await saveStorage(tx, after);
  return {
    paid,
    file,
    replaced: former !== undefined,
    bytesLeft: FILES_BYTES_PER_ACCOUNT_MAX - after.fileBytes,
  };
}

/** Throws `ContentGone` when the content is not in the store. */
async function swapContents(
  tx: Writer,
  file: StoredFile,
  former: string | undefined,
): Promise<void> {
  const { object, at } = file;
  const there = await lockContents(tx, former === undefined ? [object] : [object, former]);
  if (!there.has(object)) throw new ContentGone();
  await saveFile(tx, file);
  await keepContent(tx, object, at);
  if (former === undefined || former === object) return;
  await unpin(tx, file.owner, former);
  await loosenContent(tx, former, at);
}

/** The content was swept between its upload and the commit; it has to be stored again. */
export class ContentGone extends Error {
  override readonly name = 'ContentGone';
}

function refuseFull(has: number, bytes: number): never {
  return refuse('storage-full', {
    error: `Your files have ${has} bytes; with these ${bytes} they would have more than ${FILES_BYTES_PER_ACCOUNT_MAX}.`,
  });
}
