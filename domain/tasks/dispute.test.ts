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
  held,
  HOUR,
  must,
  published,
  REQUESTER,
  RIVAL,
  T0,
  told,
  WORKER,
} from './fixture.ts';

const drawn = (arbiter = RIVAL): Drawn => ({ arbiter, pulseSeq: 8, seed: 'aa', pool: [] });
const ruling = (verdict: 'upheld' | 'rejected' | 'split', workerShareBps?: number) => ({
  verdict,
  ...(workerShareBps !== undefined && { workerShareBps }),
});

function raised(by = REQUESTER): TaskAggregate {
  const aggregate = acceptedAt(T0, DAY);
  return applyChange(aggregate, must(raise(aggregate, by, 'made up', T0)));
}
/** A dispute whose arbiter is drawn. */
function seated(by = REQUESTER): TaskAggregate {
  const aggregate = raised(by);
  return applyChange(aggregate, some(redraw(aggregate, drawn(), T0)));
}
function some(change: Change | undefined): Change {
  return change ?? assert.fail('a change');
}

describe('domain/tasks dispute', () => {
  const open = seated();
  const alone = applyChange(raised(), some(redraw(raised(), undefined, T0)));
  const over = applyChange(open, must(arbitrate(open, RIVAL, ruling('rejected'), T0)));
  const rows: readonly (readonly [string, TaskAggregate, Change | Refused | undefined, string])[] =
    [
      [
        'T20 by the requester',
        acceptedAt(T0, DAY),
        raise(acceptedAt(T0, DAY), REQUESTER, 'no', T0),
        'accepted>disputed - - task.disputed',
      ],
      [
        'T20 by the worker',
        acceptedAt(T0, DAY),
        raise(acceptedAt(T0, DAY), WORKER, 'no', T0),
        'accepted>disputed - - task.disputed',
      ],
      ['drawn', raised(), redraw(raised(), drawn(), T0), 'disputed>disputed - - dispute.drawn'],
      ['no seat to draw', raised(), redraw(raised(), undefined, T0), 'disputed>disputed - - '],
      [
        'redrawn after a day',
        open,
        redraw(open, drawn(WORKER), at(DAY)),
        'disputed>disputed - - dispute.late+dispute.drawn',
      ],
      [
        'no seat after a day',
        open,
        redraw(open, undefined, at(DAY)),
        'disputed>disputed - - dispute.late',
      ],
      [
        'T21 rejected',
        open,
        arbitrate(open, RIVAL, ruling('rejected'), T0),
        'disputed>paid - rule dispute.ruled',
      ],
      [
        'T21 split',
        open,
        arbitrate(open, RIVAL, ruling('split', 0), T0),
        'disputed>paid - rule dispute.ruled',
      ],
      [
        'T21 upheld for the worker',
        seated(WORKER),
        arbitrate(seated(WORKER), RIVAL, ruling('upheld'), T0),
        'disputed>paid - rule dispute.ruled',
      ],
      [
        'T22 upheld for the requester',
        open,
        arbitrate(open, RIVAL, ruling('upheld'), T0),
        'disputed>refunded - rule dispute.ruled',
      ],
      [
        'T23 void',
        alone,
        settleDue(alone, at(2 * DAY)),
        'disputed>paid - release payout dispute.void',
      ],
      [
        'T23 void, the arbiter late',
        open,
        settleDue(open, at(2 * DAY)),
        'disputed>paid - release payout dispute.late+dispute.void',
      ],
      ['the clock alone draws no seat', open, settleDue(open, at(DAY)), 'nothing'],
      ['the clock frees no frozen payout', open, settleDue(open, at(2 * DAY - 1)), 'nothing'],
      [
        'a third party',
        acceptedAt(T0, DAY),
        raise(acceptedAt(T0, DAY), RIVAL, '', T0),
        'not-a-party',
      ],
      ['a holder', held(), raise(held(), WORKER, '', T0), 'not-a-party'],
      ['open work', published(), raise(published(), REQUESTER, '', T0), 'wrong-state'],
      ['undecided work', delivered(), raise(delivered(), REQUESTER, '', T0), 'wrong-state'],
      [
        'unpaid work',
        acceptedAt(T0, DAY, { unpaid: true }),
        raise(acceptedAt(T0, DAY, { unpaid: true }), REQUESTER, '', T0),
        'wrong-state',
      ],
      ['again', open, raise(open, WORKER, '', T0), 'already-disputed'],
      ['again when over', over, raise(over, WORKER, '', T0), 'already-disputed'],
      ['a party rules', open, arbitrate(open, REQUESTER, ruling('upheld'), T0), 'not-the-arbiter'],
      [
        'an account rules while no seat is drawn',
        alone,
        arbitrate(alone, RIVAL, ruling('upheld'), T0),
        'not-the-arbiter',
      ],
      ['ruled again', over, arbitrate(over, RIVAL, ruling('upheld', 1), T0), 'wrong-state'],
      [
        'a share without a split',
        open,
        arbitrate(open, RIVAL, ruling('upheld', 0), T0),
        'share-needs-split',
      ],
      ['no dispute', published(), arbitrate(published(), RIVAL, ruling('upheld'), T0), 'not-found'],
      ['an acceptance while disputed', open, accept(open, REQUESTER, undefined, T0), 'wrong-state'],
    ];
  for (const [name, aggregate, change, is] of rows) {
    it(name, () => assert.equal(told(aggregate, change), is));
  }

  it('is due at the end of each arbiter’s day, each hour without one, and at its own end', () => {
    const due = (aggregate: TaskAggregate) => [nextDue(aggregate)?.kind, nextDue(aggregate)?.at];
    assert.deepEqual(due(raised()), ['draw', T0]);
    assert.deepEqual(due(open), ['draw', at(DAY)]);
    assert.deepEqual(due(alone), ['draw', at(HOUR)]);
    const second = applyChange(open, some(redraw(open, drawn(WORKER), at(DAY))));
    assert.deepEqual(due(second), ['void', at(2 * DAY)]);
    const late = applyChange(alone, some(redraw(alone, undefined, at(2 * DAY - 60))));
    assert.deepEqual(due(late), ['void', at(2 * DAY)], 'no search goes past the end');
    assert.deepEqual(due(over), [undefined, undefined]);
    assert.deepEqual(
      [isVoidDue(open, at(2 * DAY - 1)), isVoidDue(open, at(2 * DAY))],
      [false, true],
    );
  });

  it('counts its draws from one, and an hour without a seat as none', () => {
    const { dispute } = alone;
    assert.ok(dispute !== undefined && open.dispute !== undefined);
    assert.deepEqual([nextDraw(dispute), nextDraw(open.dispute)], [1, 2]);
  });

  const standing: readonly (readonly [string, TaskAggregate, Change | Refused, string])[] = [
    [
      'rejected costs who raised it',
      open,
      arbitrate(open, RIVAL, ruling('rejected'), T0),
      'arbiter:arbiter.ruled requester:dispute.lost',
    ],
    [
      'upheld costs the other',
      open,
      arbitrate(open, RIVAL, ruling('upheld'), T0),
      'arbiter:arbiter.ruled worker:dispute.lost',
    ],
    [
      'upheld for a worker costs the requester',
      seated(WORKER),
      arbitrate(seated(WORKER), RIVAL, ruling('upheld'), T0),
      'arbiter:arbiter.ruled requester:dispute.lost',
    ],
    [
      'split costs no karma',
      open,
      arbitrate(open, RIVAL, ruling('split'), T0),
      'arbiter:arbiter.ruled',
    ],
    ['void costs who was late', open, some(settleDue(open, at(2 * DAY))), 'arbiter:arbiter.late'],
  ];
  const WHO = new Map([
    [REQUESTER, 'requester'],
    [WORKER, 'worker'],
    [RIVAL, 'arbiter'],
  ]);
  for (const [name, , change, is] of standing) {
    it(`standing: ${name}`, () => {
      const causes = karmaOf(must(change));
      const line = causes.map(({ subject, reason }) => `${WHO.get(subject)}:${reason}`);
      assert.equal(line.join(' '), is);
    });
  }

  it('has no loser before a verdict', () => {
    assert.ok(open.dispute !== undefined);
    assert.equal(loserOf(open.dispute, REQUESTER, WORKER), undefined);
  });

  it('names the arbiter who may rule, and no account while none is drawn', () => {
    const who = (aggregate: TaskAggregate) =>
      legalActions(aggregate, T0)
        .filter(({ action }) => action === 'tasks.arbitrate')
        .map((each) => [each.who, each.until]);
    assert.deepEqual(who(open), [[RIVAL, at(DAY)]]);
    assert.deepEqual(who(alone), []);
    const { dispute: _, ...listed } = open;
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
          for (let due = settleDue(aggregate, now); due; due = settleDue(aggregate, now)) make(due);
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
