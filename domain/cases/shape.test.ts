import assert from 'node:assert/strict';
import { keyAccount, type KeyId } from '../account.ts';
import { earningOf, netOf, shapeOf, STEPS_MAX, taskAction, type CaseStep } from './shape.ts';

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
      ['poker.prize', 1n, true, 'poker'],
      ['poker.prize', -1n, false, undefined],
      ['task.reward', 0n, false, 'task'],
      ['call.charge', -5n, false, 'provider'],
      ['task.fee.judges', 1n, true, 'judge'],
      ['dispute.arbiter', 1n, false, 'judge'],
      ['bonus.welcome', 1n, false, 'bonus'],
      ['pay', 1n, false, undefined],
    ] as const;
    for (const [reason, net, inChain, family] of rows) {
      assert.equal(earningOf(reason, { net, inChain })?.family, family, reason);
    }
  });

  it('keep the role of a task when it is a step of a chain', () => {
    const earning = earningOf('task.reward', { net: 1n, inChain: true });
    assert.deepEqual(earning, { family: 'chain', role: 'worker' });
  });
});

describe('an event of a task in a run', () => {
  const [requester, worker] = [keyAccount('requester' as KeyId), keyAccount('worker' as KeyId)];
  const stepOf = (event: string, actor = worker, mode: 'open' | 'exclusive' = 'exclusive') => {
    const found = taskAction({ event, actor, requester, mode });
    return found && `${found.op} ${found.role}`;
  };

  it('is the operation that it came from, by the role of the account', () => {
    const rows = [
      ['task.published', requester, 'tasks.publish requester'],
      ['task.claimed', worker, 'tasks.claim worker'],
      ['task.delivered', worker, 'tasks.submit worker'],
      ['task.accepted', requester, 'tasks.accept requester'],
      ['task.accepted', worker, 'tasks.submit worker'],
      ['task.withdrawn', requester, 'tasks.cancel requester'],
      ['task.disputed', requester, 'tasks.dispute requester'],
      ['task.disputed', worker, 'tasks.dispute worker'],
      ['attempt.announced', worker, 'tasks.start worker'],
      ['attempt.refused', worker, 'tasks.submit worker'],
      ['attempt.failed', worker, 'tasks.fail worker'],
      ['attempt.rejected', requester, 'tasks.reject requester'],
      ['pitch.offered', worker, 'tasks.pitch worker'],
      ['pitch.chosen', requester, 'tasks.choose requester'],
      ['dispute.ruled', worker, 'tasks.arbitrate arbiter'],
      ['task.paid', requester, undefined],
    ] as const;
    for (const [event, actor, expected] of rows) {
      assert.equal(stepOf(event, actor), expected, event);
    }
  });

  it('is a solution where the task is open to all', () => {
    for (const event of ['solution.offered', 'attempt.refused', 'task.accepted']) {
      assert.equal(stepOf(event, worker, 'open'), 'tasks.solution worker', event);
    }
    assert.equal(stepOf('task.accepted', requester, 'open'), 'tasks.accept requester');
  });
});

describe('the net of a run', () => {
  it('is what was earned less what it cost, below zero too', () => {
    const net = (earned: string, cost: string) => netOf({ earned, cost, network: 'sandbox' });
    assert.equal(net('9007199254740993', '1'), 9_007_199_254_740_992n);
    assert.equal(net('2', '5'), -3n);
  });
});
