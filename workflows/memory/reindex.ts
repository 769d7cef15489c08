import {
  lockReindexing,
  nextReindexing,
  notesToReindex,
  saveReindexed,
  sweepEntries,
  type NoteContent,
  type Reindexing,
} from '../../db/memory/reindexing.ts';
import { lockSpace } from '../../db/memory/spaces.ts';
import { addWords } from '../../db/memory/words.ts';
import type { Writer } from '../../db/store.ts';
import { noteWords } from '../../domain/memory/words.ts';
import type { Hub } from '../kernel/hub.ts';

/**
 * Analyses notes again after a change of the analyser, a few in each transaction, so as not to
 * delay an upgrade or writers (choices memory.reindexing). Former entries find a note until then.
 */
const NOTES_AT_ONCE = 20;
const CONTENT_AT_ONCE = 16_384;
const ENTRIES_AT_ONCE = 2_000;
/** Pause between two transactions; leaves most of the writer to others. */
const PAUSE_MS = 50;

/** Does one step; returns when to run again while there is more to do. */
export async function reindexNotes(hub: Hub): Promise<number | void> {
  const next = await hub.store.read(nextReindexing);
  if (next === undefined) return undefined;
  await hub.store.write((tx) => step(tx, next));
  return PAUSE_MS;
}

async function step(tx: Writer, { space, spaceId }: Reindexing): Promise<void> {
  // An overwrite or a deletion locks the space as well, so contents and entries agree.
  if (spaceId !== undefined) await lockSpace(tx, spaceId);
  const progress = await lockReindexing(tx, space);
  if (progress === undefined) return;
  const notes = fitting(await notesToReindex(tx, progress, NOTES_AT_ONCE));
  const last = notes.at(-1);
  if (last === undefined) {
    await sweepEntries(tx, space, ENTRIES_AT_ONCE);
    return;
  }
  for (const { no, content } of notes) {
    await addWords(tx, space, no, noteWords(content).words);
  }
  await saveReindexed(tx, space, last.changed);
}

/** As many as are analysed within a few milliseconds, and at least one. */
function fitting(notes: readonly NoteContent[]): readonly NoteContent[] {
  let length = 0;
  return notes.filter(({ content }, n) => {
    length += content.length;
    return n === 0 || length <= CONTENT_AT_ONCE;
  });
}
