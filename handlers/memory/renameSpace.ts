import { renameSpace as rename } from '../../db/memory/spaces.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { lockAccess } from '../../workflows/memory/access.ts';
import { refuseName } from '../../workflows/memory/name.ts';
import { presentSpace } from './present.ts';

export const renameSpace: Handler<'memory.renameSpace'> = async (call, hub) => {
  const { owner, name } = call.body;
  const body = await hub.once(call, async (tx) => {
    const { space } = await lockAccess(tx, call.path.id, owner, 'grant');
    return presentSpace((await rename(tx, space, name)) ?? (await refuseName(tx, owner, name)));
  });
  return { status: 200, body };
};
