/** How the stated confidence of a judge compares with what was right later. */
export interface Calibration {
  readonly votes: number;
  /** The mean squared difference of confidence and outcome. */
  readonly brier: number;
  readonly bins: readonly Bin[];
}

interface Bin {
  readonly from: number;
  readonly to: number;
  readonly votes: number;
  readonly right: number;
  /** The mean confidence that was stated. */
  readonly stated: number;
}

export interface StatedVote {
  readonly confidenceBps: number;
  readonly right: boolean;
}

/** Where the bins begin, in basis points; below even odds one bin is enough. */
const EDGES = [0, 6_000, 7_000, 8_000, 9_000] as const;
const WHOLE = 10_000;

/** Returns undefined when no vote stated a confidence and has a known outcome. */
export function calibrationOf(votes: readonly StatedVote[]): Calibration | undefined {
  if (votes.length === 0) return undefined;
  const bins = EDGES.flatMap((from, n) => {
    const to = EDGES[n + 1] ?? WHOLE;
    const isLast = to === WHOLE;
    const own = votes.filter(
      ({ confidenceBps: at }) => at >= from && (at < to || (isLast && at === to)),
    );
    if (own.length === 0) return [];
    const right = own.filter((vote) => vote.right).length;
    const stated = mean(own.map(({ confidenceBps }) => confidenceBps)) / WHOLE;
    return [{ from: from / WHOLE, to: to / WHOLE, votes: own.length, right, stated }];
  });
  const brier = mean(
    votes.map(({ confidenceBps, right }) => (confidenceBps / WHOLE - Number(right)) ** 2),
  );
  return { votes: votes.length, brier, bins };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}
