import { strict as assert } from 'node:assert';
import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import {
  MEMORY_ACCOUNTS,
  MEMORY_GRANTS,
  MEMORY_SPACES,
  NOTE_KEYS,
  NOTE_WORDS,
  NOTES,
  type NoteThere,
} from '../../db/memory/memoryTables.ts';
import type { NewNote } from '../../db/memory/notes.ts';
import { readSpace, type Space } from '../../db/memory/spaces.ts';
import type { Account } from '../../domain/account.ts';
import { NOTES_PER_ACCOUNT_MAX } from '../../domain/memory/limits.ts';
import { noteDigest, weightOf, type NoteText } from '../../domain/memory/note.ts';
import { rentDay } from '../../domain/memory/rent.ts';
import { changedBy, nothingStored, type Storage } from '../../domain/memory/storage.ts';
import { noteWords } from '../../domain/memory/words.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { perHub } from '../../server/hub/perHub.ts';
import { accessTo } from './access.ts';
import { deltasOf, refuseFull, refuseReadOnlyOwner, sumsAfter } from './write.ts';

/**
 * Adds one note in a transaction, which shares its round trips with all writes that wait. What a
 * call does not say beforehand is left to `writeNotes`: whose note a key holds, and
 * the rent that lifts an author's read-only state.
 */
export interface AddedNote {
  readonly duplicate: boolean;
  readonly note: NoteThere;
  readonly notesLeft: number;
}

/** Thrown by a transaction that cannot write the note; it has put nothing. */
export class NeedsMore extends Error {}

export interface NoteGiven {
  readonly id: string;
  readonly space: Pick<Space, 'id' | 'owner'>;
  readonly author: Account;
  readonly text: NoteText;
}

export function addingNote(
  hub: Hub,
  { id, space: { id: spaceId, owner }, author, text }: NoteGiven,
): { readonly needs: readonly Need[]; readonly add: (db: Decider) => AddedNote } {
  const digest = noteDigest(text);
  const twinKey = { spaceId, of: digest };
  const formerKey = text.key === undefined ? undefined : { spaceId, of: text.key };
  const index = noteWords(text.content);
  const isOwner = owner === author;
  const needs = [
    need(MEMORY_SPACES, spaceId),
    ...(isOwner ? [] : [need(MEMORY_GRANTS, { spaceId, grantee: author })]),
    ...[...new Set([owner, author])].map((account) => need(MEMORY_ACCOUNTS, account)),
    need(NOTES, twinKey),
    ...(formerKey === undefined ? [] : [need(NOTE_KEYS, formerKey)]),
  ];
  const add = (db: Decider): AddedNote => {
    const at = hub.clock.now();
    const today = rentDay(at);
    const storageOf = (account: Account): Storage =>
      db.find(MEMORY_ACCOUNTS, account) ?? nothingStored(account, today);
    const grant = isOwner ? undefined : db.find(MEMORY_GRANTS, { spaceId, grantee: author });
    const { space } = accessTo(db.find(MEMORY_SPACES, spaceId), author, 'write', grant);
    assert(space.owner === owner, 'a space stays with its owner');
    if (!isOwner && storageOf(owner).readOnly) refuseReadOnlyOwner();
    if (storageOf(author).readOnly) throw new NeedsMore();
    const left = (): number => NOTES_PER_ACCOUNT_MAX - storageOf(author).notesWritten;
    const twin = db.find(NOTES, twinKey);
    if (twin !== undefined) return { duplicate: true, note: twin, notesLeft: left() };
    if (formerKey !== undefined && db.find(NOTE_KEYS, formerKey) === true) throw new NeedsMore();
    const note: NewNote = {
      ...text,
      ...{ id, author, digest, at },
      bytes: weightOf(text),
      words: index.length,
      changed: space.changes + 1,
    };
    for (const [account, delta] of deltasOf(space, note, undefined)) {
      db.put(MEMORY_ACCOUNTS, account, changedBy(storageOf(account), delta, today));
    }
    if (left() < 0) refuseFull();
    db.put(MEMORY_SPACES, spaceId, sumsAfter(space, note, undefined));
    const there: NoteThere = { ...note, embedded: note.embedding !== undefined };
    db.put(NOTES, twinKey, { ...there, added: { space: space.no, note } });
    if (formerKey !== undefined) db.put(NOTE_KEYS, formerKey, true);
    if (index.words.length > 0) {
      db.put(NOTE_WORDS, id, { noteId: id, space: space.no, words: index.words });
    }
    return { duplicate: false, note: there, notesLeft: left() };
  };
  return { needs, add };
}

/** Owners of spaces, which never change. */
const OWNERS_KNOWN_MAX = 10_000;
const ownersOf = perHub(() => new Map<string, Account>());

/** The owner of a space; undefined when there is no such space. */
export async function ownerOf(hub: Hub, spaceId: string): Promise<Account | undefined> {
  const owners = ownersOf(hub);
  const known = owners.get(spaceId);
  if (known !== undefined) return known;
  const space = await hub.store.read((db) => readSpace(db, spaceId));
  if (space === undefined) return undefined;
  if (owners.size >= OWNERS_KNOWN_MAX) owners.clear();
  owners.set(spaceId, space.owner);
  return space.owner;
}
