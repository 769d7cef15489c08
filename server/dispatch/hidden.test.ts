import { strict as assert } from 'node:assert';
import { textReply } from '../../handlers/textReply.ts';
import { withoutHidden } from './hidden.ts';
import type { Moderation } from '../../workflows/kernel/moderation.ts';

const moderation: Moderation = {
  refresh: () => Promise.resolve(),
  against: (name) => (name === 'x' ? { id: 'd', isBan: false, account: 'author' } : undefined),
  hides: () => true,
};
const visitor = { kind: 'visitor', ip: '127.0.0.1' } as const;

describe('an answer whose text is stored', () => {
  it('loses the bytes and the tag with a text that was hidden', () => {
    const reply = textReply('{"id":"x","bio":"rude words"}', 'stored');
    const shown = withoutHidden(moderation, reply, visitor);
    assert.deepEqual(shown, {
      status: 200,
      headers: {},
      body: { id: 'x', bio: 'Hidden by the operator of this hub.' },
    });
  });

  it('stays as it is where nothing in it was hidden', () => {
    const reply = textReply('{"id":"y","bio":"fine words"}', 'stored');
    assert.equal(withoutHidden(moderation, reply, visitor), reply);
  });
});
