import { rateOf, type Rate } from '../wilson.ts';
import { calibrationOf, type Calibration } from './calibration.ts';
import type { PanelSize, Verdict } from './panel.ts';
import { defined } from '../defined.ts';

/**
 * The measured record of a judge (choices validators.measures). Invariant: every figure follows
 * from recorded draws alone, no requester moves it by itself, and no figure shows which draw had a
 * planted result (choices validators.planted).
 */
export interface JudgedDraw {
  /** The requester, with all linked to it. */
  readonly requester: string;
  readonly size: PanelSize;
  /** Absent for a draw that was not answered. */
  readonly vote?: Verdict;
  /** The decision of the round; absent when it decided nothing. */
  readonly decided?: Verdict;
  readonly answerMs?: number;
  readonly confidenceBps?: number;
  readonly acceptance: AcceptanceKind;
  readonly skills: readonly string[];
  /** The answer of a planted result. */
  readonly planted?: Verdict;
  /** The verdict that the ruling of a later arbiter confirms. */
  readonly ruled?: Verdict;
  /** The share of the reward that the verdict earns, in atomic units. */
  readonly earned?: number;
}

export const ACCEPTANCE_KINDS = ['none', 'all', 'json_schema', 'fields', 'contains'] as const;
export type AcceptanceKind = (typeof ACCEPTANCE_KINDS)[number];

export interface Measures {
  readonly draws: number;
  readonly requesters: number;
  readonly panel: Rate;
  readonly arbiters: Rate;
  /** Present in the measures of all draws alone. */
  readonly planted?: Rate;
  readonly abstained: Rate;
  readonly calibration?: Calibration;
  readonly time?: { readonly medianMs: number; readonly p90Ms: number };
  /** The mean in atomic units. */
  readonly cost?: { readonly verdicts: number; readonly mean: number };
}

export interface JudgeFigures {
  readonly reliabilityBps?: number;
  readonly all: Measures & { readonly planted: Rate };
  readonly byAcceptance: readonly { readonly kind: AcceptanceKind; readonly measures: Measures }[];
  readonly bySkill: readonly { readonly skill: string; readonly measures: Measures }[];
}

/** As many of the newest draws of a judge count. */
export const DRAWS_MAX = 500;
/** As many panel votes on results of one requester count. */
export const PER_REQUESTER_MAX = 10;
/**
 * Planted results count when a block of so many consecutive draws is full, and only as many
 * together, so that no change of a figure shows which draw had a planted result.
 */
export const PLANTED_BLOCK = 20;
const PLANTED_MIN = 5;
const SKILLS_MAX = 8;

/** Computes all figures of a judge from its newest draws, newest first, of `total` in all. */
export function figuresOf(draws: readonly JudgedDraw[], total = draws.length): JudgeFigures {
  const planted = plantedRate(draws, total);
  const all = { ...measuresOf(draws), planted };
  const reliabilityBps = reliabilityOf(draws, Math.min(all.arbiters.high, planted.high));
  const byAcceptance = ACCEPTANCE_KINDS.flatMap((kind) => {
    const own = draws.filter(({ acceptance }) => acceptance === kind);
    return own.length === 0 ? [] : [{ kind, measures: measuresOf(own) }];
  });
  const bySkill = commonSkills(draws).map((skill) => ({
    skill,
    measures: measuresOf(draws.filter(({ skills }) => skills.includes(skill))),
  }));
  return { ...defined({ reliabilityBps }), all, byAcceptance, bySkill };
}

