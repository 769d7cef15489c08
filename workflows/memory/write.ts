import { strict as assert } from 'node:assert';
import {
  insertNote,
  noteOfDigest,
  noteOfKey,
  overwriteNote,
  type KeptNote,
  type NewNote,
} from '../../db/memory/notes.ts';
import { saveSpace, type Space } from '../../db/memory/spaces.ts';
import { lockStorage, saveStorage } from '../../db/memory/storage.ts';
import { addWords, removeWords } from '../../db/memory/words.ts';
import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { NOTES_PER_ACCOUNT_MAX } from '../../domain/memory/limits.ts';
import { noteDigest, weightOf, type NoteText } from '../../domain/memory/note.ts';
import { rentDay } from '../../domain/memory/rent.ts';
import { changedBy, type Storage, type StorageDelta } from '../../domain/memory/storage.ts';
import { noteWords } from '../../domain/memory/words.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { writable } from './rent.ts';

/**
 * Writes notes into a space that the unit has locked: rows, words, sums and limits together, so
 * that the next search in any process finds them. No model has a part in it.
 */
export interface Written {
  readonly outcome: 'added' | 'overwritten' | 'duplicate';
  /** The note as it is now; of a duplicate, the one that was there. */
  readonly note: Pick<KeptNote, 'id' | 'author' | 'key' | 'embedding' | 'bytes' | 'at'>;
}

export interface WrittenNotes {
  readonly written: readonly Written[];
  /** Notes that the author may still add. */
  readonly notesLeft: number;
}

export async function writeNotes(
  tx: Writer,
  hub: Hub,
  space: Space,
  { author, notes }: { readonly author: Account; readonly notes: readonly NoteText[] },
): Promise<WrittenNotes> {
  const books = await openBooks(tx, hub, space, author, notes);
  const written: Written[] = [];
  let current = space;
  for (const note of notes) {
    const done = await writeNote(tx, hub, current, author, note);
    written.push(done);
    if (done.outcome === 'duplicate') continue;
    current = done.space;
    for (const [account, delta] of done.deltas) books.change(account, delta);
    if (books.of(author).notesWritten > NOTES_PER_ACCOUNT_MAX) refuseFull();
  }
  if (current !== space) await saveSpace(tx, current);
  await books.save(tx);
  return { written, notesLeft: NOTES_PER_ACCOUNT_MAX - books.of(author).notesWritten };
}

interface Books {
  of(account: Account): Storage;
  change(account: Account, delta: StorageDelta): void;
  save(tx: Writer): Promise<void>;
}

/** Everybody whose sums a write may change, locked and, as far as they store it, writable. */
async function openBooks(
  tx: Writer,
  hub: Hub,
  space: Space,
  author: Account,
  notes: readonly NoteText[],
): Promise<Books> {
  const today = rentDay(hub.clock.now());
  const before: Account[] = [];
  for (const { key } of notes) {
    const former = key === undefined ? undefined : await noteOfKey(tx, space.no, key);
    if (former !== undefined) before.push(former.author);
  }
  const locked = await lockStorage(tx, [space.owner, author, ...before], today);
  const storage = new Map(locked);
  const of = (account: Account): Storage => {
    const found = storage.get(account);
    assert(found !== undefined, 'every account of a write is locked');
    return found;
  };
  if (space.owner !== author && of(space.owner).readOnly) refuseReadOnlyOwner();
  storage.set(author, await writable(tx, hub, of(author)));
  return {
    of,
    change: (account, delta) => void storage.set(account, changedBy(of(account), delta, today)),
    async save(writer) {
      // A day that was paid first is kept, also when the note turns out to be there already.
      for (const [account, each] of storage) {
        if (each !== locked.get(account)) await saveStorage(writer, each);
      }
    },
  };
}

type Done =
  | (Written & { readonly outcome: 'duplicate' })
  | (Written & {
      readonly outcome: 'added' | 'overwritten';
      readonly space: Space;
      readonly deltas: readonly (readonly [Account, StorageDelta])[];
    });

async function writeNote(
  tx: Writer,
  hub: Hub,
  space: Space,
  author: Account,
  text: NoteText,
): Promise<Done> {
  const digest = noteDigest(text);
  const twin = await noteOfDigest(tx, space.no, digest);
  if (twin !== undefined) return { outcome: 'duplicate', note: twin };
  const former = text.key === undefined ? undefined : await noteOfKey(tx, space.no, text.key);
  const index = noteWords(text.content);
  const note: NewNote = {
    ...text,
    id: former?.id ?? hub.ids.uuid(),
    author,
    digest,
    bytes: weightOf(text),
    words: index.length,
    changed: space.changes + 1,
    at: hub.clock.now(),
  };
  if (former === undefined) {
    const no = await insertNote(tx, space.no, note);
    await addWords(tx, space.no, no, index.words);
  } else {
    await overwriteNote(tx, former.no, note);
    await removeWords(tx, space.no, former.no, noteWords(former.content).words);
    await addWords(tx, space.no, former.no, index.words);
  }
  return {
    outcome: former === undefined ? 'added' : 'overwritten',
    note,
    space: sumsAfter(space, note, former),
    deltas: deltasOf(space, note, former),
  };
}

/** The sums of a space with a note in the place of a former one. */
export function sumsAfter(space: Space, note: NewNote, former: KeptNote | undefined): Space {
  const embedded = Number(note.embedding !== undefined) - Number(former?.embedding !== undefined);
  return {
    ...space,
    notes: space.notes + (former === undefined ? 1 : 0),
    embedded: space.embedded + embedded,
    words: space.words + note.words - (former?.words ?? 0),
    bytes: space.bytes + note.bytes - (former?.bytes ?? 0),
    changes: note.changed,
  };
}

/** The owner stores it; it counts towards the limit of who wrote what is there now. */
export function deltasOf(
  space: Space,
  note: NewNote,
  former: KeptNote | undefined,
): readonly (readonly [Account, StorageDelta])[] {
  const noteBytes = note.bytes - (former?.bytes ?? 0);
  return [
    [space.owner, { notes: former === undefined ? 1 : 0, noteBytes }],
    ...(former === undefined ? [] : [[former.author, { notesWritten: -1 }] as const]),
    [note.author, { notesWritten: 1 }],
  ];
}

export function refuseReadOnlyOwner(): never {
  return refuse('memory-read-only', {
    error: 'The owner of this space could not pay its rent; it is read-only until it can.',
    hint: 'Its owner lifts it by a deposit and a write of its own. Use another space until then.',
  });
}

export function refuseFull(): never {
  return refuse('notes-full', {
    error: `This would be more than the ${NOTES_PER_ACCOUNT_MAX} notes that one account may have written.`,
  });
}
