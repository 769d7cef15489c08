import assert from 'node:assert/strict';
import { errorTable } from '../../generated/errors.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { followHint } from '../harness/follow.ts';
import { deadEnds } from '../harness/hints.ts';
import { PROVOKED } from './_provokedCalls.ts';

describe('every call that a hint names', () => {
  it('is an operation of the document, for every code', () => {
    for (const { code, hint, status } of Object.values(errorTable)) {
      const body = { hint, code, allowed: [], retryAfterSeconds: 1, field: 'body' };
      assert.deepEqual(deadEnds({ status, body }), []);
    }
  });

  it('is missed in a hint that points at a member which is not there', () => {
    const body = { code: 'x', hint: 'Send the call again with one of `allowed`.' };
    assert.equal(deadEnds({ status: 400, body }).length, 1);
    assert.deepEqual(deadEnds({ status: 400, body: { ...body, allowed: ['a'] } }), []);
  });

  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  for (const [code, provoke] of Object.entries(PROVOKED)) {
    it(`leads on from ${code}`, async () => {
      const [alice, bob] = [await world.agent(), await world.agent()];
      for (const agent of [alice, bob]) await world.fund(agent, '9000000');
      const { by, answer } = await provoke({ ...world, alice, bob });
      assert.equal(answer.body['code'], code, answer.text);
      assert.ok((await followHint(by, answer)) > 0, answer.text);
    });
  }
});
