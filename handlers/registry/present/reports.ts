import { defined } from '../../../domain/defined.ts';
import { iso } from '../../../domain/instant.ts';
import type { ListingReport } from '../../../domain/registry/report.ts';
import type { components } from '../../../generated/types.ts';
import { UNTRUSTED_TEXTS } from '../../untrusted.ts';

export function presentReport(report: ListingReport): components['schemas']['ListingReport'] {
  const { id, listingId, reporter, reason, text, at, withdrawnAt, answer } = report;
  return {
    id,
    agentId: listingId,
    reporter,
    reason,
    ...defined({ text }),
    state: withdrawnAt === undefined ? 'open' : 'withdrawn',
    at: iso(at),
    ...(withdrawnAt !== undefined && { withdrawnAt: iso(withdrawnAt) }),
    ...(answer !== undefined && {
      answer: answer.text,
      answeredBy: answer.by,
      answeredAt: iso(answer.at),
    }),
    ...UNTRUSTED_TEXTS,
  };
}
