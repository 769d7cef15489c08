import assert from 'node:assert/strict';
import { instant } from '../instant.ts';
import { atomic } from '../money.ts';
import { award, type WinnerRef } from './award.ts';
import { isRefused, type Refused } from './change.ts';
import {
  attempt,
  entered,
  offered,
  PLACES,
  REQUESTER,
  RIVAL,
  T0,
  winnersOf,
  WORKER,
} from './fixture.ts';
import type { TaskAggregate } from './model.ts';

const SPLIT = { shares: { split: true } };
const DEADLINE = entered(0).task.deadline;
const decided = (
  aggregate: TaskAggregate,
  winners: readonly WinnerRef[],
  groups: ReadonlyMap<typeof WORKER, string> = new Map(),
  now = T0,
) => award(aggregate, REQUESTER, { winners, groups }, now);
/** A refusal without its words, and the values that these must have. */
interface Expected extends Pick<Refused, 'refused' | 'field' | 'until'> {
  readonly values?: readonly (string | number)[];
}
const mustFail = (is: Expected, ...of: Parameters<typeof decided>): void =>
  mustBe(decided(...of), is);
function mustBe(decision: ReturnType<typeof award>, { values = [], ...is }: Expected): void {
  assert.ok(isRefused(decision));
  const { why, hint = '', ...rest } = decision;
  assert.deepEqual(rest, is);
  // Whole sentences, so that no part of one is lost.
  assert.match(why, /^[A-Z0-9](\S* )+\S+\.$/);
  assert.match(hint, /^$|^[A-Z`](\S* )+\S+\.$/);
  const words = `${why} ${hint}`.split(/[.:,;`]? |[.;`]+$|`/);
  for (const value of values) assert.ok(words.includes(String(value)), `${why} ${hint}`);
}
const taken = (...of: Parameters<typeof decided>): boolean => !isRefused(decided(...of));
const split = (aggregate: TaskAggregate, ...parts: readonly (number | undefined)[]) =>
  parts.map((bps, nth): WinnerRef => ({
    ...(winnersOf(aggregate, nth)[0] ?? assert.fail()),
    ...(bps !== undefined && { bps }),
  }));
const bad = (field: string, ...values: readonly (string | number)[]): Expected => ({
  refused: 'bad-shares',
  field,
  values,
});

describe('the winners of a divided reward', () => {
  it('are named by the requester alone', () => {
    const winners = winnersOf(entered(3), 0, 1, 2);
    const groups = new Map();
    mustBe(award(entered(3), WORKER, { winners, groups }, T0), { refused: 'not-a-party' });
  });

  it('are rejected on a task with one winner', () => {
    const aggregate = offered([WORKER]);
    mustFail(
      {
        refused: 'wrong-mode',
        field: 'body.winners',
        values: ['solutionId'],
      },
      aggregate,
      [{ solution: { id: 'solution-0' } }],
    );
  });

  it('are results that wait on the task, each named once', () => {
    const aggregate = entered(3);
    mustFail(
      {
        refused: 'not-found',
        field: 'body.winners[1].solutionId',
      },
      aggregate,
      winnersOf(aggregate, 0, 7),
    );
    const old = attempt({ id: 'old', state: 'rejected', deliveredAt: T0 });
    mustFail(
      {
        refused: 'decided',
        field: 'body.winners[0].solutionId',
        values: ['rejected'],
      },
      aggregate,
      [{ solution: { id: 'old', attempt: old } }],
    );
    mustFail(bad('body.winners[2].solutionId', 3), aggregate, winnersOf(aggregate, 0, 1, 0));
  });

  it('are no more than there are places', () => {
    const aggregate = entered(4);
    mustFail(bad('body.winners', 3, 4), aggregate, winnersOf(aggregate, 0, 1, 2, 3));
    assert.ok(taken(aggregate, winnersOf(aggregate, 0, 1, 2)));
  });

  it('take the basis points of their place, said or not', () => {
    const aggregate = entered(3);
    assert.ok(taken(aggregate, split(aggregate, 6_000, undefined, 1_000)));
    for (const share of [0, 2_999, 3_001]) {
      mustFail(
        bad('body.winners[1].bps', 2, 3_000, share),
        aggregate,
        split(aggregate, 6_000, share, 1_000),
      );
    }
  });

  it('are given basis points where the requester divides', () => {
    const aggregate = entered(3, SPLIT);
    mustFail(bad('body.winners[1].bps', 2, 'bps'), aggregate, split(aggregate, 5_000, undefined));
    mustFail(bad('body.winners', 10_001, 10_000), aggregate, split(aggregate, 5_000, 5_001));
    assert.ok(taken(aggregate, split(aggregate, 5_000, 5_000)));
  });

  it('fill each place while a result waits for one', () => {
    const is = bad('body.winners', 3, 2, 'POST', '/api/v1/tasks/task/reject');
    const [three, two] = [entered(3), entered(2)];
    const late = [new Map(), DEADLINE] as const;
    mustFail(is, three, winnersOf(three, 0, 1), ...late);
    assert.ok(taken(two, winnersOf(two, 0, 1), ...late));
    const free = entered(3, SPLIT);
    assert.ok(taken(free, split(free, 10_000)), 'no place stays empty where there are none');
  });

  it('take the whole reward until the deadline', () => {
    const aggregate = entered(2, SPLIT);
    const is = { ...bad('body.winners', 9_999, 10_000), until: DEADLINE };
    const early = instant(DEADLINE - 1);
    mustFail(is, aggregate, split(aggregate, 5_000, 4_999), new Map(), early);
    assert.ok(taken(aggregate, split(aggregate, 5_000, 5_000), new Map(), early));
    assert.ok(taken(aggregate, split(aggregate, 5_000, 4_999), new Map(), DEADLINE));
  });

  it('are parties of their own, with their payees, and not the requester', () => {
    const aggregate = entered(3);
    const paysTo = (payee: typeof WORKER): TaskAggregate => ({
      ...aggregate,
      live: aggregate.live.map((each) => (each.id === 'a2' ? { ...each, payee } : each)),
    });
    const third = aggregate.live[2]?.worker ?? assert.fail();
    const linked = (place: number, ...other: readonly (string | number)[]): Expected => ({
      refused: 'self-dealing',
      field: `body.winners[${place - 1}].solutionId`,
      values: [place, ...other],
    });
    const all = winnersOf(aggregate, 0, 1, 2);
    const one = (...accounts: readonly (typeof WORKER)[]) =>
      new Map(accounts.map((account) => [account, 'one']));
    mustFail(linked(1, 'requester'), aggregate, all, one(WORKER, REQUESTER));
    mustFail(linked(2, 'winner', 1), aggregate, all, one(WORKER, RIVAL));
    mustFail(linked(3, 'winner', 2), aggregate, all, one(third, RIVAL));
    mustFail(linked(3, 'winner', 1), paysTo(WORKER), all);
    mustFail(linked(3, 'requester'), paysTo(REQUESTER), all);
    assert.ok(taken(aggregate, all, one(third)));
  });

  it('are each paid a thousand units at least', () => {
    const aggregate = entered(2, SPLIT);
    for (const [nth, parts] of [
      [0, [9, 9_991]],
      [1, [9_991, 9]],
    ] as const) {
      const winners = split(aggregate, ...parts);
      mustFail(bad(`body.winners[${nth}].bps`, nth + 1, 1_000), aggregate, winners);
    }
    assert.ok(taken(aggregate, split(aggregate, 9_990, 10)), 'exactly a thousand');
  });

  it('are refused first for their results, then their parts, their places and their parties', () => {
    const aggregate = entered(4);
    const codes = (winners: readonly WinnerRef[], groups = new Map<typeof WORKER, string>()) => {
      const decision = decided(aggregate, winners, groups);
      return isRefused(decision) && [decision.refused, decision.field];
    };
    const linked = new Map([
      [WORKER, 'one'],
      [REQUESTER, 'one'],
    ]);
    const four = split(aggregate, 1, 2, 3, 4);
    const stray = [...four.slice(0, 3), { solution: { id: 'none' } }];
    assert.deepEqual(codes(stray, linked), ['not-found', 'body.winners[3].solutionId']);
    assert.deepEqual(codes(four, linked), ['bad-shares', 'body.winners']);
    assert.deepEqual(codes(split(aggregate, 1, 2), linked), ['bad-shares', 'body.winners[0].bps']);
    assert.deepEqual(codes(winnersOf(aggregate, 0), linked), ['bad-shares', 'body.winners']);
    const three = winnersOf(aggregate, 0, 1, 2);
    assert.deepEqual(codes(three, linked), ['self-dealing', 'body.winners[0].solutionId']);
    const tiny = entered(1, { ...PLACES, rewardAmount: atomic(10_000n) });
    assert.ok(taken(tiny, winnersOf(tiny, 0), new Map(), DEADLINE));
  });
});
