import { strict as assert } from 'node:assert';
import { expiredNotes, spaceWithExpired } from '../../db/memory/facts.ts';
import {
  deleteNote,
  firstNotes,
  notesById,
  notesByKey,
  type KeptNote,
} from '../../db/memory/notes.ts';
import { deleteSpace, lockSpace, saveSpace, type Space } from '../../db/memory/spaces.ts';
import { lockStorage, saveStorage } from '../../db/memory/storage.ts';
import { removeWords } from '../../db/memory/words.ts';
import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { rentDay } from '../../domain/memory/rent.ts';
import { changedBy, type StorageDelta } from '../../domain/memory/storage.ts';
import { noteWords } from '../../domain/memory/words.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { lockAccess } from './access.ts';

/** Notes that one call deletes of a space; more would hold its locks for too long. */
const DELETED_AT_ONCE = 200;

/**
 * Deletes notes of a locked space with their words and history, and takes them off all sums. No
 * rent is asked: an account that cannot pay ends it so. Returns the space as it is then.
 */
async function removeNotes(
  tx: Writer,
  hub: Hub,
  space: Space,
  notes: readonly KeptNote[],
): Promise<Space> {
  let current = space;
  for (const { no, content, embedding, words, bytes } of notes) {
    const changes = current.changes + 1;
    await removeWords(tx, space.no, no, noteWords(content).words);
    await deleteNote(tx, space.no, no, changes);
    current = {
      ...current,
      notes: current.notes - 1,
      embedded: current.embedded - Number(embedding !== undefined),
      words: current.words - words,
      bytes: current.bytes - bytes,
      changes,
    };
  }
  await saveSpace(tx, current);
  const noteBytes = current.bytes - space.bytes;
  await changeStorage(tx, hub, [
    [space.owner, { notes: -notes.length, noteBytes }],
    ...notes.map(({ author }) => [author, { notesWritten: -1 }] as const),
  ]);
  return current;
}

/** Deletes some notes of a space of its owner, and the space with the last of them. */
export async function deleteSpaceNotes(
  tx: Writer,
  hub: Hub,
  id: string,
  owner: Account,
): Promise<{ readonly deleted: number; readonly notesLeft: number; readonly gone: boolean }> {
  const { space } = await lockAccess(tx, id, owner, 'grant');
  const notes = await firstNotes(tx, space.no, DELETED_AT_ONCE);
  const { notes: notesLeft } = await removeNotes(tx, hub, space, notes);
  const gone = notesLeft === 0;
  if (gone) {
    await deleteSpace(tx, space);
    await changeStorage(tx, hub, [[owner, { spaces: -1 }]]);
  }
  return { deleted: notes.length, notesLeft, gone };
}

/** Deletes notes by their ids: every note for the owner of the space, its own for a writer. */
export async function deleteNotes(
  tx: Writer,
  hub: Hub,
  { spaceId, account }: { readonly spaceId: string; readonly account: Account },
  noteIds: readonly string[],
): Promise<{ readonly deleted: number; readonly notesLeft: number; readonly gone: false }> {
  const { space } = await lockAccess(tx, spaceId, account, 'write');
  const notes = await notesById(tx, space.no, noteIds);
  mustBeOwn(space, account, notes, 'noteIds');
  const { notes: notesLeft } = await removeNotes(tx, hub, space, notes);
  return { deleted: notes.length, notesLeft, gone: false };
}

/** The same by keys, of a locked space; returns how many there were. */
export async function removeKeys(
  tx: Writer,
  hub: Hub,
  { space, account }: { readonly space: Space; readonly account: Account },
  keys: readonly string[],
): Promise<number> {
  if (keys.length === 0) return 0;
  const notes = await notesByKey(tx, space.no, keys);
  mustBeOwn(space, account, notes, 'deleteKeys');
  await removeNotes(tx, hub, space, notes);
  return notes.length;
}

function mustBeOwn(
  space: Space,
  account: Account,
  notes: readonly KeptNote[],
  member: string,
): void {
  const others = notes.find(({ author }) => author !== account && space.owner !== account);
  if (others === undefined) return;
  refuse('not-granted', {
    error: `The note ${others.id} was written by ${others.author}; only it and the owner of the space may delete it.`,
    hint: `Leave the notes of others out of \`${member}\`.`,
    field: `body.${member}`,
  });
}

/** Deletes notes that expired, of one space at a time; returns when to run again while some wait. */
export async function deleteExpired(hub: Hub): Promise<number | void> {
  const now = hub.clock.now();
  const id = await hub.store.readOne((db) => spaceWithExpired(db, now));
  if (id === undefined) return undefined;
  await hub.store.write(async (tx) => {
    const space = await lockSpace(tx, id);
    if (space === undefined) return;
    await removeNotes(tx, hub, space, await expiredNotes(tx, space.no, now, DELETED_AT_ONCE));
  });
  return EXPIRED_PAUSE_MS;
}

/** Pause between two spaces; leaves most of the writer to others. */
const EXPIRED_PAUSE_MS = 50;

/** Changes what accounts store, locked in the order of their names. */
export async function changeStorage(
  tx: Writer,
  hub: Hub,
  deltas: readonly (readonly [Account, StorageDelta])[],
): Promise<void> {
  const today = rentDay(hub.clock.now());
  const accounts = deltas.map(([account]) => account);
  const storage = new Map(await lockStorage(tx, accounts, today));
  for (const [account, delta] of deltas) {
    const found = storage.get(account);
    assert(found !== undefined, 'every account is locked');
    storage.set(account, changedBy(found, delta, today));
  }
  for (const each of storage.values()) await saveStorage(tx, each);
}
