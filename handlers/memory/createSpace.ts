import { insertSpace } from '../../db/memory/spaces.ts';
import { lockStorage, saveStorage } from '../../db/memory/storage.ts';
import { SPACES_PER_ACCOUNT_MAX } from '../../domain/memory/limits.ts';
import { rentDay } from '../../domain/memory/rent.ts';
import { changedBy } from '../../domain/memory/storage.ts';
import { defined } from '../../domain/defined.ts';
import { DIMENSIONS } from '../../domain/memory/embedding.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { modelOfVectors } from '../../workflows/memory/vectors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { refuseName } from '../../workflows/memory/name.ts';
import { presentSpace } from './present.ts';

export const createSpace: Handler<'memory.createSpace'> = async (call, hub) => {
  const { owner, name, kind = 'private' } = call.body;
  const vectors = vectorsOf(hub, call.body);
  const body = await hub.once(call, async (tx) => {
    const at = hub.clock.now();
    const today = rentDay(at);
    const storage = (await lockStorage(tx, [owner], today)).get(owner);
    const space = await insertSpace(tx, {
      id: hub.ids.uuid(),
      owner,
      name,
      kind,
      ...vectors,
      createdAt: at,
    });
    if (space === undefined || storage === undefined) {
      return refuseName(tx, owner, name);
    }
    if (storage.spaces >= SPACES_PER_ACCOUNT_MAX) {
      refuse('ceiling-reached', {
        error: `You have ${SPACES_PER_ACCOUNT_MAX} spaces, which is as many as one account may own.`,
        hint: 'Use a space that you have (GET /api/v1/memory/spaces); keys keep notes of different kinds apart in one space. POST /api/v1/memory/spaces/{id}/delete gives one up.',
      });
    }
    await saveStorage(tx, changedBy(storage, { spaces: 1 }, today));
    return presentSpace(space);
  });
  return { status: 200, body };
};

/** The model that makes the vectors, if any, and how many numbers each has. */
function vectorsOf(hub: Hub, { model, dimensions }: Call<'memory.createSpace'>['body']) {
  if (model === undefined) return { dimensions: dimensions ?? DIMENSIONS };
  const most = modelOfVectors(hub, { model, ...defined({ dimensions }) });
  return { model, dimensions: dimensions ?? most };
}
