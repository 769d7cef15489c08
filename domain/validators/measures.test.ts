import assert from 'node:assert/strict';
import { figuresOf, PER_REQUESTER_MAX, type JudgedDraw } from './measures.ts';

let requesters = 0;

/** A vote with the majority of a panel of three, for a requester of its own. */
function drawn(over: Partial<JudgedDraw> = {}): JudgedDraw {
  requesters += 1;
  return {
    requester: `requester ${requesters}`,
    size: 3,
    vote: 'accepted',
    decided: 'accepted',
    answerMs: 1_000,
    acceptance: 'none',
    skills: [],
    ...over,
  };
}
const many = (count: number, over: Partial<JudgedDraw> = {}): readonly JudgedDraw[] =>
  Array.from({ length: count }, () => drawn(over));
const missed = (count: number): readonly JudgedDraw[] =>
  many(count).map(({ vote: _vote, answerMs: _answerMs, ...draw }) => draw);
const undecided = (count: number): readonly JudgedDraw[] =>
  many(count).map(({ decided: _decided, ...draw }) => draw);
/** Two of twenty are planted. */
const plantedIn = (draw: JudgedDraw, nth: number): JudgedDraw =>
  nth % 10 === 3 ? { ...draw, planted: 'accepted' } : draw;
const reliability = (draws: readonly JudgedDraw[]): number => figuresOf(draws).reliabilityBps ?? -1;

describe('the measures of a judge', () => {
  it('are empty before the first draw, without a reliability', () => {
    const { all, reliabilityBps, byAcceptance, bySkill } = figuresOf([]);
    assert.deepEqual([reliabilityBps, byAcceptance, bySkill], [undefined, [], []]);
    assert.ok(!('reliabilityBps' in figuresOf([])));
    assert.deepEqual(all.panel, { count: 0, of: 0, low: 0, high: 1 });
    assert.deepEqual([all.time, all.cost, all.calibration], [undefined, undefined, undefined]);
  });

  it('count agreement with panels, arbiters and planted answers, each with its denominator', () => {
    const { all } = figuresOf([
      ...many(6),
      ...many(2, { vote: 'rejected' }),
      ...many(1, { size: 1 }),
      ...undecided(1),
      ...many(2, { ruled: 'rejected' }),
      ...many(1, { ruled: 'accepted' }),
      ...many(4, { planted: 'accepted' }),
      ...many(1, { planted: 'rejected' }),
      ...missed(2),
    ]);
    assert.deepEqual([all.panel.count, all.panel.of], [14, 16]);
    assert.deepEqual([all.arbiters.count, all.arbiters.of], [1, 3]);
    assert.deepEqual([all.planted.count, all.planted.of], [4, 5]);
    assert.deepEqual([all.draws, all.abstained.of], [20, 20]);
  });

  it('are shown by kind of acceptance rule and for the eight most frequent skills', () => {
    const skills = Array.from({ length: 10 }, (_, n) => many(10 - n, { skills: [`skill ${n}`] }));
    const figures = figuresOf([...skills.flat(), ...many(3, { acceptance: 'fields' })]);
    assert.deepEqual(
      figures.byAcceptance.map(({ kind, measures }) => [kind, measures.draws]),
      [
        ['none', 55],
        ['fields', 3],
      ],
    );
    assert.deepEqual(
      figures.bySkill.map(({ measures }) => measures.draws),
      [10, 9, 8, 7, 6, 5, 4, 3],
    );
  });

  it('order skills by their draws, then by name, and count a skill once for each draw', () => {
    const skillsOf = (...lists: string[][]) =>
      figuresOf(lists.map((skills) => drawn({ skills }))).bySkill.map(({ skill }) => skill);
    assert.deepEqual(skillsOf(['b'], ['c', 'a'], ['c', 'b', 'a'], ['c']), ['c', 'a', 'b']);
    assert.deepEqual(skillsOf(['a', 'a', 'a', 'b'], ['b']), ['b', 'a']);
    assert.deepEqual(skillsOf(['a', 'b', 'c']), ['a', 'b', 'c']);
  });

  it('count the requesters', () => {
    const { all } = figuresOf(['x', 'y', 'x', 'z'].map((requester) => drawn({ requester })));
    assert.equal(all.requesters, 3);
  });

  it('have the median and the ninth tenth of the time, and the mean cost of a verdict', () => {
    const times = [100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000];
    const { all } = figuresOf(times.map((answerMs) => drawn({ answerMs, earned: answerMs })));
    assert.deepEqual(all.time, { medianMs: 500, p90Ms: 900 });
    assert.deepEqual(all.cost, { verdicts: 10, mean: 550 });
    const { all: mixed } = figuresOf([
      ...[30, 9, 200].map((answerMs) => drawn({ answerMs })),
      ...many(1).map(({ answerMs: _, ...draw }) => ({ ...draw, earned: 5 })),
    ]);
    assert.deepEqual(mixed.time, { medianMs: 30, p90Ms: 200 });
    assert.deepEqual(mixed.cost, { verdicts: 1, mean: 5 });
  });

  it('score a confidence by a ruling, else by a panel, and never by a planted answer', () => {
    const sure = { confidenceBps: 10_000 };
    const { all } = figuresOf([
      ...many(5, { ...sure, planted: 'rejected', ruled: 'accepted' }),
      ...many(20, { ...sure, size: 1, planted: 'rejected' }),
      ...many(3, { ...sure, ruled: 'accepted', decided: 'rejected' }),
      ...many(2, { confidenceBps: 6_500, vote: 'rejected' }),
      ...many(9, { size: 1, ...sure }),
      ...many(4),
    ]);
    assert.deepEqual(all.calibration?.bins, [
      { from: 0.6, to: 0.7, votes: 2, right: 0, stated: 0.65 },
      { from: 0.9, to: 1, votes: 8, right: 8, stated: 1 },
    ]);
    assert.equal(all.calibration.brier.toFixed(4), ((2 * 0.65 ** 2) / 10).toFixed(4));
  });
});

