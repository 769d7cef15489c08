import {
  answersLeft,
  countErasable,
  eraseAnswers,
  eraseEvents,
  eraseTexts,
  filesToErase,
  hostedKeys,
  spacesToErase,
} from '../../db/personal/erase.ts';
import { eraseWebhooks } from '../../db/webhooks/webhooks.ts';
import type { OnceOperation } from '../../generated/operations.ts';
import type { Signer } from '../kernel/call.ts';
import type { Hub } from '../kernel/hub.ts';
import { removeFile } from '../files/remove.ts';
import { takeDown } from '../hosted/takeDown.ts';
import { deleteSpaceNotes } from '../memory/delete.ts';

/** Spaces and files of one call; a space loses a bounded number of notes at once. */
const SPACES_AT_ONCE = 10;
const FILES_AT_ONCE = 50;
const ANSWERS_AT_ONCE = 1_000;
/** Once-only calls whose stored answers have texts that are bought, or that are erased elsewhere. */
const ANSWERS_OF: readonly OnceOperation[] = [
  'router.call',
  'services.compressPrompt',
  'services.cardRead',
  'services.schemaToEnglish',
  'memory.createSpace',
  'memory.write',
  'memory.import',
  'memory.search',
  'files.put',
  'hosted.publish',
];

export interface Erased {
  readonly texts: number;
  readonly events: number;
  readonly webhooks: number;
  readonly listings: number;
  readonly notes: number;
  readonly spaces: number;
  readonly files: number;
  readonly answers: number;
}

/**
 * Erases what an account may erase (choices operator.personal). Each file and each part of a space
 * is a unit of its own, so no lock is held for long and a repeat continues.
 */
export async function eraseAccount(
  hub: Hub,
  caller: Signer,
): Promise<{ readonly erased: Erased; readonly left: number }> {
  const { account } = caller;
  const stored = { account, operations: ANSWERS_OF, limit: ANSWERS_AT_ONCE };
  const first = await hub.act({ caller }, async (tx) => {
    const keys = await hostedKeys(tx, account);
    for (const keyId of keys) await takeDown(tx, hub, keyId);
    const texts = await eraseTexts(tx, account, hub.clock.now());
    const webhooks = await eraseWebhooks(tx, account);
    const events = await eraseEvents(tx, account);
    const answers = await eraseAnswers(tx, stored);
    return { texts, webhooks, listings: keys.length, events, answers };
  });
  const found = await hub.store.read(async (db) => ({
    spaces: await spacesToErase(db, account, SPACES_AT_ONCE),
    files: await filesToErase(db, account, FILES_AT_ONCE),
  }));
  let [notes, spaces] = [0, 0];
  for (const id of found.spaces) {
    const part = await hub.act({ caller }, (tx) => deleteSpaceNotes(tx, hub, id, account));
    notes += part.deleted;
    spaces += Number(part.gone);
  }
  for (const key of found.files) {
    await hub.act({ caller }, (tx) => removeFile(tx, hub, { owner: account, key, isErased: true }));
  }
  const left = await hub.store.read(
    async (db) => (await countErasable(db, account)) + (await answersLeft(db, stored)),
  );
  return { erased: { ...first, notes, spaces, files: found.files.length }, left };
}
