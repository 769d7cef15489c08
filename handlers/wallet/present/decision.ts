import { defined } from '../../../domain/defined.ts';
import { iso } from '../../../domain/instant.ts';
import { isAppealable, type Decision } from '../../../domain/moderation/decision.ts';
import type { components } from '../../../generated/types.ts';

export function presentDecision(decision: Decision): components['schemas']['OperatorDecision'] {
  const { id, kind, subject, subjectId, reason, at, liftedAt, appeal, answer } = decision;
  return {
    id,
    kind,
    subject,
    subjectId,
    reason,
    at: iso(at),
    state: liftedAt === undefined ? 'standing' : 'lifted',
    ...defined({ liftedAt: liftedAt && iso(liftedAt) }),
    appealable: isAppealable(decision),
    ...(appeal && { appeal: appeal.text, appealedAt: iso(appeal.at) }),
    ...(answer && { answer: answer.text, answeredAt: iso(answer.at) }),
  };
}
