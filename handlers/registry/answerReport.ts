import { answerReport as save } from '../../db/registry/reports.ts';
import { noteEvent } from '../../db/wallet/accountEvents.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { mustHold } from '../../workflows/registry/found.ts';
import { lockedReport } from '../../workflows/registry/report.ts';
import { presentReport } from './present/reports.ts';

/** The word of the account that holds the listing; a later answer takes the place of the first. */
export const answerReport: Handler<'registry.answerReport'> = async (call, hub) => {
  const { account } = call.caller;
  const body = await hub.once(call, async (tx) => {
    const { listing, report } = await lockedReport(tx, call.path);
    await mustHold(tx, listing, account, 'answers');
    if (report.withdrawnAt !== undefined) {
      return refuse('wrong-state', {
        error: 'This report was withdrawn and counts no longer.',
        hint: `GET /api/v1/agents/${listing.id}/reports shows those that stand.`,
      });
    }
    const answer = { text: call.body.answer, by: account, at: hub.clock.now() };
    await save(tx, report.id, answer);
    const { at, by: actor } = answer;
    const about = { at, subjectId: listing.id, ref: report.id, actor };
    noteEvent(tx, [report.reporter], { kind: 'report.answered', ...about });
    return presentReport({ ...report, answer });
  });
  return { status: 200, body };
};
