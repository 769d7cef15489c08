import type { JudgeRecord } from '../../../db/validators/judgeRecords.ts';
import { ASSET, type NetworkId } from '../../../domain/network.ts';
import {
  DRAWS_MAX,
  figuresOf,
  PER_REQUESTER_MAX,
  type Measures,
} from '../../../domain/validators/measures.ts';
import type { Rate } from '../../../domain/wilson.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';

/** The figures of a judge; empty ones before its first ended round. */
export function presentFigures(
  record: JudgeRecord | undefined,
  network: NetworkId,
): Schemas['JudgeReport'] {
  const { all, byAcceptance, bySkill } = record?.figures ?? figuresOf([]);
  const shown = (measures: Measures) => presentMeasures(measures, network);
  return {
    measuredAt: record?.at,
    drawsMax: DRAWS_MAX,
    perRequesterMax: PER_REQUESTER_MAX,
    all: shown(all),
    byAcceptance: byAcceptance.map(({ kind, measures }) => ({ kind, measures: shown(measures) })),
    bySkill: bySkill.map(({ skill, measures }) => ({ skill, measures: shown(measures) })),
  };
}

function presentMeasures(measures: Measures, network: NetworkId): Schemas['JudgeMeasures'] {
  const { draws, requesters, calibration, time, cost } = measures;
  return {
    draws,
    requesters,
    panel: presentRate(measures.panel),
    arbiters: presentRate(measures.arbiters),
    ...(measures.planted && { planted: presentRate(measures.planted) }),
    abstained: presentRate(measures.abstained),
    ...(calibration && {
      calibration: {
        votes: calibration.votes,
        brier: rounded(calibration.brier),
        bins: calibration.bins.map((bin) => ({ ...bin, stated: rounded(bin.stated) })),
      },
    }),
    ...(time && { time }),
    ...(cost && {
      cost: { verdicts: cost.verdicts, mean: `${cost.mean}`, asset: ASSET, network },
    }),
  };
}

function presentRate({ count, of, low, high }: Rate): Schemas['MeasuredRate'] {
  return {
    count,
    of,
    ...(of > 0 && { rate: rounded(count / of) }),
    low: rounded(low),
    high: rounded(high),
  };
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
