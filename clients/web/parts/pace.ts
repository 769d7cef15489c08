/** How fast work goes and how long the rest takes, from what was done since it began or resumed. */
export interface Pace {
  /** Units in a second; undefined until there is something to measure. */
  readonly rate: number | undefined;
  /** Seconds until the end; undefined while the rate or the total is unknown. */
  readonly restSeconds: number | undefined;
}

const MEASURED_MS_MIN = 250;

interface Work {
  readonly done: number;
  readonly total?: number | undefined;
  /** The amount that was done before it resumed, which took none of this time. */
  readonly before: number;
  readonly ms: number;
}

export function paceOf({ done, total, before, ms }: Work): Pace {
  const own = done - before;
  if (ms < MEASURED_MS_MIN || own <= 0) return { rate: undefined, restSeconds: undefined };
  const rate = (own * 1000) / ms;
  if (total === undefined) return { rate, restSeconds: undefined };
  return { rate, restSeconds: Math.ceil(Math.max(0, total - done) / rate) };
}