function commonSkills(draws: readonly JudgedDraw[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { skills } of draws) {
    for (const skill of new Set(skills)) counts.set(skill, (counts.get(skill) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return sorted.slice(0, SKILLS_MAX).map(([skill]) => skill);
}

function measuresOf(draws: readonly JudgedDraw[]): Measures {
  const votes = draws.filter(({ vote }) => vote !== undefined);
  const panel = comparable(draws).filter(({ vote }) => vote !== undefined);
  const ruled = votes.filter(({ ruled: confirmed }) => confirmed !== undefined);
  const calibration = calibrationOf(votes.flatMap(stated));
  const time = timeOf(votes);
  const cost = costOf(votes);
  return {
    draws: draws.length,
    requesters: new Set(draws.map(({ requester }) => requester)).size,
    panel: rateOf(panel.filter((draw) => draw.vote === draw.decided).length, panel.length),
    arbiters: rateOf(ruled.filter((draw) => draw.vote === draw.ruled).length, ruled.length),
    abstained: rateOf(draws.length - votes.length, draws.length),
    ...(calibration && { calibration }),
    ...(time && { time }),
    ...(cost && { cost }),
  };
}

/** The newest few draws of each requester in decided rounds of several judges, missed ones too. */
function comparable(draws: readonly JudgedDraw[]): readonly JudgedDraw[] {
  const counts = new Map<string, number>();
  return draws.filter(({ requester, size, decided }) => {
    const before = counts.get(requester) ?? 0;
    if (size === 1 || decided === undefined || before === PER_REQUESTER_MAX) return false;
    counts.set(requester, before + 1);
    return true;
  });
}

/**
 * The right votes on planted results in the full blocks of the window, oldest first. A block begins
 * at a fixed place among all draws, so the moments at which the figure can move are the same for
 * every judge with as many draws.
 */
function plantedRate(draws: readonly JudgedDraw[], total: number): Rate {
  const skipped = (PLANTED_BLOCK - ((total - draws.length) % PLANTED_BLOCK)) % PLANTED_BLOCK;
  const oldestFirst = [...draws].reverse();
  const counted = { right: 0, of: 0 };
  let waiting = { right: 0, of: 0 };
  for (let from = skipped; from + PLANTED_BLOCK <= oldestFirst.length; from += PLANTED_BLOCK) {
    for (const { planted, vote } of oldestFirst.slice(from, from + PLANTED_BLOCK)) {
      if (planted === undefined || vote === undefined) continue;
      waiting.of += 1;
      if (vote === planted) waiting.right += 1;
    }
    if (waiting.of < PLANTED_MIN) continue;
    counted.right += waiting.right;
    counted.of += waiting.of;
    waiting = { right: 0, of: 0 };
  }
  return rateOf(counted.right, counted.of);
}

/**
 * A vote with a confidence, and whether the best public answer agrees with it. The answer of a
 * planted result is not public: the mean of distinct confidences would name the votes that count.
 */
function stated(
  draw: JudgedDraw,
): readonly { readonly confidenceBps: number; readonly right: boolean }[] {
  const { confidenceBps, vote, size } = draw;
  const truth = draw.ruled ?? (size === 1 ? undefined : draw.decided);
  if (confidenceBps === undefined || truth === undefined) return [];
  return [{ confidenceBps, right: vote === truth }];
}

/**
 * The lower end of its agreement, where a missed draw agrees with nothing, and never above what
 * arbiters and planted answers allow; in basis points.
 */
function reliabilityOf(draws: readonly JudgedDraw[], bound: number): number | undefined {
  const compared = comparable(draws);
  if (compared.length === 0) return undefined;
  const agreed = compared.filter(({ vote, decided }) => vote === decided).length;
  const { low } = rateOf(agreed, compared.length);
  return Math.floor(Math.min(low, bound) * 10_000);
}

function timeOf(votes: readonly JudgedDraw[]): Measures['time'] {
  const sorted = votes.flatMap(({ answerMs }) => answerMs ?? []).sort((a, b) => a - b);
  const at = (share: number): number | undefined => sorted[Math.ceil(sorted.length * share) - 1];
  const [medianMs, p90Ms] = [at(0.5), at(0.9)];
  return medianMs === undefined || p90Ms === undefined ? undefined : { medianMs, p90Ms };
}

function costOf(votes: readonly JudgedDraw[]): Measures['cost'] {
  const earned = votes.flatMap((draw) => draw.earned ?? []);
  if (earned.length === 0) return undefined;
  const sum = earned.reduce((total, each) => total + each, 0);
  return { verdicts: earned.length, mean: Math.round(sum / earned.length) };
}
