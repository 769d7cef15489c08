import { notesById } from '../../db/memory/notes.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { lockAccess } from '../../workflows/memory/access.ts';
import { removeNotes } from '../../workflows/memory/delete.ts';

/** Deletes notes: every one for the owner of the space, its own for a writer; free. */
export const deleteNotes: Handler<'memory.deleteNotes'> = async (call, hub) => {
  const { account, noteIds } = call.body;
  const spaceId = call.path.id;
  const body = await hub.once(call, async (tx) => {
    const { space } = await lockAccess(tx, spaceId, account, 'write');
    const notes = await notesById(tx, space.no, noteIds);
    const others = notes.find(({ author }) => author !== account && space.owner !== account);
    if (others !== undefined) {
      refuse('not-granted', {
        error: `The note ${others.id} was written by ${others.author}; only it and the owner of the space may delete it.`,
        hint: 'Leave the notes of others out of `noteIds`.',
        field: 'body.noteIds',
      });
    }
    const { notes: notesLeft } = await removeNotes(tx, hub, space, notes);
    return { spaceId, deleted: notes.length, notesLeft };
  });
  return { status: 200, body };
};
