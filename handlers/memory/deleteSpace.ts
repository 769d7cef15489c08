import { firstNotes } from '../../db/memory/notes.ts';
import { deleteSpace as remove } from '../../db/memory/spaces.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { lockAccess } from '../../workflows/memory/access.ts';
import { changeStorage, DELETED_AT_ONCE, removeNotes } from '../../workflows/memory/delete.ts';

/** Deletes a space with its notes, a bounded number of them in a call; free. */
export const deleteSpace: Handler<'memory.deleteSpace'> = async (call, hub) => {
  const { owner } = call.body;
  const spaceId = call.path.id;
  const body = await hub.act(call, async (tx) => {
    const { space } = await lockAccess(tx, spaceId, owner, 'grant');
    const notes = await firstNotes(tx, space.no, DELETED_AT_ONCE);
    const { notes: notesLeft } = await removeNotes(tx, hub, space, notes);
    const gone = notesLeft === 0;
    if (gone) {
      await remove(tx, space);
      await changeStorage(tx, hub, [[owner, { spaces: -1 }]]);
    }
    return { spaceId, deleted: notes.length, notesLeft, gone };
  });
  return { status: 200, body };
};
