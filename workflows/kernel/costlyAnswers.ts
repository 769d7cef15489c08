import type { OperationId } from '../../generated/operations.ts';
import type { Call, Reply } from './call.ts';
import type { Clock } from './clock.ts';
import { putNewest } from './putNewest.ts';
import { queryName } from './responseCache.ts';

/**
 * Public reads whose cost grows with the writes of a window. A slow answer is reused for ten times
 * as long as it took, so such reads use at most a tenth of one connection. Each answer names its
 * own time.
 */
export interface CostlyAnswers {
  costly<Op extends OperationId>(
    call: Pick<Call<Op>, 'operation' | 'query'>,
    read: () => Promise<Reply<Op>>,
  ): Promise<Reply<Op>>;
}

/** A reading that takes longer is shared, by those who come while it is under way as well. */
const FAST_MS = 250;
const TIMES_KEPT = 10;
const KEPT_MS_MAX = 60_000;
/** Different questions that are kept; the one that was worked out longest ago goes first. */
const KEPT_MAX = 100;

interface Kept {
  readonly begunAt: number;
  readonly answer: Promise<unknown>;
  /** Absent while it is under way. */
  goodUntil?: number;
}

export function openCostlyAnswers(clock: Pick<Clock, 'elapsedMs'>): CostlyAnswers {
  const kept = new Map<string, Kept>();
  const isGood = ({ begunAt, goodUntil }: Kept, now: number): boolean =>
    goodUntil === undefined ? now - begunAt > FAST_MS : now < goodUntil;
  return {
    costly<Op extends OperationId>(
      { operation, query }: Pick<Call<Op>, 'operation' | 'query'>,
      read: () => Promise<Reply<Op>>,
    ): Promise<Reply<Op>> {
      const name = `${operation} ${queryName(query)}`;
      const begunAt = clock.elapsedMs();
      const known = kept.get(name);
      // Kept under the name of the operation, so it is of its type.
      if (known !== undefined && isGood(known, begunAt)) return known.answer as Promise<Reply<Op>>;
      const answer = read();
      const mine: Kept = { begunAt, answer };
      putNewest(kept, [name, mine], KEPT_MAX);
      const forget = (): void => void (kept.get(name) === mine && kept.delete(name));
      answer.then(() => {
        const now = clock.elapsedMs();
        const took = now - begunAt;
        if (took <= FAST_MS) forget();
        else mine.goodUntil = now + Math.min(took * TIMES_KEPT, KEPT_MS_MAX);
      }, forget);
      return answer;
    },
  };
}
