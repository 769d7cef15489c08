import assert from 'node:assert/strict';
import type { AcceptanceRule } from '../acceptance/rule.ts';
import type { Change, Refused } from './change.ts';
import { claim } from './claim.ts';
import { accept, cancel, reject } from './decide.ts';
import { deliver, giveBack } from './deliver.ts';
import { settleDue } from './due.ts';
import type { TaskAggregate } from './model.ts';
import { publish } from './publish.ts';
import { announce, offer } from './solve.ts';
import {
  acceptedAt,
  at,
  attempt,
  DAY,
  delivered,
  draft,
  held,
  HOUR,
  MISSES,
  offered,
  PASSES,
  published,
  REQUESTER,
  RIVAL,
  someone,
  T0,
  summary,
  WORKER,
} from './fixture.ts';

const RULE: AcceptanceRule = { kind: 'contains', values: ['x'] };
const ids = {
  attemptId: 'attempt',
  token: () => ({ claimToken: 'token', tokenKey: 'key' }),
};
const done = (verdict = PASSES) => ({ result: 'done', verdict });
const byWorker = { worker: someone(), attemptId: 'attempt' };
const reserved = (aggregate: TaskAggregate): TaskAggregate => ({
  ...aggregate,
  task: { ...aggregate.task, reserved: { for: WORKER, until: at(HOUR) } },
});

/** The task is made and the decision taken within the test. */
type Row = readonly [
  name: string,
  make: () => TaskAggregate,
  decide: (aggregate: TaskAggregate) => Change | Refused | undefined,
  is: string,
];

const claims: readonly Row[] = [
  [
    'T2 claim',
    published,
    (free) => claim(free, { ...ids, worker: someone() }, T0),
    'open>held claimed - task.claimed',
  ],
  [
    'T2 claim of a chosen pitch',
    () => reserved(published({ tags: ['pitch'] })),
    (own) => claim(own, { ...ids, worker: someone() }, T0),
    'open>held claimed - task.claimed',
  ],
  [
    'T3 renewal',
    held,
    (mine) => claim(mine, { ...ids, worker: someone() }, at(60)),
    'held>held claimed - lease.renewed',
  ],
];

const deliveries: readonly Row[] = (
  [
    ['T4 passes', { acceptance: RULE }, PASSES, 'held>accepted accepted reserve task.accepted'],
    [
      'T4 passes with no window',
      { acceptance: RULE, disputeWindowSeconds: 0 },
      PASSES,
      'held>paid accepted release task task.accepted+task.paid',
    ],
    ['T5 waits for the requester', {}, PASSES, 'held>delivered waiting - task.delivered'],
    [
      'T5 waits for the panel',
      { verification: 'validator', acceptance: RULE },
      PASSES,
      'held>delivered waiting - task.delivered',
    ],
    ['T6 misses', { acceptance: RULE }, MISSES, 'held>open refused - attempt.refused'],
  ] as const
).map(([name, over, verdict, is]) => [
  name,
  () => held(over),
  (mine) => deliver(mine, attempt(), done(verdict), at(60)),
  is,
]);

const free = (over = {}): TaskAggregate => published({ mode: 'open', ...over });
const solutions: readonly Row[] = (
  [
    [
      'T14 passes',
      () => free({ acceptance: RULE }),
      PASSES,
      'open>accepted accepted reserve task.accepted',
    ],
    [
      'T14 accepted and paid in the same call',
      () => free({ acceptance: RULE, disputeWindowSeconds: 0 }),
      PASSES,
      'open>paid accepted release task task.accepted+task.paid',
    ],
    ['T15 misses', () => free({ acceptance: RULE }), MISSES, 'open>open refused - attempt.refused'],
    ['T16 waits', free, PASSES, 'open>open waiting - solution.offered'],
    [
      'T16 waits beside another',
      () => offered([RIVAL]),
      PASSES,
      'open>open waiting - solution.offered',
    ],
  ] as const
).map(([name, make, verdict, is]) => [
  name,
  make,
  (aggregate) => offer(aggregate, byWorker, done(verdict), at(60)),
  is,
]);

