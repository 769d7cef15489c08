import type { Handler } from '../../workflows/kernel/handler.ts';
import { deleteNotes, deleteSpaceNotes } from '../../workflows/memory/delete.ts';

/** Deletes a space with its notes, a bounded number of them in a call, or some notes alone; free. */
export const deleteSpace: Handler<'memory.deleteSpace'> = async (call, hub) => {
  const { owner, noteIds } = call.body;
  const spaceId = call.path.id;
  const body = await hub.once(call, async (tx) => ({
    spaceId,
    ...(noteIds === undefined
      ? await deleteSpaceNotes(tx, hub, spaceId, owner)
      : await deleteNotes(tx, hub, { spaceId, account: owner }, noteIds)),
  }));
  return { status: 200, body };
};
