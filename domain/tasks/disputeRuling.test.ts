import assert from 'node:assert/strict';
import { arbitrate, loserOf } from './dispute.ts';
import type { RulingRequest } from './dispute.ts';
import {
  acceptedAt,
  at,
  attempt,
  DAY,
  must,
  raised,
  REQUESTER,
  RIVAL,
  seated,
  some,
  T0,
  WORKER,
} from './fixture.ts';
import type { TaskAggregate } from './model.ts';

describe('the ruling of an arbiter', () => {
  const rule = (request: RulingRequest, by = RIVAL, aggregate = seated()) =>
    arbitrate(aggregate, by, request, at(90));
  const end = (request: RulingRequest, raiser = REQUESTER) => {
    const { task, money, events, dispute } = must(rule(request, RIVAL, seated(raiser)));
    assert.ok(money?.step === 'rule');
    return [task.state, money.ruling, events[0]?.note, dispute?.workerShareBps];
  };

  it('ends the dispute and divides the money', () => {
    const aggregate = seated();
    const request = { verdict: 'split', workerShareBps: 2_500, resolution: 'half of it' } as const;
    assert.deepEqual(rule(request), {
      task: { ...aggregate.task, state: 'paid' },
      attempts: [],
      events: [
        {
          at: at(90),
          event: 'dispute.ruled',
          state: 'paid',
          actor: RIVAL,
          attemptId: 'attempt',
          note: 'split 2500: half of it',
        },
      ],
      money: {
        step: 'rule',
        attempt: attempt({ state: 'accepted', result: { value: 'done' } }),
        ruling: { verdict: 'split', workerShareBps: 2_500 },
        arbiter: RIVAL,
      },
      dispute: {
        ...aggregate.dispute,
        state: 'ruled',
        verdict: 'split',
        workerShareBps: 2_500,
        resolution: 'half of it',
        endedAt: at(90),
      },
    });
  });

  it('refunds the requester whose word is upheld, and pays the worker otherwise', () => {
    const upheld = { verdict: 'upheld' } as const;
    const rejected = { verdict: 'rejected' } as const;
    const split = { verdict: 'split' } as const;
    const byRequester = { ...upheld, raisedBy: 'requester' };
    assert.deepEqual(end(upheld), ['refunded', byRequester, 'upheld', undefined]);
    const byWorker = { ...upheld, raisedBy: 'worker' };
    assert.deepEqual(end(upheld, WORKER), ['paid', byWorker, 'upheld', undefined]);
    for (const raiser of [REQUESTER, WORKER]) {
      assert.deepEqual(end(rejected, raiser), ['paid', rejected, 'rejected', undefined]);
      const half = { ...split, workerShareBps: 5_000 };
      assert.deepEqual(end(split, raiser), ['paid', half, 'split 5000', 5_000]);
    }
  });

  it('says its words in full, and 2,000 characters of them in the history', () => {
    const resolution = 'y'.repeat(2_001);
    const { events, dispute } = must(rule({ verdict: 'rejected', resolution }));
    assert.equal(events[0]?.note, `rejected: ${'y'.repeat(1_989)}…`);
    assert.equal(dispute?.resolution, resolution);
    const silent = must(rule({ verdict: 'rejected' })).dispute;
    assert.ok(silent !== undefined && !('resolution' in silent) && !('workerShareBps' in silent));
  });

  it('costs no one the karma of a loser when it splits', () => {
    const loser = (verdict: 'upheld' | 'rejected' | 'split', raisedBy: typeof WORKER) =>
      loserOf({ ...some(seated().dispute), verdict, raisedBy }, REQUESTER, WORKER);
    assert.deepEqual(
      [loser('rejected', REQUESTER), loser('rejected', WORKER)],
      [REQUESTER, WORKER],
    );
    assert.deepEqual([loser('upheld', REQUESTER), loser('upheld', WORKER)], [WORKER, REQUESTER]);
    assert.equal(loser('split', WORKER), undefined);
  });

  it('is refused with the reason why', () => {
    const over = (state: 'ruled' | 'void', endedAt = at(120)): TaskAggregate => ({
      ...seated(),
      dispute: { ...some(seated().dispute), state, endedAt },
    });
    const { endedAt: _, ...undated } = some(over('ruled').dispute);
    const upheld: RulingRequest = { verdict: 'upheld', workerShareBps: 1 };
    const none = { refused: 'not-found', why: 'There is no dispute on this task.' };
    assert.deepEqual(rule(upheld, RIVAL, acceptedAt(T0, DAY)), none);
    assert.deepEqual(rule(upheld, RIVAL, { ...seated(), live: [] }), none);
    const wrongState = (how: string) => ({ refused: 'wrong-state', why: `This dispute ${how}.` });
    const cases: readonly (readonly [TaskAggregate, typeof WORKER, object])[] = [
      [
        over('void'),
        WORKER,
        { refused: 'not-the-arbiter', why: `The arbiter of this dispute is ${RIVAL}.` },
      ],
      [
        raised(),
        RIVAL,
        { refused: 'not-the-arbiter', why: 'The arbiter of this dispute is not drawn yet.' },
      ],
      [over('void'), RIVAL, wrongState('ended without a ruling at 2027-01-15T08:02:00.000Z')],
      [over('ruled'), RIVAL, wrongState('was ruled on at 2027-01-15T08:02:00.000Z')],
      [
        { ...seated(), dispute: undated },
        RIVAL,
        wrongState('was ruled on at 2027-01-15T08:00:00.000Z'),
      ],
      [
        seated(),
        RIVAL,
        {
          refused: 'share-needs-split',
          why: 'The verdict upheld decides the whole amount.',
          field: 'body.workerShareBps',
        },
      ],
    ];
    for (const [aggregate, by, refusal] of cases) {
      assert.deepEqual(rule(upheld, by, aggregate), refusal);
    }
  });
});