const two = (): TaskAggregate => offered([WORKER, RIVAL]);
const yes = 'task.accepted+task.paid';
const reason = { reason: 'no' };
const requester: readonly Row[] = [
  [
    'T11 delivered',
    delivered,
    (waiting) => accept(waiting, REQUESTER, undefined, T0),
    `delivered>paid accepted release task ${yes}`,
  ],
  [
    'T11 one of two solutions',
    two,
    (open) => accept(open, REQUESTER, { id: 'solution-1' }, T0),
    `open>paid accepted+superseded release task ${yes}`,
  ],
  [
    'T11 waives the window',
    () => acceptedAt(T0, DAY),
    (pending) => accept(pending, REQUESTER, undefined, T0),
    `accepted>paid - release payout ${yes}`,
  ],
  [
    'T11 unpaid ends accepted',
    () => delivered({ unpaid: true }),
    (unpaid) => accept(unpaid, REQUESTER, undefined, T0),
    'delivered>accepted accepted - task.accepted',
  ],
  [
    'T12 delivered',
    delivered,
    (waiting) => reject(waiting, REQUESTER, reason, T0),
    'delivered>open rejected - attempt.rejected',
  ],
  [
    'T12 all undecided',
    two,
    (open) => reject(open, REQUESTER, reason, T0),
    'open>open rejected+rejected - attempt.rejected+attempt.rejected',
  ],
  [
    'T12 after the panel fell silent',
    () => delivered({ verification: 'validator' }),
    (judged) => reject(judged, REQUESTER, reason, at(6 * HOUR)),
    'delivered>open rejected - attempt.rejected',
  ],
  [
    'T24 withdraws',
    published,
    (open) => cancel(open, REQUESTER, T0),
    'open>withdrawn - refund task.withdrawn',
  ],
  [
    'T24 unpaid moves nothing',
    () => published({ unpaid: true }),
    (unpaid) => cancel(unpaid, REQUESTER, T0),
    'open>withdrawn - - task.withdrawn',
  ],
];

const clock: readonly Row[] = (
  [
    ['T8 lease ends', held, 1_800, 'held>open lapsed - attempt.lapsed'],
    ['T8 not before', held, 1_799, 'nothing'],
    [
      'T13 silence',
      () => delivered({ autoAcceptSeconds: 60 }),
      60,
      'delivered>accepted accepted reserve task.auto-accepted',
    ],
    [
      'T13 silence with no window',
      () => delivered({ autoAcceptSeconds: 60, disputeWindowSeconds: 0 }),
      60,
      'delivered>paid accepted release task task.auto-accepted+task.paid',
    ],
    ['T13 absent means never', delivered, 7 * DAY + 72 * HOUR - 1, 'nothing'],
    [
      'T13 the first solution of an open task',
      () => offered([RIVAL, WORKER], { autoAcceptSeconds: 60 }),
      60,
      'open>accepted accepted+superseded reserve task.auto-accepted',
    ],
    [
      'T13 counts from the end of the panel',
      () => delivered({ verification: 'validator', autoAcceptSeconds: 60 }),
      6 * HOUR + 59,
      'nothing',
    ],
    ['T19 window over', () => acceptedAt(T0, DAY), DAY, 'accepted>paid - release payout task.paid'],
    ['T19 not before', () => acceptedAt(T0, DAY), DAY - 1, 'nothing'],
    ['T25 deadline', published, 7 * DAY, 'open>expired - refund task.expired'],
    ['T25 not before', published, 7 * DAY - 1, 'nothing'],
    ['T25 waits for the decision', () => offered([WORKER]), 7 * DAY, 'nothing'],
    [
      'T26 ignored',
      () => offered([WORKER, RIVAL]),
      7 * DAY + 72 * HOUR,
      'open>expired superseded+superseded refund delivery.ignored+delivery.ignored+task.expired',
    ],
    [
      'panel and requester silent',
      () => delivered({ verification: 'validator' }),
      78 * HOUR,
      'delivered>open superseded - panel.silent',
    ],
    [
      'T18 reservation over',
      () => reserved(published({ tags: ['pitch'] })),
      HOUR,
      'open>open - - pitch.lapsed',
    ],
    ['a disputed payout does not move', disputed, 90 * DAY, 'nothing'],
  ] as const
).map(([name, make, later, is]) => [
  name,
  make,
  (aggregate) => settleDue(aggregate, at(later)),
  is,
]);

function disputed(): TaskAggregate {
  const aggregate = acceptedAt(T0, DAY);
  return { ...aggregate, task: { ...aggregate.task, state: 'disputed' } };
}

describe('domain/tasks transitions', () => {
  const single: readonly Row[] = [
    [
      'T1 publish',
      published,
      () => publish(draft(), 'task', T0),
      'open>open - escrow task.published',
    ],
    [
      'T7 fail',
      held,
      (failing) => giveBack(failing, attempt(), 'no login', T0),
      'held>open failed - attempt.failed',
    ],
    [
      'T17 start',
      published,
      (open) => announce(open, byWorker, T0),
      'open>open announced - attempt.announced',
    ],
  ];
  const all = [...single, ...claims, ...deliveries, ...solutions, ...requester, ...clock];
  for (const [name, make, decide, is] of all) {
    it(name, () => {
      const aggregate = make();
      assert.equal(summary(aggregate, decide(aggregate)), is);
    });
  }

  it('carries an announced attempt on, so that it counts once', () => {
    const announced = attempt({ id: 'first', state: 'announced' });
    const { task } = published();
    const aggregate: TaskAggregate = { task: { ...task, attempts: 1 }, live: [] };
    const taken = claim(aggregate, { ...ids, worker: someone(), announced }, at(5));
    assert.ok('attempt' in taken);
    assert.deepEqual([taken.attempt.id, taken.task.attempts], ['first', 1]);
    const again = announce(aggregate, { ...byWorker, announced }, at(5));
    assert.deepEqual([again.task.attempts, again.events.length], [1, 0]);
  });
});