describe('attacks on the measures of a judge', () => {
  it('gain nothing from a requester that deals many easy tasks: the newest ten count', () => {
    const own = Array.from({ length: 400 }, () => drawn({ requester: 'ring' }));
    const { all, reliabilityBps } = figuresOf(own);
    assert.deepEqual([all.panel.of, all.requesters], [PER_REQUESTER_MAX, 1]);
    assert.ok(reliabilityBps !== undefined && reliabilityBps < 7_300, String(reliabilityBps));
    assert.ok(reliability(many(400)) > 9_800);
  });

  it('show who abstains on hard tasks, and a missed draw lowers reliability as a wrong vote does', () => {
    const easy = many(60);
    const abstains = [...easy, ...missed(40)];
    const { all } = figuresOf(abstains);
    assert.deepEqual([all.abstained.count, all.abstained.of, all.panel.of], [40, 100, 60]);
    assert.equal(reliability(abstains), reliability([...easy, ...many(40, { vote: 'rejected' })]));
    assert.ok(reliability(abstains) < reliability(easy));
  });

  it('gain nothing from answering planted results alone well', () => {
    const plants = many(20, { planted: 'accepted' });
    const guesses = [...many(40), ...many(40, { vote: 'rejected' })];
    assert.ok(reliability([...plants, ...guesses]) < reliability([...plants, ...many(80)]) - 3_000);
    assert.ok(reliability([...plants, ...guesses]) < 6_000);
  });

  it('are bounded by planted answers where a captured panel agrees with itself', () => {
    const captured = many(200);
    const wrongOnPlants = many(20, { planted: 'rejected' });
    assert.ok(reliability([...wrongOnPlants, ...captured]) < 2_000);
    const wrongOnRulings = many(20, { ruled: 'rejected' });
    assert.ok(reliability([...wrongOnRulings, ...captured]) < 2_000);
  });

  it('learn from no change of a figure which result was planted: they count by 20 draws', () => {
    const counts = Array.from({ length: 45 }, (_, n) => {
      const { all } = figuresOf([...many(n), ...many(6, { planted: 'accepted' }), ...many(9)]);
      return all.planted.of;
    });
    assert.deepEqual(new Set(counts.slice(0, 5)), new Set([0]));
    assert.deepEqual(new Set(counts.slice(5)), new Set([6]));
    const few = (n: number) => figuresOf(many(20 * n, {}).map((draw, nth) => plantedIn(draw, nth)));
    assert.deepEqual([few(1).all.planted.of, few(3).all.planted.of], [0, 6]);
    const unanswered = missed(3).map((draw) => ({ ...draw, planted: 'accepted' as const }));
    const { all } = figuresOf([...unanswered, ...many(4, { planted: 'accepted' }), ...many(13)]);
    assert.equal(all.planted.of, 0, 'of results that it voted on');
  });
});
