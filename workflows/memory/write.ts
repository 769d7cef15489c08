import { strict as assert } from 'node:assert';
import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import {
  FORMER_WORDS,
  KEYED_NOTES,
  MEMORY_ACCOUNTS,
  MEMORY_GRANTS,
  MEMORY_SPACES,
  NOTE_WORDS,
  NOTES,
  OVERWRITES,
  type FormerNote,
  type NoteThere,
} from '../../db/memory/memoryTables.ts';
import type { NewNote } from '../../db/memory/notes.ts';
import { readSpace, type Space } from '../../db/memory/spaces.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { NOTES_PER_ACCOUNT_MAX } from '../../domain/memory/limits.ts';
import { noteDigest, weightOf, type NoteText } from '../../domain/memory/note.ts';
import { rentDay } from '../../domain/memory/rent.ts';
import { changedBy, nothingStored, type StorageDelta } from '../../domain/memory/storage.ts';
import { noteWords } from '../../domain/memory/words.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { perHub } from '../kernel/perHub.ts';
import { accessTo } from './access.ts';
import { writable } from './rent.ts';

/** Writes a note with words, sums and limits in one transaction, so the next search finds it. */
export interface Written {
  readonly outcome: 'added' | 'overwritten' | 'duplicate';
  /** The note as it is now; of a duplicate, the one that was there. */
  readonly note: NoteThere;
  /** Notes that the author may still add. */
  readonly notesLeft: number;
}

export interface NoteGiven {
  /** The id of a note that is new. */
  readonly id: string;
  readonly space: KnownSpace;
  readonly author: Account;
  readonly text: NoteText;
}

export interface NoteWriting {
  readonly needs: readonly Need[];
  /** Refuses what the author may not write; a duplicate changes nothing. */
  write(db: Decider): Written;
}

export function noteWriting(
  hub: Hub,
  { id, space: { id: spaceId, owner, model }, author, text }: NoteGiven,
): NoteWriting {
  const digest = noteDigest(text, model !== undefined);
  const twinKey = { spaceId, of: digest };
  const formerKey = text.key === undefined ? undefined : { spaceId, of: text.key };
  const index = noteWords(text.content);
  const isOwner = owner === author;
  const needs = [
    need(MEMORY_SPACES, spaceId),
    ...(isOwner ? [] : [need(MEMORY_GRANTS, { spaceId, grantee: author })]),
    ...[...new Set([owner, author])].map((account) => need(MEMORY_ACCOUNTS, account)),
    need(NOTES, twinKey),
    ...(formerKey === undefined ? [] : [need(KEYED_NOTES, formerKey)]),
  ];
  const write = (db: Decider): Written => {
    const at = hub.clock.now();
    const today = rentDay(at);
    const grant = isOwner ? undefined : db.find(MEMORY_GRANTS, { spaceId, grantee: author });
    const { space } = accessTo(db.find(MEMORY_SPACES, spaceId), author, 'write', grant);
    assert(space.owner === owner, 'a space stays with its owner');
    if (!isOwner && db.find(MEMORY_ACCOUNTS, owner)?.readOnly === true) refuseReadOnlyOwner();
    const { notesWritten } = writable(db, hub, author, today);
    const twin = db.find(NOTES, twinKey);
    if (twin !== undefined) {
      const notesLeft = NOTES_PER_ACCOUNT_MAX - notesWritten;
      return { outcome: 'duplicate', note: twin, notesLeft };
    }
    const former = formerKey && db.find(KEYED_NOTES, formerKey);
    // An overwrite is of a note that is in the database.
    if (former?.isNew === true) db.runLater();
    const note: NewNote = {
      ...text,
      id: former?.id ?? id,
      author,
      digest,
      at,
      bytes: weightOf(text),
      words: index.length,
      changed: space.changes + 1,
    };
    for (const [account, delta] of deltasOf(space, note, former)) {
      const storage = db.find(MEMORY_ACCOUNTS, account) ?? nothingStored(account, today);
      db.put(MEMORY_ACCOUNTS, account, changedBy(storage, delta, today));
    }
    const { notesWritten: written = 0 } = db.find(MEMORY_ACCOUNTS, author) ?? {};
    const notesLeft = NOTES_PER_ACCOUNT_MAX - written;
    if (notesLeft < 0) refuseFull();
    db.put(MEMORY_SPACES, spaceId, sumsAfter(space, note, former));
    const there: NoteThere = { ...note, embedded: note.embedding !== undefined };
    const words = { noteId: note.id, space: space.no };
    if (former === undefined) {
      db.put(NOTES, twinKey, { ...there, added: { space: space.no, note } });
      if (formerKey) db.put(KEYED_NOTES, formerKey, { ...note, ...there, isNew: true });
    } else {
      db.insert(OVERWRITES, note.id, { spaceId, former: former.changed, note });
      db.insert(FORMER_WORDS, note.id, { ...words, words: noteWords(former.content).words });
    }
    if (index.words.length > 0) db.insert(NOTE_WORDS, note.id, { ...words, words: index.words });
    return { outcome: former === undefined ? 'added' : 'overwritten', note: there, notesLeft };
  };
  return { needs, write };
}

/** The sums of a space with a note in the place of a former one. */
function sumsAfter(space: Space, note: NewNote, former: FormerNote | undefined): Space {
  return {
    ...space,
    notes: space.notes + (former === undefined ? 1 : 0),
    embedded:
      space.embedded + Number(note.embedding !== undefined) - Number(former?.embedded === true),
    words: space.words + note.words - (former?.words ?? 0),
    bytes: space.bytes + note.bytes - (former?.bytes ?? 0),
    changes: note.changed,
  };
}

/** The owner stores it; it counts towards the limit of who wrote what is there now. */
function deltasOf(
  space: Space,
  note: NewNote,
  former: FormerNote | undefined,
): readonly (readonly [Account, StorageDelta])[] {
  const noteBytes = note.bytes - (former?.bytes ?? 0);
  return [
    [space.owner, { notes: former === undefined ? 1 : 0, noteBytes }],
    ...(former === undefined ? [] : [[former.author, { notesWritten: -1 }] as const]),
    [note.author, { notesWritten: 1 }],
  ];
}

function refuseReadOnlyOwner(): never {
  return refuse('memory-read-only', {
    error: 'The owner of this space could not pay its rent; it is read-only until it can.',
    hint: 'Its owner lifts it by a deposit and a write of its own. Use another space until then.',
  });
}

function refuseFull(): never {
  return refuse('notes-full', {
    error: `This would be more than the ${NOTES_PER_ACCOUNT_MAX} notes that one account may have written.`,
  });
}

/** The parts of a space that never change. */
export type KnownSpace = Pick<Space, 'id' | 'owner' | 'model' | 'dimensions'>;
const SPACES_KNOWN_MAX = 10_000;
const spacesOf = perHub(() => new Map<string, KnownSpace>());

/** Returns them before its transaction; undefined when there is no such space. */
export async function knownSpace(hub: Hub, spaceId: string): Promise<KnownSpace | undefined> {
  const spaces = spacesOf(hub);
  const known = spaces.get(spaceId);
  if (known !== undefined) return known;
  const space = await hub.store.readOne((db) => readSpace(db, spaceId));
  if (space === undefined) return undefined;
  if (spaces.size >= SPACES_KNOWN_MAX) spaces.clear();
  const { id, owner, model, dimensions } = space;
  const found = { id, owner, dimensions, ...defined({ model }) };
  spaces.set(spaceId, found);
  return found;
}
