import assert from 'node:assert/strict';
import { instant } from '../instant.ts';
import type { Verdict } from '../acceptance/rule.ts';
import { deliver, giveBack, usable } from './deliver.ts';
import { at, attempt, DAY, delivered, held, MISSES, PASSES, RIVAL, T0, WORKER } from './fixture.ts';
import type { Attempt } from './model.ts';

const RULE = { kind: 'contains', values: ['x'] } as const;
const NOW = at(60);
const ended = (state: string, more: object = {}): object => {
  const { tokenKey: _, ...kept } = attempt();
  return { ...kept, state, endedAt: NOW, ...more };
};
const handedIn = { deliveredAt: NOW, result: { value: { a: 1 } } };
const delivery = (verdict: Verdict) => ({ result: { a: 1 }, verdict });
const event = { at: NOW, actor: WORKER, attemptId: 'attempt' };

describe('a claim token', () => {
  const used = (over: Partial<Attempt> | undefined, by = WORKER, now = T0) =>
    usable(delivered(), over && attempt(over), by, now);
  const spent = (state: string): object => ({
    refused: 'claim-token',
    why: `This token was spent: the attempt ended as ${state}.`,
    field: 'body.claimToken',
  });

  it('is used by who claimed, while the lease lives', () => {
    const lease = attempt();
    assert.deepEqual(used({}), lease);
    assert.deepEqual(used({}, WORKER, instant(at(1_800) - 1)), lease);
    const over = { refused: 'lease-over', why: 'Your lease ended at 2027-01-15T08:30:00.000Z.' };
    assert.deepEqual(used({}, WORKER, at(1_800)), over);
    assert.deepEqual(used({ state: 'lapsed', leaseEndsAt: at(1_800) }), over);
    const { leaseEndsAt: _, ...undated } = attempt();
    const now = { refused: 'lease-over', why: 'Your lease ended at 2027-01-15T08:01:00.000Z.' };
    assert.deepEqual(usable(held(), undated, WORKER, NOW), now);
    assert.deepEqual(usable(held(), { ...undated, state: 'lapsed' }, WORKER, NOW), now);
  });

  it('is refused with the reason why', () => {
    const field = 'body.claimToken';
    const unknown = 'No claim on this task ever had this token.';
    assert.deepEqual(used(undefined, RIVAL), { refused: 'claim-token', why: unknown, field });
    const other = 'The claim belongs to the account that made it, not to the signer.';
    assert.deepEqual(used({ state: 'lapsed' }, RIVAL), { refused: 'not-a-party', why: other });
    for (const state of ['waiting', 'accepted'] as const) {
      assert.deepEqual(used({ state }), {
        refused: 'wrong-state',
        why: 'You delivered already; the task is delivered.',
      });
    }
    for (const state of ['refused', 'rejected', 'failed', 'superseded'] as const) {
      assert.deepEqual(used({ state }), spent(state));
    }
  });
});

describe('a delivery', () => {
  it('waits for the requester or the panel, without its token and its lease', () => {
    for (const over of [{}, { verification: 'validator', acceptance: RULE } as const]) {
      const aggregate = held(over);
      const { leaseEndsAt: _, tokenKey: _key, ...kept } = attempt();
      assert.deepEqual(deliver(aggregate, attempt({}), delivery(PASSES), NOW), {
        task: { ...aggregate.task, state: 'delivered' },
        attempts: [{ ...kept, ...handedIn, state: 'waiting' }],
        events: [{ ...event, event: 'task.delivered', state: 'delivered' }],
      });
    }
  });

  it('is accepted by its rule, and paid after the dispute window', () => {
    const aggregate = held({ acceptance: RULE });
    const winner = ended('accepted', handedIn);
    const accepted = { attemptId: 'attempt', at: NOW, payoutAt: at(60 + DAY) };
    assert.deepEqual(deliver(aggregate, attempt(), delivery(PASSES), NOW), {
      task: { ...aggregate.task, state: 'accepted', accepted },
      attempts: [winner],
      events: [{ ...event, event: 'task.accepted', state: 'accepted' }],
      money: { step: 'reserve', attempt: winner },
    });
  });

  it('opens the task again when the rule refuses it, with the first reason', () => {
    const aggregate = held({ acceptance: RULE });
    const reasons: readonly (readonly [Verdict, string])[] = [
      [MISSES, 'x is missing'],
      [{ accepted: false, refused: [] }, 'the acceptance rule refused it'],
    ];
    for (const [verdict, reason] of reasons) {
      assert.deepEqual(deliver(aggregate, attempt(), delivery(verdict), NOW), {
        task: { ...aggregate.task, state: 'open' },
        attempts: [ended('refused', { ...handedIn, reason })],
        events: [{ ...event, event: 'attempt.refused', state: 'open', note: reason }],
      });
    }
  });
});

describe('work that is given back', () => {
  it('is open again at once, with the reason if there is one', () => {
    const aggregate = held();
    for (const reason of ['no login', undefined]) {
      const given = reason === undefined ? {} : { reason };
      const note = reason === undefined ? {} : { note: reason };
      assert.deepEqual(giveBack(aggregate, attempt(), reason, NOW), {
        task: { ...aggregate.task, state: 'open' },
        attempts: [ended('failed', given)],
        events: [{ ...event, event: 'attempt.failed', state: 'open', ...note }],
      });
    }
  });
});
