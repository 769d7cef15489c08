/** A wait that ends by its signal, unless it is renewed; each renewal begins it again. */
export interface Patience {
  readonly signal: AbortSignal;
  readonly renew: () => void;
  /** Lets go of the timer. */
  readonly end: () => void;
}

export function patienceOf(everyMs: number): Patience {
  const controller = new AbortController();
  const late = (): void => controller.abort();
  const timer = setTimeout(late, everyMs);
  return {
    signal: controller.signal,
    renew: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  };
}
