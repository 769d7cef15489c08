import { onlyAuthorAfter, saveAnnounced, unannounced } from '../../db/memory/facts.ts';
import { grantsOn, lockSpace } from '../../db/memory/spaces.ts';
import { noteEvent } from '../../db/wallet/accountEvents.ts';
import { defined } from '../../domain/defined.ts';
import { GRANTS_PER_SPACE_MAX } from '../../domain/memory/limits.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { againIfFull } from '../../server/hub/job.ts';

/**
 * Events of shared spaces (choices memory.events). All changes since the last event are one, so that
 * a space with many writers and readers does not make an event for each of both.
 */
const SPACES_AT_ONCE = 20;

export async function announceSpaces(hub: Hub): Promise<number | void> {
  const changed = await hub.store.read((db) => unannounced(db, SPACES_AT_ONCE));
  for (const { id, announced } of changed) await announce(hub, id, announced);
  return againIfFull(changed.length, SPACES_AT_ONCE);
}

/** All who may read the space has the event, but for the one account that made all changes. */
function announce(hub: Hub, id: string, announced: number): Promise<void> {
  return hub.store.write(async (tx) => {
    const space = await lockSpace(tx, id);
    if (space === undefined || space.changes <= announced) return;
    const actor = await onlyAuthorAfter(tx, space.no, announced);
    const grants = await grantsOn(tx, space, GRANTS_PER_SPACE_MAX);
    const readers = [space.owner, ...grants.map(({ grantee }) => grantee)];
    await saveAnnounced(tx, space.no, space.changes);
    noteEvent(
      tx,
      readers.filter((reader) => reader !== actor),
      { kind: 'space.changed', at: hub.clock.now(), subjectId: id, ...defined({ actor }) },
    );
  });
}
