import assert from 'node:assert/strict';
import { instant } from '../instant.ts';
import { isAppealable, type Decision } from './decision.ts';

const at = instant(Date.parse('2026-11-20T10:00:00Z'));
const ban: Decision = {
  id: 'decision',
  kind: 'ban',
  subject: 'account',
  subjectId: 'key:a',
  account: undefined,
  reason: 'It sent spam.',
  at,
};

describe('a decision of the operator', () => {
  it('is appealed once, while it stands', () => {
    const appeal = { text: 'It was not me.', at };
    assert.equal(isAppealable(ban), true);
    assert.equal(isAppealable({ ...ban, appeal }), false, 'it was appealed');
    assert.equal(isAppealable({ ...ban, liftedAt: at }), false, 'it was lifted');
    assert.equal(isAppealable({ ...ban, liftedAt: at, appeal }), false);
  });
});
