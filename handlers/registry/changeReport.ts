import { answerReport, withdrawReport } from '../../db/registry/reports.ts';
import type { Writer } from '../../db/store.ts';
import { noteEvent } from '../../db/wallet/accountEvents.ts';
import type { ListingReport } from '../../domain/registry/report.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { mustNotBeModerated } from '../../workflows/kernel/moderation.ts';
import { mustHold } from '../../workflows/registry/found.ts';
import { lockedReport } from '../../workflows/registry/report.ts';
import { presentReport } from './present/reports.ts';

type ReportCall = Call<'registry.changeReport'>;

/** The word of the holder of the listing, or the author's withdrawal. */
export const changeReport: Handler<'registry.changeReport'> = async (call, hub) => {
  const { answer, withdraw } = call.body;
  if (answer !== undefined && withdraw === true) refuseBoth();
  if (answer === undefined && withdraw !== true) refuseNothing();
  // A banned account may take its report back, and begins nothing.
  if (answer !== undefined) mustNotBeModerated(hub, call.caller.account, [call.path.id]);
  const body = await hub.once(call, async (tx) =>
    presentReport(
      answer === undefined ? await withdrawn(tx, call, hub) : await answered(tx, call, hub, answer),
    ),
  );
  return { status: 200, body };
};

/** A later answer takes the place of the first. */
async function answered(
  tx: Writer,
  { path, caller: { account: by } }: ReportCall,
  { clock }: Hub,
  text: string,
): Promise<ListingReport> {
  const { listing, report } = await lockedReport(tx, path);
  await mustHold(tx, listing, by, 'answers');
  if (report.withdrawnAt !== undefined) {
    return refuse('wrong-state', {
      error: 'This report was withdrawn and counts no longer.',
      hint: `GET /api/v1/agents/${listing.id}/reports shows those that stand.`,
    });
  }
  const answer = { text, by, at: clock.now() };
  await answerReport(tx, report.id, answer);
  const about = { at: answer.at, subjectId: listing.id, ref: report.id, actor: by };
  noteEvent(tx, [report.reporter], { kind: 'report.answered', ...about });
  return { ...report, answer };
}

/** The report keeps its place, reason and author and loses its text; a repeat changes nothing. */
async function withdrawn(
  tx: Writer,
  { path, caller }: ReportCall,
  { clock }: Hub,
): Promise<ListingReport> {
  const { listing, report } = await lockedReport(tx, path);
  if (report.reporter !== caller.account) {
    return refuse('not-a-party', {
      error: `Only its author, ${report.reporter}, withdraws this report.`,
      hint: `GET /api/v1/agents/${listing.id}/reports shows which one is yours.`,
    });
  }
  if (report.withdrawnAt !== undefined) return report;
  const withdrawnAt = clock.now();
  await withdrawReport(tx, report, withdrawnAt);
  const { text: _text, ...rest } = report;
  return { ...rest, withdrawnAt };
}

function refuseBoth(): never {
  refuse('bad-request', {
    error: 'body.withdraw is the word of the author, and body.answer that of the holder.',
    hint: 'Send the call again with one of them.',
    field: 'body.withdraw',
  });
}

function refuseNothing(): never {
  refuse('bad-request', {
    error: 'The call has neither an answer nor a withdrawal.',
    hint: 'Send the call again with `answer`, or with `withdraw` true.',
    field: 'body',
  });
}
