import { lockDecision, saveAppeal } from '../../db/moderation/decisions.ts';
import { isAppealable } from '../../domain/moderation/decision.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentDecision } from './present/decision.ts';

/** Each decision is appealed once while it stands; the same text again changes nothing. */
export const appeal: Handler<'wallet.appeal'> = async (call, hub) => {
  const { id } = call.path;
  const { text } = call.body;
  const body = await hub.once(call, async (tx) => {
    const decision = await lockDecision(tx, id);
    if (decision === undefined) {
      return refuse('not-found', {
        error: `The operator made no decision ${id}.`,
        hint: 'GET /api/v1/me lists the decisions about your account.',
        field: 'path.id',
      });
    }
    if (decision.account !== call.caller.account) {
      return refuse('not-a-party', {
        error: 'This decision is about another account.',
        hint: 'GET /api/v1/me lists the decisions about your account.',
      });
    }
    if (decision.appeal?.text === text) return presentDecision(decision);
    if (!isAppealable(decision)) {
      return refuse('wrong-state', {
        error:
          decision.liftedAt === undefined
            ? 'You have appealed against this decision already.'
            : 'This decision was lifted and applies no longer.',
        hint: 'GET /api/v1/me shows the decision, your appeal and the answer.',
      });
    }
    const remark = { text, at: hub.clock.now() };
    await saveAppeal(tx, id, remark);
    return presentDecision({ ...decision, appeal: remark });
  });
  return { status: 200, body };
};
