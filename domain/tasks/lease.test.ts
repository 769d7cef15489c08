import { strict as assert } from 'node:assert';
import { plus, seconds } from '../instant.ts';
import { applyChange, isRefused } from './change.ts';
import { claim } from './claim.ts';
import { settleDue } from './due.ts';
import { at, DAY, draft, HOUR, must, published, someone, T0, type Over } from './fixture.ts';
import { heartbeat, leaseRefusal } from './lease.ts';
import { claimed, type Attempt, type TaskAggregate } from './model.ts';
import { publish } from './publish.ts';

const token = (): Required<Pick<Attempt, 'claimToken' | 'tokenKey'>> => ({
  claimToken: 'token',
  tokenKey: 'key',
});

function taken(over: Over): TaskAggregate {
  const aggregate = published(over);
  const request = { worker: someone(), attemptId: 'attempt', token };
  return applyChange(aggregate, must(claim(aggregate, request, T0)));
}

function refusalOf(over: Over): string | undefined {
  const decision = publish(draft(over), 'task', T0);
  return isRefused(decision) ? `${decision.refused} ${decision.field}` : undefined;
}

describe('a lease', () => {
  it('lasts half an hour and is renewed for two unless the requester says more', () => {
    const { task } = published();
    assert.equal(task.lease, undefined);
    const longer = published({ leaseSeconds: 6 * HOUR }).task.lease;
    assert.deepEqual(longer, { leaseSeconds: 6 * HOUR, renewForSeconds: 6 * HOUR });
    const shorter = published({ leaseSeconds: 60 }).task.lease;
    assert.deepEqual(shorter, { leaseSeconds: 60, renewForSeconds: 2 * HOUR });
    const renewed = published({ renewForSeconds: 3 * DAY }).task.lease;
    assert.deepEqual(renewed, { leaseSeconds: HOUR / 2, renewForSeconds: 3 * DAY });
  });

  it('is part of the digest of the terms only when it was agreed', () => {
    const digests = [{}, { leaseSeconds: 3_600 }, { leaseSeconds: 3_601 }].map(
      (over) => published(over).task.terms.digest,
    );
    assert.equal(new Set(digests).size, 3);
  });

  it('is refused when it outlives the deadline, or its renewals are shorter', () => {
    const deadline = plus(T0, seconds(DAY));
    assert.equal(refusalOf({ deadline, leaseSeconds: DAY }), undefined);
    assert.equal(refusalOf({ deadline, leaseSeconds: DAY + 1 }), 'deadline body.leaseSeconds');
    const short = { leaseSeconds: HOUR, renewForSeconds: HOUR - 1 };
    assert.equal(refusalOf(short), 'not-together body.renewForSeconds');
    assert.equal(refusalOf({ mode: 'open', leaseSeconds: HOUR }), 'not-together body.leaseSeconds');
    const thread = { tags: ['thread'], unpaid: true, leaseSeconds: HOUR };
    assert.equal(refusalOf(thread), 'not-together body.leaseSeconds');
    assert.equal(leaseRefusal(published().task, T0), undefined);
  });

  /** The rule in one line: the earliest of now + lease, claim + renewals and deadline, never less. */
  it('ends as its model says, through any series of heartbeats', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    for (let round = 0; round < 200; round += 1) {
      const leaseSeconds = 60 + random(2 * DAY);
      const renewForSeconds = leaseSeconds + random(3 * DAY);
      const last = leaseSeconds + random(5 * DAY) + 300;
      let held = taken({ leaseSeconds, renewForSeconds, deadline: at(last) });
      let ends = Math.min(leaseSeconds, last);
      let now = 0;
      for (let beat = 0; beat < 30; beat += 1) {
        now += random(leaseSeconds + 60);
        const lapsed = settleDue(held, at(now));
        assert.equal(lapsed !== undefined, now >= ends, `round ${round}, beat ${beat}`);
        if (lapsed !== undefined) break;
        held = applyChange(held, heartbeat(held, { percent: beat }, at(now)));
        ends = Math.max(ends, Math.min(now + leaseSeconds, renewForSeconds, last));
        assert.equal(claimed(held)?.leaseEndsAt, at(ends));
      }
    }
  });

  it('keeps the last report, and a heartbeat without one leaves it', () => {
    const held = taken({ leaseSeconds: HOUR });
    const reported = applyChange(
      held,
      heartbeat(held, { percent: 40, note: 'Two of five' }, at(9)),
    );
    const again = heartbeat(reported, {}, at(10));
    assert.deepEqual(again.attempts[0]?.progress, { percent: 40, note: 'Two of five', at: at(9) });
    assert.deepEqual(
      again.events.map(({ event, note }) => [event, note]),
      [['lease.renewed', undefined]],
    );
    const [first] = heartbeat(held, { percent: 0 }, at(9)).events;
    assert.deepEqual([first?.event, first?.note], ['attempt.progress', '0 percent']);
  });
});
