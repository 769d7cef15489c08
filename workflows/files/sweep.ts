import {
  forgetContent,
  goneContents,
  staleContents,
  sweepContent,
} from '../../db/files/contents.ts';
import { instant } from '../../domain/instant.ts';
import type { Hub } from '../kernel/hub.ts';
import { againIfFull } from '../kernel/job.ts';

/** Far longer than a file takes from its upload to its commit. */
const KEPT_MS = 3_600_000;
const CONTENTS_AT_ONCE = 200;

/** Removes contents without a file. The database decides first, so any process can finish a run. */
export async function sweepFiles(hub: Hub): Promise<number | undefined> {
  const since = instant(hub.clock.now() - KEPT_MS);
  const stale = await hub.store.read((db) => staleContents(db, since, CONTENTS_AT_ONCE));
  for (const object of stale) await hub.store.write((tx) => sweepContent(tx, object, since));
  const gone = await hub.store.read((db) => goneContents(db, CONTENTS_AT_ONCE));
  for (const object of gone) await removeGone(hub, object);
  await hub.files.sweepUploads(KEPT_MS);
  return againIfFull(Math.max(stale.length, gone.length), CONTENTS_AT_ONCE);
}

/** Removes the bytes of a content that is gone. */
export async function removeGone(hub: Hub, object: string): Promise<void> {
  await hub.files.remove(object);
  await hub.store.write((tx) => forgetContent(tx, object));
}
