import { isAppealable, type Decision } from '../../../domain/moderation/decision.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';

export function presentDecision(decision: Decision): Schemas['OperatorDecision'] {
  const { id, kind, subject, subjectId, reason, at, liftedAt, appeal, answer } = decision;
  return {
    id,
    kind,
    subject,
    subjectId,
    reason,
    at,
    state: liftedAt === undefined ? 'standing' : 'lifted',
    liftedAt: liftedAt && liftedAt,
    appealable: isAppealable(decision),
    ...(appeal && { appeal: appeal.text, appealedAt: appeal.at }),
    ...(answer && { answer: answer.text, answeredAt: answer.at }),
  };
}
