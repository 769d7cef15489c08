import type { AtWork, FiguresRow } from '../../../db/tasks/workerFigures.ts';
import { measuresOf } from '../../../domain/tasks/figures.ts';
import type { FoundWorker } from '../../../domain/tasks/workerSearch.ts';
import { liveClaimCap } from '../../../domain/tasks/worker.ts';
import { ASSET } from '../../../domain/network.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';

const IDLE: AtWork = { liveClaims: 0, karma: 0 };

export function foundWorker(row: FiguresRow, now: AtWork = IDLE): FoundWorker {
  const { worker, network, paid, rejected, lapsed, earned, lastPaidAt } = row;
  const free = now.liveClaims < liveClaimCap(now.karma);
  const figures = { paid, rejected, lapsed, earned, lastPaidAt };
  return { account: worker, network, ...figures, ...measuresOf(row), ...now, free };
}

export function presentWorker(found: FoundWorker): Schemas['WorkerFigures'] {
  const { medianSeconds, ...shown } = found;
  return { ...shown, asset: ASSET, medianDeliverySeconds: medianSeconds };
}
