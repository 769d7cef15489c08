import assert from 'node:assert/strict';
import fc from 'fast-check';
import { instant } from '../instant.ts';
import type { Instant } from '../instant.ts';
import { applyChange, isRefused } from './change.ts';
import type { Change, Refused } from './change.ts';
import { accept } from './decide.ts';
import { arbitrate, loserOf, nextDraw, raise, redraw } from './dispute.ts';
import type { Drawn } from './dispute.ts';
import { isVoidDue, nextDue, settleDue } from './due.ts';
import type { TaskAggregate } from './model.ts';
import { legalActions } from './next.ts';
import { karmaOf } from './karma.ts';
import {
  acceptedAt,
  at,
  DAY,
  delivered,
  drawn,
  held,
  HOUR,
  must,
  published,
  raised,
  REQUESTER,
  RIVAL,
  seated,
  settleAll,
  some,
  T0,
  summary,
  WORKER,
} from './fixture.ts';

const ruling = (verdict: 'upheld' | 'rejected' | 'split', workerShareBps?: number) => ({
  verdict,
  ...(workerShareBps !== undefined && { workerShareBps }),
});

describe('domain/tasks dispute', () => {
  const open = seated;
  const alone = (): TaskAggregate => applyChange(raised(), some(redraw(raised(), undefined, T0)));
  const over = (): TaskAggregate =>
    applyChange(open(), must(arbitrate(open(), RIVAL, ruling('rejected'), T0)));
  const accepted = (): TaskAggregate => acceptedAt(T0, DAY);
  const unpaid = (): TaskAggregate => acceptedAt(T0, DAY, { unpaid: true });
  const raisedBy = (by: typeof WORKER) => (aggregate: TaskAggregate) =>
    raise(aggregate, by, 'no', T0);
  const ruledBy =
    (by: typeof WORKER, ...of: Parameters<typeof ruling>) =>
    (aggregate: TaskAggregate) =>
      arbitrate(aggregate, by, ruling(...of), T0);
  const seats = (drawnNow: Drawn | undefined, later: number) => (aggregate: TaskAggregate) =>
    redraw(aggregate, drawnNow, at(later));
  const after = (later: number) => (aggregate: TaskAggregate) => settleDue(aggregate, at(later));
  /** The task is made and the decision taken within the test. */
  const rows: readonly (readonly [
    string,
    () => TaskAggregate,
    (aggregate: TaskAggregate) => Change | Refused | undefined,
    string,
  ])[] = [
    ['T20 by the requester', accepted, raisedBy(REQUESTER), 'accepted>disputed - - task.disputed'],
    ['T20 by the worker', accepted, raisedBy(WORKER), 'accepted>disputed - - task.disputed'],
    ['drawn', raised, seats(drawn(), 0), 'disputed>disputed - - dispute.drawn'],
    ['no seat to draw', raised, seats(undefined, 0), 'disputed>disputed - - '],
    [
      'redrawn after a day',
      open,
      seats(drawn(WORKER), DAY),
      'disputed>disputed - - dispute.late+dispute.drawn',
    ],
    ['no seat after a day', open, seats(undefined, DAY), 'disputed>disputed - - dispute.late'],
    ['T21 rejected', open, ruledBy(RIVAL, 'rejected'), 'disputed>paid - rule dispute.ruled'],
    ['T21 split', open, ruledBy(RIVAL, 'split', 0), 'disputed>paid - rule dispute.ruled'],
    [
      'T21 upheld for the worker',
      () => seated(WORKER),
      ruledBy(RIVAL, 'upheld'),
      'disputed>paid - rule dispute.ruled',
    ],
    [
      'T22 upheld for the requester',
      open,
      ruledBy(RIVAL, 'upheld'),
      'disputed>refunded - rule dispute.ruled',
    ],
    ['T23 void', alone, after(2 * DAY), 'disputed>paid - release payout dispute.void'],
    [
      'T23 void, the arbiter late',
      open,
      after(2 * DAY),
      'disputed>paid - release payout dispute.late+dispute.void',
    ],
    ['the clock alone draws no seat', open, after(DAY), 'nothing'],
    ['the clock frees no frozen payout', open, after(2 * DAY - 1), 'nothing'],
    ['a third party', accepted, raisedBy(RIVAL), 'not-a-party'],
    ['a holder', held, raisedBy(WORKER), 'not-a-party'],
    ['open work', published, raisedBy(REQUESTER), 'wrong-state'],
    ['undecided work', delivered, raisedBy(REQUESTER), 'wrong-state'],
    ['unpaid work', unpaid, raisedBy(REQUESTER), 'wrong-state'],
    ['again', open, raisedBy(WORKER), 'already-disputed'],
    ['again when over', over, raisedBy(WORKER), 'already-disputed'],
    ['a party rules', open, ruledBy(REQUESTER, 'upheld'), 'not-the-arbiter'],
    ['an account rules while no seat is drawn', alone, ruledBy(RIVAL, 'upheld'), 'not-the-arbiter'],
    ['ruled again', over, ruledBy(RIVAL, 'upheld', 1), 'wrong-state'],
    ['a share without a split', open, ruledBy(RIVAL, 'upheld', 0), 'share-needs-split'],
    ['no dispute', published, ruledBy(RIVAL, 'upheld'), 'not-found'],
    [
      'an acceptance while disputed',
      open,
      (aggregate) => accept(aggregate, REQUESTER, undefined, T0),
      'wrong-state',
    ],
  ];
  for (const [name, make, decide, is] of rows) {
    it(name, () => {
      const aggregate = make();
      assert.equal(summary(aggregate, decide(aggregate)), is);
    });
  }

  it('is due at the end of each arbiter’s day, each hour without one, and at its own end', () => {
    const due = (aggregate: TaskAggregate) => [nextDue(aggregate)?.kind, nextDue(aggregate)?.at];
    assert.deepEqual(due(raised()), ['draw', T0]);
    assert.deepEqual(due(open()), ['draw', at(DAY)]);
    assert.deepEqual(due(alone()), ['draw', at(HOUR)]);
    const second = applyChange(open(), some(redraw(open(), drawn(WORKER), at(DAY))));
    assert.deepEqual(due(second), ['void', at(2 * DAY)]);
    const late = applyChange(alone(), some(redraw(alone(), undefined, at(2 * DAY - 60))));
    assert.deepEqual(due(late), ['void', at(2 * DAY)], 'no search goes past the end');
    assert.deepEqual(due(over()), [undefined, undefined]);
    assert.deepEqual(
      [isVoidDue(open(), at(2 * DAY - 1)), isVoidDue(open(), at(2 * DAY))],
      [false, true],
    );
  });

  it('counts its draws from one, and an hour without a seat as none', () => {
    const [without, withOne] = [alone().dispute, open().dispute];
    assert.ok(without !== undefined && withOne !== undefined);
    assert.deepEqual([nextDraw(without), nextDraw(withOne)], [1, 2]);
  });

  const standing: readonly (readonly [string, () => Change | Refused, string])[] = [
    [
      'rejected costs who raised it',
      () => ruledBy(RIVAL, 'rejected')(open()),
      'arbiter:arbiter.ruled requester:dispute.lost',
    ],
    [
      'upheld costs the other',
      () => ruledBy(RIVAL, 'upheld')(open()),
      'arbiter:arbiter.ruled worker:dispute.lost',
    ],
    [
      'upheld for a worker costs the requester',
      () => ruledBy(RIVAL, 'upheld')(seated(WORKER)),
      'arbiter:arbiter.ruled requester:dispute.lost',
    ],
    ['split costs no karma', () => ruledBy(RIVAL, 'split')(open()), 'arbiter:arbiter.ruled'],
    ['void costs who was late', () => some(after(2 * DAY)(open())), 'arbiter:arbiter.late'],
  ];
  const WHO = new Map([
    [REQUESTER, 'requester'],
    [WORKER, 'worker'],
    [RIVAL, 'arbiter'],
  ]);
  for (const [name, decide, is] of standing) {
    it(`standing: ${name}`, () => {
      const causes = karmaOf(must(decide()));
      const line = causes.map(({ subject, reason }) => `${WHO.get(subject)}:${reason}`);
      assert.equal(line.join(' '), is);
    });
  }

  it('has no loser before a verdict', () => {
    const { dispute } = open();
    assert.ok(dispute !== undefined);
    assert.equal(loserOf(dispute, REQUESTER, WORKER), undefined);
  });

  it('names the arbiter who may rule, and no account while none is drawn', () => {
    const who = (aggregate: TaskAggregate) =>
      legalActions(aggregate, T0)
        .filter(({ action }) => action === 'tasks.arbitrate')
        .map((each) => [each.who, each.until]);
    assert.deepEqual(who(open()), [[RIVAL, at(DAY)]]);
    assert.deepEqual(who(alone()), []);
    const { dispute: _, ...listed } = open();
    assert.deepEqual(who(listed), [['the arbiter', undefined]]);
  });

  const step = fc.record({
    what: fc.constantFrom('wait', 'raise', 'draw', 'nobody', 'rule', 'accept'),
    by: fc.constantFrom(REQUESTER, WORKER, RIVAL),
    verdict: fc.constantFrom('upheld' as const, 'rejected' as const, 'split' as const),
    waits: fc.constantFrom(0, 1, HOUR, DAY - 1, DAY, 2 * DAY),
  });
  it('moves the frozen reward once, whatever happens in whatever order', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        let aggregate = acceptedAt(T0, DAY);
        let now: Instant = T0;
        const money: string[] = [];
        const make = (change: Change | Refused | undefined): void => {
          if (change === undefined || isRefused(change)) return;
          if (change.money !== undefined) money.push(change.money.step);
          aggregate = applyChange(aggregate, change);
        };
        for (const { what, by, verdict, waits } of steps) {
          now = instant(now + waits * 1_000);
          settleAll(() => aggregate, now, make);
          if (what === 'raise') make(raise(aggregate, by, 'no', now));
          if (what === 'accept') make(accept(aggregate, by, undefined, now));
          if (what === 'rule') make(arbitrate(aggregate, by, ruling(verdict), now));
          const due = nextDue(aggregate);
          if (due?.kind !== 'draw' || due.at > now) continue;
          if (what === 'draw') make(redraw(aggregate, drawn(by), now));
          if (what === 'nobody') make(redraw(aggregate, undefined, now));
        }
        const final = ['paid', 'refunded'].includes(aggregate.task.state);
        assert.equal(money.length, final ? 1 : 0, money.join(' '));
        assert.equal(nextDue(aggregate) === undefined, final);
        assert.ok((aggregate.dispute?.draws.length ?? 0) <= 2);
      }),
      { numRuns: 500, seed: 20_261_121 },
    );
  });
});
