import assert from 'node:assert/strict';
import type { TaskAggregate } from './model.ts';
import { legalActions } from './next.ts';
import { payPlan, promise, refundPlan } from './plan.ts';
import {
  acceptedAt,
  at,
  DAY,
  delivered,
  held,
  HOUR,
  offered,
  published,
  REQUESTER,
  RIVAL,
  T0,
  WORKER,
} from './fixture.ts';

const names = (aggregate: TaskAggregate, now = T0): string =>
  legalActions(aggregate, now)
    .map(({ action }) => action.slice('tasks.'.length))
    .join(' ');

describe('domain/tasks next', () => {
  const table: readonly [string, TaskAggregate, string][] = [
    ['open', published(), 'claim start cancel comment'],
    ['open mode', published({ mode: 'open' }), 'solution start cancel comment'],
    ['open mode, one waits', offered([WORKER]), 'solution start accept reject comment'],
    ['pitch', published({ tags: ['pitch'] }), 'pitch start cancel comment'],
    ['thread', published({ tags: ['thread'], unpaid: true }), 'cancel comment'],
    ['held', held(), 'submit fail claim comment'],
    ['delivered', delivered(), 'accept reject comment'],
    ['delivered to the panel', delivered({ verification: 'validator' }), 'accept comment'],
    ['accepted', acceptedAt(T0, DAY), 'accept dispute dispute comment'],
    ['accepted unpaid', acceptedAt(T0, DAY, { unpaid: true }), 'comment'],
  ];
  for (const [state, aggregate, is] of table) it(state, () => assert.equal(names(aggregate), is));

  it('says who and until when', () => {
    const pick = (aggregate: TaskAggregate, action: string): unknown[] =>
      legalActions(aggregate, T0)
        .filter((each) => each.action === action)
        .map(({ who, until }) => [who, until]);
    assert.deepEqual(pick(held(), 'tasks.submit'), [[WORKER, at(1_800)]]);
    const waits = delivered({ autoAcceptSeconds: HOUR });
    assert.deepEqual(pick(waits, 'tasks.reject'), [[REQUESTER, at(HOUR)]]);
    const parties = [
      [REQUESTER, at(DAY)],
      [WORKER, at(DAY)],
    ];
    assert.deepEqual(pick(acceptedAt(T0, DAY), 'tasks.dispute'), parties);
  });

  it('a reservation belongs to the chosen one alone', () => {
    const aggregate = published({ tags: ['pitch'] });
    const kept = {
      ...aggregate,
      task: { ...aggregate.task, reserved: { for: RIVAL, until: at(HOUR) } },
    };
    assert.equal(names(kept), 'claim comment');
    assert.equal(legalActions(kept, T0)[0]?.who, RIVAL);
  });
});

describe('domain/tasks plan', () => {
  it('shares 97% when automatic and keeps 1% for a panel that may yet judge', () => {
    const plain = payPlan(published().task);
    assert.deepEqual([plain?.split.hub, plain?.split.worker], [30_000n, 970_000n]);
    const judged = published({ verification: 'validator' }).task;
    assert.deepEqual(
      [promise(judged)?.split.worker, promise(judged)?.split.judges],
      [960_000n, [10_000n]],
    );
    assert.equal(payPlan(judged)?.split.worker, 970_000n, 'no panel judged');
    assert.equal(payPlan(published({ unpaid: true }).task), undefined);
  });

  it('pays judges who decided a round even when the task ends unpaid', () => {
    const { task } = published({ verification: 'validator' });
    const judges = [WORKER, RIVAL, REQUESTER];
    const end = refundPlan({ ...task, judges })?.end;
    assert.deepEqual(end?.judges, [3_334n, 3_333n, 3_333n]);
    assert.equal(end?.requester, 990_000n);
    assert.equal(refundPlan(task)?.end.requester, 1_000_000n);
  });
});
