import { notesById } from '../../db/memory/notes.ts';
import type { Writer } from '../../db/store.ts';
import type { Call } from '../../server/hub/call.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { lockAccess } from '../../workflows/memory/access.ts';
import { deleteSpaceNotes, removeNotes } from '../../workflows/memory/delete.ts';

/** Deletes a space with its notes, a bounded number of them in a call, or some notes alone; free. */
export const deleteSpace: Handler<'memory.deleteSpace'> = async (call, hub) => {
  const { owner, noteIds } = call.body;
  const spaceId = call.path.id;
  const body = await hub.once(call, async (tx) => ({
    spaceId,
    ...(noteIds === undefined
      ? await deleteSpaceNotes(tx, hub, spaceId, owner)
      : await deleteNotes(tx, hub, call, noteIds)),
  }));
  return { status: 200, body };
};

/** Every note for the owner of the space, its own for a writer. */
async function deleteNotes(
  tx: Writer,
  hub: Hub,
  { path, body: { owner: account } }: Call<'memory.deleteSpace'>,
  noteIds: readonly string[],
) {
  const { space } = await lockAccess(tx, path.id, account, 'write');
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
  return { deleted: notes.length, notesLeft, gone: false };
}
