import assert from 'node:assert/strict';
import fc from 'fast-check';
import { instant, plus, seconds } from '../instant.ts';
import { atomic, ZERO } from '../money.ts';
import type { Atomic } from '../money.ts';
import { isRefused } from '../tasks/change.ts';
import { at, must, REQUESTER, RIVAL, T0, WORKER } from '../tasks/fixture.ts';
import type { Task, TaskState } from '../tasks/model.ts';
import { abandonChain, completes, follow, karmaOfChain, opensNext } from './follow.ts';
import type { ChainChange } from './follow.ts';
import { stillHeld } from './model.ts';
import type { Chain, StepDeal } from './model.ts';
import { openStep, publishChain } from './publish.ts';
import type { Published, StepDraft } from './publish.ts';

const step = (reward: number): StepDraft => ({
  title: 'A step',
  rewardAmount: atomic(BigInt(reward)),
  verification: 'requester',
});
const draft = (rewards: readonly number[], sameWorker = false) => ({
  requester: REQUESTER,
  title: 'In order',
  network: 'sandbox' as const,
  distinctWorkers: false,
  sameWorker,
  steps: rewards.map(step),
});

function published(...rewards: number[]): Published {
  const made = publishChain(draft(rewards), 'chain', T0);
  if (isRefused(made) || 'total' in made) throw new Error('published');
  return made;
}

function taskOf({ chain, steps }: Published): Task {
  const deal = steps[chain.step - 1];
  if (deal === undefined) throw new Error('a step');
  return openStep(chain, deal, { taskId: `task-${chain.step}` }, T0).task;
}

const accepted = (task: Task, state: TaskState = 'accepted'): Task => ({
  ...task,
  state,
  accepted: { attemptId: 'a', at: T0, payoutAt: at(60) },
});

function summary({
  chain,
  refund,
  opens,
  completed,
}: Omit<ChainChange, 'completed'> & {
  readonly completed?: boolean;
}): string {
  const money = `${chain.spent}/${stillHeld(chain)}/${chain.refunded} waiting ${chain.waiting}`;
  const more = [opens && 'opens', completed === true && 'completed', refund && `back ${refund}`];
  return [chain.state, chain.step, money, ...more.filter(Boolean)].join(' ');
}

