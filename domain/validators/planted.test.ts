import assert from 'node:assert/strict';
import { DRAWS_MAX, figuresOf, PLANTED_BLOCK, type JudgedDraw } from './measures.ts';

const VOTES = 10_000;
/** Beyond it a difference is no accident: once in 15,000 samples. */
const SIGMAS_MAX = 4;

/** Repeatable numbers from 0 to 1 (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Votes of a judge that tries to mark each one: a confidence and a time of its own. */
function votes(seed: number): readonly JudgedDraw[] {
  const next = numbers(seed);
  return Array.from({ length: VOTES }, (_, nth): JudgedDraw => ({
    requester: `requester ${Math.floor(next() * 40)}`,
    size: next() < 0.5 ? 1 : 3,
    vote: next() < 0.6 ? 'accepted' : 'rejected',
    decided: next() < 0.7 ? 'accepted' : 'rejected',
    answerMs: 100 + nth,
    confidenceBps: nth % 10_000,
    acceptance: next() < 0.5 ? 'none' : 'fields',
    skills: next() < 0.1 ? ['rare'] : ['common'],
    ...(next() < 0.15 && { planted: next() < 0.5 ? ('accepted' as const) : ('rejected' as const) }),
  }));
}

const newest = (all: readonly JudgedDraw[], upTo: number): readonly JudgedDraw[] =>
  all.slice(Math.max(0, upTo - DRAWS_MAX), upTo).reverse();

const plain = ({ planted: _planted, ...draw }: JudgedDraw): JudgedDraw => draw;

describe('planted results among the votes of a judge', () => {
  it('shows nothing of 10,000 votes that distinguishes planted from real ones', function () {
    this.timeout(120_000);
    const all = votes(7);
    const moved: boolean[] = [];
    let before = '';
    for (let upTo = 1; upTo <= VOTES; upTo += 1) {
      const { reliabilityBps: _, ...figures } = figuresOf(newest(all, upTo), upTo);
      const now = JSON.stringify(figures.all.planted);
      moved.push(now !== before);
      before = now;
    }
    // It moves only when a block is full, or when the oldest block leaves the window.
    for (const [nth, hasMoved] of moved.entries()) {
      assert.ok(!hasMoved || nth === 0 || (nth + 1) % PLANTED_BLOCK <= 1, `vote ${nth + 1}`);
    }
    const marked = all.map(({ planted }) => planted !== undefined);
    assert.ok(moved.filter(Boolean).length > 100, 'the figure moves');
    for (const lag of [0, 1, DRAWS_MAX - 1, DRAWS_MAX]) {
      assert.ok(Math.abs(sigmas(moved, marked, lag)) < SIGMAS_MAX, `after ${lag} votes`);
    }
  });

  it('shows the same figures but one rate with and without them', () => {
    const all = votes(11);
    for (let upTo = 1; upTo <= VOTES; upTo += 97) {
      const withPlants = figuresOf(newest(all, upTo), upTo);
      const without = figuresOf(newest(all, upTo).map(plain), upTo);
      const strip = ({ all: { planted: _, ...rest }, ...others }: typeof without) => ({
        all: rest,
        byAcceptance: others.byAcceptance,
        bySkill: others.bySkill,
      });
      assert.deepEqual(strip(withPlants), strip(without));
    }
  });

  it('shows the same when planted and real results of a block change places', () => {
    const all = votes(13);
    const swapped = all.map((draw, nth) => {
      const block = nth - (nth % PLANTED_BLOCK);
      const other = all[block + PLANTED_BLOCK - 1 - (nth % PLANTED_BLOCK)] ?? draw;
      const answer = other.planted === other.vote ? draw.vote : opposite(draw.vote);
      return { ...plain(draw), ...(other.planted && { planted: answer }) };
    });
    for (let upTo = 1; upTo <= VOTES; upTo += 37) {
      assert.deepEqual(figuresOf(newest(swapped, upTo), upTo), figuresOf(newest(all, upTo), upTo));
    }
  });
});

const opposite = (vote: JudgedDraw['vote']) => (vote === 'accepted' ? 'rejected' : 'accepted');

/** How far the share of moves after planted votes is from that after real ones. */
function sigmas(moved: readonly boolean[], marked: readonly boolean[], lag: number): number {
  const count = { planted: 0, real: 0, afterPlanted: 0, afterReal: 0 };
  for (const [nth, isPlanted] of marked.entries()) {
    const hasMoved = moved[nth + lag];
    if (hasMoved === undefined) break;
    count[isPlanted ? 'planted' : 'real'] += 1;
    if (hasMoved) count[isPlanted ? 'afterPlanted' : 'afterReal'] += 1;
  }
  const { planted, real, afterPlanted, afterReal } = count;
  const share = (afterPlanted + afterReal) / (planted + real);
  const spread = Math.sqrt(share * (1 - share) * (1 / planted + 1 / real));
  return spread === 0 ? 0 : (afterPlanted / planted - afterReal / real) / spread;
}
