import { readCheckpoint } from '../../db/log/checkpoints.ts';
import { readLog } from '../../db/log/log.ts';
import { LOG_KEY } from '../../domain/log/note.ts';
import { verifierKey } from '../../domain/log/signing.ts';
import { minuteIso } from '../../domain/time/minute.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { logKeys } from '../../workflows/log/sequence.ts';
import { presentNote, presentWitness } from './present.ts';

export const state: Handler<'log.state'> = async (_, hub) => {
  const body = await hub.store.read(async (db) => {
    const { origin } = await readLog(db);
    const newest = await readCheckpoint(db, 'newest');
    const keys = await logKeys(db, hub);
    const witnesses = [];
    for (const witness of hub.settings.logWitnesses) {
      witnesses.push(await presentWitness(db, witness));
    }
    return {
      origin,
      size: newest?.size ?? 0,
      ...(newest !== undefined && {
        checkpoint: await presentNote(db, hub, newest),
        issuedAt: newest.issuedAt,
        stamp: { digest: newest.digest, minute: minuteIso(newest.stampedIn) },
      }),
      verifierKeys: keys.map(({ publicKey }) => verifierKey(origin, LOG_KEY, publicKey)),
      witnesses,
    };
  });
  return { status: 200, body };
};
