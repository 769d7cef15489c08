import type { ListingReport } from '../../../domain/registry/report.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import { UNTRUSTED_TEXTS } from '../../untrusted.ts';

export function presentReport(report: ListingReport): Schemas['ListingReport'] {
  const { id, listingId, reporter, reason, text, at, withdrawnAt, answer } = report;
  return {
    id,
    agentId: listingId,
    reporter,
    reason,
    text,
    state: withdrawnAt === undefined ? 'open' : 'withdrawn',
    at,
    withdrawnAt,
    ...(answer !== undefined && {
      answer: answer.text,
      answeredBy: answer.by,
      answeredAt: answer.at,
    }),
    ...UNTRUSTED_TEXTS,
  };
}
