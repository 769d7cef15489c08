import { withdrawReport as save } from '../../db/registry/reports.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { lockedReport } from '../../workflows/registry/report.ts';
import { presentReport } from './present/reports.ts';

/** The report keeps its place, reason and author and loses its text; a repeat changes nothing. */
export const withdrawReport: Handler<'registry.withdrawReport'> = async (call, hub) => {
  const body = await hub.once(call, async (tx) => {
    const { listing, report } = await lockedReport(tx, call.path);
    if (report.reporter !== call.caller.account) {
      return refuse('not-a-party', {
        error: `Only its author, ${report.reporter}, withdraws this report.`,
        hint: `GET /api/v1/agents/${listing.id}/reports shows which one is yours.`,
      });
    }
    if (report.withdrawnAt !== undefined) return presentReport(report);
    const withdrawnAt = hub.clock.now();
    await save(tx, report, withdrawnAt);
    const { text: _text, ...rest } = report;
    return presentReport({ ...rest, withdrawnAt });
  });
  return { status: 200, body };
};
