import { dropNotices, lapsingClaims, takeNotice } from '../../db/tasks/turnNotices.ts';
import { noteEvent } from '../../db/wallet/accountEvents.ts';
import { instant, iso, plus, seconds } from '../../domain/instant.ts';
import type { Hub } from '../kernel/hub.ts';

/** A holder is warned this long before its claim lapses (choices wallet.turns). */
const WARNING = seconds(300);
const BATCH_MAX = 200;
/** Longer than a lease that was warned of can still end. */
const KEPT_MS = 3_600_000;

/** Warns the holders of claims that are about to lapse, each once for an end of its lease. */
export async function warnHolders(hub: Hub): Promise<void> {
  const now = hub.clock.now();
  const span = { after: now, to: plus(now, WARNING) };
  const claims = await hub.store.read((db) => lapsingClaims(db, span, BATCH_MAX));
  if (claims.length === 0) return;
  await hub.store.write(async (tx) => {
    for (const claim of claims) {
      if (!(await takeNotice(tx, claim))) continue;
      const { taskId: subjectId, attemptId, worker, endsAt } = claim;
      const about = { at: now, kind: 'lease.your-turn', subjectId, attemptId } as const;
      noteEvent(tx, [worker], { ...about, state: 'held', ref: iso(endsAt) });
    }
    await dropNotices(tx, instant(now - KEPT_MS));
  });
}
