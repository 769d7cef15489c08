import assert from 'node:assert/strict';
import { atomic } from '../money.ts';
import { isRefused, type Refused } from './change.ts';
import { draft, published, T0, type Over } from './fixture.ts';
import { publish } from './publish.ts';
import { atDeadlineOf, silenceEnds } from './shares.ts';

const RULE = { kind: 'contains', values: ['x'] } as const;
const TWO = { places: [7_000, 3_000] };
const FREE = { split: true };
const mustFail = (is: Refused, over: Over): void =>
  assert.deepEqual(publish(draft(over), 'task', T0), is);
const taken = (over: Over): boolean => !isRefused(publish(draft(over), 'task', T0));
const bad = (why: string, field: string, hint: string): Refused => ({
  refused: 'bad-shares',
  why,
  field,
  hint,
});

describe('the shares of a task', () => {
  it('make it open, and paid at once', () => {
    const { task } = published({ shares: TWO });
    assert.deepEqual([task.mode, task.verification], ['open', 'requester']);
    assert.deepEqual(task.windows, { disputeWindowSeconds: 0 });
  });

  it('go back when the requester is silent, and are divided if a rule refuses the rest', () => {
    const sharesOf = (over: Over) => published(over).task.shares;
    assert.deepEqual(sharesOf({ shares: TWO }), { ...TWO, undecided: 'return' });
    assert.deepEqual(sharesOf({ shares: FREE }), { undecided: 'return' });
    const ruled = { shares: TWO, acceptance: RULE };
    assert.deepEqual(sharesOf(ruled), { ...TWO, undecided: 'divide' });
    const given = { ...ruled, shares: { ...TWO, undecided: 'return' } } as const;
    assert.deepEqual(sharesOf(given), { ...TWO, undecided: 'return' });
    assert.equal(sharesOf({}), undefined);
  });

  it('belong to an open task', () => {
    const is: Refused = {
      refused: 'wrong-mode',
      why: 'Shares divide the reward of an open task; an exclusive task has one worker.',
      field: 'body.mode',
      allowed: ['open'],
      hint: 'Send the call again without mode. Milestones of one worker are `POST /api/v1/chains`.',
    };
    mustFail(is, { shares: { ...TWO, split: true }, mode: 'exclusive' });
    assert.ok(taken({ shares: TWO, mode: 'open' }));
  });

  it('have places or a free split, and not both', () => {
    const is = bad(
      'Shares have either `places` or `split`, and exactly one of them.',
      'body.shares',
      'Send the call again with places, or with split true.',
    );
    for (const shares of [{}, { ...TWO, ...FREE }]) mustFail(is, { shares, unpaid: true });
    for (const shares of [TWO, FREE]) assert.ok(taken({ shares }));
  });

  it('divide a reward', () => {
    const is = bad(
      'Shares divide a reward, and this task has none.',
      'body.rewardAmount',
      'Send the call again with rewardAmount, or without shares.',
    );
    mustFail(is, { shares: TWO, unpaid: true, verification: 'validator' });
  });

  it('are decided by the requester', () => {
    for (const verification of ['automatic', 'validator'] as const) {
      const is = bad(
        `The requester names the winners of shares; verification is ${verification}.`,
        'body.verification',
        'Send the call again without verification; a rule still refuses what misses it.',
      );
      mustFail(is, { shares: TWO, verification, acceptance: RULE, autoAcceptSeconds: 60 });
    }
    assert.ok(taken({ shares: TWO, verification: 'requester' }));
  });

  it('have no windows', () => {
    const noWindow = (name: 'autoAccept' | 'disputeWindow'): Refused =>
      bad(
        'Winners of shares are named once and paid at once, so no window runs.',
        `body.${name}Seconds`,
        `Send the call again without ${name}Seconds; shares.undecided says what silence does.`,
      );
    const divided = { shares: { ...TWO, undecided: 'divide' as const } };
    mustFail(noWindow('autoAccept'), { ...divided, autoAcceptSeconds: 0 });
    mustFail(noWindow('autoAccept'), { ...divided, autoAcceptSeconds: 1, disputeWindowSeconds: 1 });
    mustFail(noWindow('disputeWindow'), { ...divided, disputeWindowSeconds: 1 });
    assert.ok(taken({ shares: TWO, disputeWindowSeconds: 0 }));
  });

  it('are divided by silence where a rule refuses what is handed in', () => {
    const is: Refused = {
      refused: 'acceptance-required',
      why: 'Without an acceptance rule anything could be handed in and take a part.',
      field: 'body.acceptance',
      hint: 'Send the call again with an acceptance rule, or with shares.undecided return.',
    };
    const shares = { places: [1], undecided: 'divide' } as const;
    mustFail(is, { shares });
    assert.ok(taken({ shares: { ...FREE, undecided: 'divide' }, acceptance: RULE }));
  });

  it('give away the whole reward by their places', () => {
    for (const [places, sum] of [
      [[5_000, 4_999], 9_999],
      [[5_000, 5_001], 10_001],
    ] as const) {
      const why = `The places sum to ${sum} basis points; they must sum to exactly 10000.`;
      const hint = 'Correct the places, and send the call again.';
      mustFail(bad(why, 'body.shares.places', hint), { shares: { places } });
    }
  });

  it('pay each place the least reward', () => {
    const small = (place: number): Refused =>
      bad(
        `Place ${place} would pay less than 1000 atomic units.`,
        'body.shares.places',
        'Send the call again with a larger rewardAmount, or fewer places.',
      );
    mustFail(small(1), { shares: { places: [9, 9_991] } });
    mustFail(small(2), { shares: { places: [9_991, 9] } });
    assert.ok(taken({ shares: { places: [9_990, 10] } }), 'exactly a thousand');
    const rewardAmount = atomic(1_999n);
    mustFail(small(2), { shares: { places: [5_001, 4_999] }, rewardAmount });
  });
});

describe('the end of a divided reward', () => {
  const atDeadline = (over: Over): string | undefined => atDeadlineOf(published(over).task);
  const BEGINS =
    'Results are taken until 2027-01-22T08:00:00.000Z, and the requester names the winners until 2027-01-25T08:00:00.000Z. If it names none, ';

  it('is three days after the deadline', () => {
    const { deadline } = published().task;
    assert.equal(silenceEnds({ deadline }) - deadline, 72 * 3_600_000);
  });

  it('is said in words, with the effect of silence', () => {
    assert.equal(
      atDeadline({ shares: TWO }),
      `${BEGINS}the whole reward goes back to it, and each result that waits counts against its record.`,
    );
    assert.equal(
      atDeadline({ shares: TWO, acceptance: RULE }),
      `${BEGINS}the results that wait take the places in their order of arrival. A place that no result takes goes back to it.`,
    );
    assert.equal(
      atDeadline({ shares: FREE, acceptance: RULE }),
      `${BEGINS}the first 20 results that wait are paid equal parts in their order of arrival.`,
    );
    assert.equal(atDeadline({}), undefined, 'one winner');
  });
});
