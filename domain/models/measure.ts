/** How a model did here, of the attempts that were measured (interface, Models). */
export interface MeasuredAttempt {
  readonly callId: string;
  readonly provider: string;
  readonly ok: boolean;
  readonly firstTokenMs?: number;
  readonly tokens: number;
  readonly tokensMs: number;
}

/** Figures that nothing was measured for are absent. */
export interface Measured {
  readonly calls: number;
  readonly windowHours: number;
  readonly uptime?: number;
  readonly firstTokenMs?: number;
  readonly tokensPerSecond?: number;
}

export const WINDOW_HOURS = 24;
export const ATTEMPTS_MAX = 1_000;
/** Shorter answers say nothing about how fast tokens come. */
const TOKENS_MIN = 2;

/** A call is up when some provider answered it. */
export function measure(attempts: readonly MeasuredAttempt[]): Measured {
  const calls = new Map<string, boolean>();
  for (const { callId, ok } of attempts) calls.set(callId, ok || calls.get(callId) === true);
  const up = [...calls.values()].filter(Boolean).length;
  const firstTokenMs = median(
    attempts.flatMap(({ ok, firstTokenMs: ms }) => (ok && ms !== undefined ? [ms] : [])),
  );
  const tokensPerSecond = median(
    attempts.flatMap(({ ok, tokens, tokensMs }) =>
      ok && tokens >= TOKENS_MIN && tokensMs > 0 ? [((tokens - 1) * 1000) / tokensMs] : [],
    ),
  );
  return {
    calls: calls.size,
    windowHours: WINDOW_HOURS,
    ...(calls.size > 0 && { uptime: Math.round((up / calls.size) * 10_000) / 10_000 }),
    ...(firstTokenMs !== undefined && { firstTokenMs: Math.round(firstTokenMs) }),
    ...(tokensPerSecond !== undefined && {
      tokensPerSecond: Math.round(tokensPerSecond * 10) / 10,
    }),
  };
}

/** How one provider did when it was asked. */
export interface ProviderMeasured {
  readonly asked: number;
  /** Part of them in which all tokens came. */
  readonly answered?: number;
  readonly firstTokenMs?: number;
}

export function measureAt(attempts: readonly MeasuredAttempt[], name: string): ProviderMeasured {
  const own = attempts.filter(({ provider }) => provider === name);
  const sound = own.filter(({ ok }) => ok);
  const firstTokenMs = median(sound.flatMap(({ firstTokenMs: ms }) => ms ?? []));
  return {
    asked: own.length,
    ...(own.length > 0 && { answered: Math.round((sound.length / own.length) * 10_000) / 10_000 }),
    ...(firstTokenMs !== undefined && { firstTokenMs: Math.round(firstTokenMs) }),
  };
}

function median(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
