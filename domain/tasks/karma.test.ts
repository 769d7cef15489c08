import assert from 'node:assert/strict';
import type { Account } from '../account.ts';
import type { Change, Refused } from './change.ts';
import { accept, cancel, reject } from './decide.ts';
import { deliver, giveBack } from './deliver.ts';
import { settleDue } from './due.ts';
import type { TaskAggregate } from './model.ts';
import { offer } from './solve.ts';
import { karmaOf } from './karma.ts';
import {
  acceptedAt,
  at,
  attempt,
  DAY,
  delivered,
  held,
  HOUR,
  MISSES,
  must,
  offered,
  PASSES,
  published,
  REQUESTER,
  RIVAL,
  someone,
  T0,
  WORKER,
} from './fixture.ts';

const RULE = { kind: 'contains', values: ['x'] } as const;
const NAMES = new Map<Account, string>([
  [REQUESTER, 'requester'],
  [WORKER, 'worker'],
  [RIVAL, 'rival'],
]);
const BOTH = 'worker task.paid.worker from requester, requester task.paid.requester from worker';

const byClock = (aggregate: TaskAggregate, now = at(91 * DAY)): Change => {
  const change = settleDue(aggregate, now);
  assert.ok(change !== undefined, 'something is due');
  return change;
};
const done = (verdict = PASSES) => ({ result: 'done', verdict });
const chosen = (aggregate: TaskAggregate): TaskAggregate => ({
  ...aggregate,
  task: { ...aggregate.task, reserved: { for: WORKER, until: at(HOUR) } },
});

type Row = readonly [name: string, decide: () => Change | Refused | undefined, says: string];
const noWindow = (): TaskAggregate => held({ acceptance: RULE, disputeWindowSeconds: 0 });
const solved = (): TaskAggregate =>
  published({ mode: 'open', acceptance: RULE, disputeWindowSeconds: 0 });
const rows: readonly Row[] = [
  [
    'T4 accepted: not yet',
    () => deliver(held({ acceptance: RULE }), attempt(), done(), at(60)),
    'nothing',
  ],
  ['T4 with no window', () => deliver(noWindow(), attempt(), done(), at(60)), BOTH],
  [
    'T4 with a payee: the signer',
    () => deliver(noWindow(), attempt({ payee: RIVAL }), done(), at(60)),
    BOTH,
  ],
  [
    'T6 refused by the rule',
    () => deliver(held({ acceptance: RULE }), attempt(), done(MISSES), at(60)),
    'nothing',
  ],
  ['T7 given back', () => giveBack(held(), attempt(), 'no', at(60)), 'nothing'],
  ['T8 lapsed', () => byClock(held()), 'worker claim.lapsed from requester'],
  ['T11 accepted and paid', () => accept(delivered(), REQUESTER, undefined, T0), BOTH],
  ['T11 waived', () => accept(acceptedAt(T0, DAY), REQUESTER, undefined, T0), BOTH],
  [
    'T11 unpaid work',
    () => accept(delivered({ unpaid: true }), REQUESTER, undefined, T0),
    'nothing',
  ],
  ['T12 rejected', () => reject(delivered(), REQUESTER, { reason: 'no' }, T0), 'nothing'],
  [
    'T14 accepted and paid',
    () => offer(solved(), { worker: someone(), attemptId: 'attempt' }, done(), at(60)),
    BOTH,
  ],
  [
    'T18 chosen and unclaimed',
    () => byClock(chosen(published({ tags: ['pitch'] }))),
    'worker pitch.unclaimed from requester',
  ],
  ['T19 paid by the clock', () => byClock(acceptedAt(T0, DAY)), BOTH],
  ['T24 withdrawn', () => cancel(published(), REQUESTER, T0), 'nothing'],
  ['T25 expired', () => byClock(published()), 'nothing'],
  [
    'T26 ignored, each undecided one',
    () => byClock(offered([WORKER, RIVAL])),
    'requester delivery.ignored from worker, requester delivery.ignored from rival',
  ],
];

describe('standing of those who decide about a task', () => {
  for (const [name, decide, says] of rows) {
    it(name, () => {
      const change = decide();
      assert.ok(change !== undefined);
      const summary = karmaOf(must(change)).map(({ subject, reason, counterparty }) => {
        assert.ok(counterparty !== undefined);
        return `${NAMES.get(subject)} ${reason} from ${NAMES.get(counterparty)}`;
      });
      assert.equal(summary.join(', ') || 'nothing', says);
    });
  }

  it('distinguishes two lapses of one worker on one task', () => {
    const expire = (id: string): string | undefined => {
      const aggregate = held();
      return karmaOf(byClock({ ...aggregate, live: [attempt({ id })] }))[0]?.occasion;
    };
    assert.notEqual(expire('first'), expire('second'));
  });
});
