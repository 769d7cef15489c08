import assert from 'node:assert/strict';
import { earningOf, shapeOf, STEPS_MAX, type CaseStep } from './shape.ts';

const step = (op: string): CaseStep => ({ op, role: 'worker', networkKind: 'test' });
const reward = step('task.reward');

describe('shapes of runs', () => {
  it('count a repeat once, and only where it follows at once', () => {
    const [a, b] = [step('a'), step('b')];
    const once = shapeOf([a, b, a, reward]);
    assert.deepEqual(shapeOf([a, a, b, b, b, a, reward]), once);
    assert.equal(once.steps.length, 4);
    assert.notEqual(shapeOf([b, a, reward]).id, shapeOf([a, b, reward]).id);
  });

  it('are named by sixteen hex characters that every client can compute', () => {
    assert.equal(shapeOf([reward]).id, 'e2063160d6b974a3');
  });

  it('keep the end of a long run and say that they were cut', () => {
    const long = Array.from({ length: STEPS_MAX }, (_, n) => step(`op${n}`));
    const { steps, cut } = shapeOf([...long, reward]);
    assert.deepEqual([steps.length, cut, steps[0]?.op], [STEPS_MAX, true, 'op1']);
    assert.equal(shapeOf(long).cut, false);
  });

  it('end in an earning: poker when more came out, a chain when the task is a step of one', () => {
    const rows = [
      ['task.reward', 1n, false, 'task'],
      ['task.reward', 1n, true, 'chain'],
      ['poker.cashout', 1n, false, 'poker'],
      ['poker.cashout', 0n, false, undefined],
      ['dispute.arbiter', 1n, false, 'judge'],
      ['bonus.welcome', 1n, false, 'bonus'],
      ['pay', 1n, false, undefined],
    ] as const;
    for (const [reason, net, inChain, family] of rows) {
      assert.equal(earningOf(reason, { net, inChain })?.family, family, reason);
    }
  });
});
