import { defined } from '../../domain/defined.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { reportListing } from '../../workflows/registry/report.ts';
import { presentReport } from './present/reports.ts';

export const report: Handler<'registry.report'> = async ({ path, body, caller }, hub) => {
  const { reason, text } = body;
  const given = { reason, ...defined({ text }) };
  return { status: 200, body: presentReport(await reportListing(hub, caller, path.id, given)) };
};
