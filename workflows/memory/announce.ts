import { need } from '../../db/batch/need.ts';
import { onlyAuthorAfter, unannounced } from '../../db/memory/facts.ts';
import { ANNOUNCED_SPACES, grantsOn, readSpace } from '../../db/memory/spaces.ts';
import { noteEvent } from '../../db/wallet/accountEvents.ts';
import { defined } from '../../domain/defined.ts';
import { GRANTS_PER_SPACE_MAX } from '../../domain/memory/limits.ts';
import type { Hub } from '../kernel/hub.ts';
import { againIfFull } from '../kernel/job.ts';

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

/** All who may read the space have the event, but for the one account that made all changes. */
async function announce(hub: Hub, id: string, announced: number): Promise<void> {
  const about = await hub.store.read(async (db) => {
    const space = await readSpace(db, id);
    if (space === undefined) return undefined;
    const actor = await onlyAuthorAfter(db, space.no, announced);
    const grants = await grantsOn(db, space, GRANTS_PER_SPACE_MAX);
    const readers = [space.owner, ...grants.map(({ grantee }) => grantee)];
    return { changes: space.changes, actor, readers: readers.filter((each) => each !== actor) };
  });
  if (about === undefined) return;
  const { changes, actor, readers } = about;
  await hub.store.decide({
    needs: [need(ANNOUNCED_SPACES, id)],
    decide(db) {
      const known = db.find(ANNOUNCED_SPACES, id);
      // Another process was faster.
      if (known === undefined || known.announced >= changes) return;
      db.put(ANNOUNCED_SPACES, id, { ...known, announced: changes });
      const event = { at: hub.clock.now(), subjectId: id, ...defined({ actor }) };
      noteEvent(db, readers, { kind: 'space.changed', ...event });
    },
  });
}