describe('domain/chains', () => {
  const made = published(1_000, 2_000, 4_000);
  const [first, last] = [taskOf(made), { ...made, chain: { ...made.chain, step: 3 } }];
  const third = taskOf(last);
  const atEnd: Chain = { ...last.chain, spent: atomic(3_000n), waiting: ZERO };
  const rows: readonly (readonly [string, Chain, Task, Task, Atomic, string])[] = [
    [
      'a step is accepted: its reward is spent and the next opens',
      made.chain,
      first,
      accepted(first),
      ZERO,
      'running 2 1000/6000/0 waiting 4000 opens',
    ],
    [
      'a step is accepted and paid in one',
      made.chain,
      first,
      accepted(first, 'paid'),
      ZERO,
      'running 2 1000/6000/0 waiting 4000 opens',
    ],
    [
      'a step expires: nothing opens any more',
      made.chain,
      first,
      { ...first, state: 'expired' },
      atomic(1_000n),
      'abandoned 1 0/0/7000 waiting 0 back 6000',
    ],
    [
      'a step expires after a panel judged: its judges keep their share',
      made.chain,
      first,
      { ...first, state: 'expired' },
      atomic(990n),
      'abandoned 1 10/0/6990 waiting 0 back 6000',
    ],
    [
      'the last step is accepted: not over yet',
      atEnd,
      third,
      accepted(third),
      ZERO,
      'running 3 7000/0/0 waiting 0',
    ],
    [
      'the last step is paid',
      { ...atEnd, spent: atomic(7_000n) },
      accepted(third),
      accepted(third, 'paid'),
      ZERO,
      'completed 3 7000/0/0 waiting 0 completed',
    ],
    [
      'the last step is taken back by a ruling',
      { ...atEnd, spent: atomic(7_000n) },
      accepted(third, 'disputed'),
      accepted(third, 'refunded'),
      atomic(3_900n),
      'completed 3 3100/0/3900 waiting 0 completed',
    ],
    [
      'an earlier step is taken back by a ruling: nothing is rewound',
      atEnd,
      accepted(first, 'disputed'),
      accepted(first, 'refunded'),
      atomic(900n),
      'running 3 2100/4000/900 waiting 0',
    ],
  ];
  for (const [name, chain, was, is, back, wanted] of rows) {
    it(name, () => {
      const following = atomic(2_000n);
      const change = follow(chain, { was, is, back, following }, T0);
      assert.equal(change && summary(change), wanted);
    });
  }

  it('says nothing to what is not a step’s end', () => {
    const held: Task = { ...first, state: 'held' };
    assert.equal(follow(made.chain, { was: first, is: held, back: ZERO }, T0), undefined);
    const open = accepted(first);
    const paid = accepted(first, 'paid');
    assert.equal(follow(made.chain, { was: open, is: paid, back: ZERO }, T0), undefined);
    assert.equal(completes(made.chain, open, paid), false);
  });

  it('is abandoned by its requester, once, and frees what never opened', () => {
    const over = must(abandonChain(made.chain, REQUESTER, undefined, T0));
    assert.equal(summary(over), 'abandoned 1 0/1000/6000 waiting 0 back 6000');
    assert.equal(over.chain.endReason, 'the requester abandoned it');
    const refusals = [
      abandonChain(made.chain, WORKER, undefined, T0),
      abandonChain(over.chain, REQUESTER, undefined, T0),
    ];
    assert.deepEqual(
      refusals.map((each) => isRefused(each) && [each.refused, each.why]),
      [
        ['not-a-party', 'Only the requester of this chain may abandon it.'],
        ['wrong-state', 'This chain is abandoned already.'],
      ],
    );
    const [, second] = refusals;
    assert.match(
      String(second !== undefined && isRefused(second) && second.hint),
      /GET \/api\/v1\/chains\/chain/,
    );
    const single = published(1_000);
    const last = must(abandonChain(single.chain, REQUESTER, 'No need.', T0));
    assert.deepEqual(
      [last.refund, last.opens, last.chain.endReason],
      [undefined, false, 'No need.'],
    );
    const later = follow(over.chain, { was: first, is: accepted(first), back: ZERO }, T0);
    assert.equal(later && summary(later), 'abandoned 1 1000/0/6000 waiting 0');
  });

  it('names the step that it refuses, and bounds what one escrow holds', () => {
    const small = publishChain(draft([1_000, 999]), 'chain', T0);
    assert.ok(isRefused(small));
    assert.deepEqual(
      [small.refused, small.field],
      ['reward-too-small', 'body.steps[1].rewardAmount'],
    );
    assert.match(small.why, /^Step 2: /);
    const most = published(999_999_999_998_999, 1_000);
    assert.equal(most.chain.total, 999_999_999_999_999n);
    const much = publishChain(draft([999_999_999_999_999, 1_000]), 'chain', T0);
    assert.deepEqual(much, { total: 1_000_000_000_000_999n });
  });

  it('opens a step as an exclusive task of seven days with the result before it', () => {
    const deal: StepDeal | undefined = made.steps[1];
    assert.ok(deal !== undefined);
    const second = { ...made.chain, step: 2 };
    const change = openStep(second, deal, { taskId: 't', previous: { value: null } }, T0);
    const { task, money } = change;
    assert.deepEqual(
      [task.mode, task.input, task.chain, task.deadline, money],
      [
        'exclusive',
        { previous: null },
        { id: 'chain', step: 2 },
        plus(T0, seconds(604_800)),
        undefined,
      ],
    );
    assert.equal(task.windows.disputeWindowSeconds, 86_400);
  });

  it('gives standing to each worker once', () => {
    const causes = karmaOfChain(made.chain, [WORKER, RIVAL, WORKER]);
    const about = { ref: { kind: 'chain', id: 'chain' }, occasion: 'chain' };
    const cause = { ...about, counterparty: REQUESTER, reason: 'chain.completed' };
    assert.deepEqual(causes, [
      { ...cause, subject: WORKER },
      { ...cause, subject: RIVAL },
    ]);
  });

  it('opens a milestone when the one before is paid, and ends when a ruling returns one', () => {
    const one = publishChain(draft([1_000, 2_000], true), 'chain', T0);
    if (isRefused(one) || 'total' in one) throw new Error('published');
    const task = taskOf(one);
    const turn = { back: ZERO, following: atomic(2_000n) };
    const waits = follow(one.chain, { was: task, is: accepted(task), ...turn }, T0);
    assert.equal(waits && summary(waits), 'running 1 1000/2000/0 waiting 2000');
    const spent = waits?.chain ?? one.chain;
    const paid = follow(spent, { was: accepted(task), is: accepted(task, 'paid'), ...turn }, T0);
    assert.equal(paid && summary(paid), 'running 2 1000/2000/0 waiting 0 opens');
    const ruled = { was: accepted(task, 'disputed'), is: accepted(task, 'refunded') };
    const ended = follow(spent, { ...ruled, ...turn, back: atomic(900n) }, T0);
    assert.equal(ended && summary(ended), 'abandoned 1 100/0/2900 waiting 0 back 2000');
    assert.equal(ended?.chain.endReason, 'the arbiter of step 1 returned its reward');
  });

  it('takes one worker or many, never both', () => {
    const refusal = publishChain({ ...draft([1_000], true), distinctWorkers: true }, 'chain', T0);
    assert.deepEqual(isRefused(refusal) && [refusal.refused, refusal.field], [
      'not-together',
      'body.sameWorker',
    ]);
  });

  it('opens nothing for a task of another step, at the last step, or once it is over', () => {
    const task = taskOf(made);
    const is = accepted(task);
    assert.equal(opensNext(made.chain, task, is), true);
    assert.equal(opensNext({ ...made.chain, step: 2 }, task, is), false);
    assert.equal(opensNext({ ...made.chain, state: 'abandoned' }, task, is), false);
    const single = published(1_000);
    const only = taskOf(single);
    assert.equal(opensNext(single.chain, only, accepted(only)), false);
    const { chain: _, ...apart } = is;
    assert.equal(opensNext(made.chain, task, apart), false);
    const same = { ...made.chain, sameWorker: true };
    const paid = accepted(task, 'paid');
    assert.deepEqual([opensNext(same, is, paid), opensNext(same, paid, paid)], [true, false]);
  });

  it('is completed by the end of its last step alone', () => {
    const last = { ...made.chain, step: made.chain.steps };
    const task = { ...taskOf(made), chain: { id: 'chain', step: made.chain.steps } };
    const paid = accepted(task, 'paid');
    assert.equal(completes(last, accepted(task), paid), true);
    assert.equal(completes(last, accepted(task), accepted(task, 'refunded')), true);
    assert.equal(completes(last, paid, paid), false);
    assert.equal(completes(last, accepted(task), accepted(task, 'disputed')), false);
    assert.equal(completes({ ...last, state: 'abandoned' }, accepted(task), paid), false);
    const { chain: _, ...apart } = paid;
    assert.equal(completes(last, accepted(task), apart), false);
  });

  it('takes the shortest and the longest time of a step at any moment of a second', () => {
    for (const deadlineSeconds of [300, 90 * 86_400]) {
      const steps = [{ ...step(1_000), deadlineSeconds }];
      const made = publishChain({ ...draft([]), steps }, 'chain', instant(T0 + 437));
      assert.ok('steps' in made, String(deadlineSeconds));
    }
  });

  it('keeps every unit spent, held or gone back, however its steps end', () => {
    const rewards = fc.array(fc.integer({ min: 1_000, max: 9_999 }), {
      minLength: 1,
      maxLength: 6,
    });
    const ends = fc.array(fc.constantFrom('accept', 'pay', 'expire', 'abandon'), { maxLength: 8 });
    fc.assert(
      fc.property(rewards, ends, (each, how) => {
        const { chain: opened, steps } = published(...each);
        let chain = opened;
        const whole = (): void => {
          assert.equal(chain.spent + stillHeld(chain) + chain.refunded, chain.total);
          assert.ok(chain.waiting <= stillHeld(chain));
        };
        for (const end of how) {
          if (chain.state !== 'running') break;
          if (end === 'abandon') {
            chain = must(abandonChain(chain, REQUESTER, 'no', T0)).chain;
            whole();
            break;
          }
          const was = taskOf({ chain, steps });
          const states = { accept: 'accepted', pay: 'paid', expire: 'expired' } as const;
          const is = end === 'expire' ? { ...was, state: states[end] } : accepted(was, states[end]);
          const back = end === 'expire' ? (was.reward?.amount ?? ZERO) : ZERO;
          const following = steps[chain.step]?.reward;
          const turn = { was, is, back, ...(following !== undefined && { following }) };
          const change = follow(chain, turn, T0);
          assert.ok(change !== undefined);
          const isLast = chain.step === chain.steps;
          chain = change.chain;
          whole();
          if (isLast) break;
        }
      }),
      { numRuns: 300, seed: 20_261_121 },
    );
  });
});
