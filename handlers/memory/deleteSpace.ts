import type { Handler } from '../../server/hub/handler.ts';
import { deleteSpaceNotes } from '../../workflows/memory/delete.ts';

/** Deletes a space with its notes, a bounded number of them in a call; free. */
export const deleteSpace: Handler<'memory.deleteSpace'> = async (call, hub) => {
  const { owner } = call.body;
  const spaceId = call.path.id;
  const body = await hub.once(call, async (tx) => ({
    spaceId,
    ...(await deleteSpaceNotes(tx, hub, spaceId, owner)),
  }));
  return { status: 200, body };
};
