import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** A loaded value. After a later failure the old value stays, and `error` is set as well. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/**
 * Asks when the key changes, on `reload`, when the browser is online again, and every `everyMs`
 * while the page is seen. A late answer of another key is dropped.
 */
export function useLoad<T>(
  key: string,
  ask: (signal: AbortSignal) => Promise<T>,
  everyMs?: number,
): Loaded<T> {
  const [held, setHeld] = useState<{ readonly key: string; readonly value: T }>();
  const [error, setError] = useState<unknown>();
  const [isLoading, setLoading] = useState(true);
  const [turn, setTurn] = useState(0);
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    const leaving = new AbortController();
    setLoading(true);
    latest
      .current(leaving.signal)
      .then((value) => {
        if (leaving.signal.aborted) return;
        setHeld({ key, value });
        setError(undefined);
      })
      .catch((thrown: unknown) => {
        if (!leaving.signal.aborted) setError(thrown ?? new Error('unknown'));
      })
      .finally(() => {
        if (!leaving.signal.aborted) setLoading(false);
      });
    return () => leaving.abort();
  }, [key, turn]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  useEffect(() => {
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, [reload]);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, reload]);
  return { value: held?.key === key ? held.value : undefined, error, isLoading, reload };
}

/** Asks again whenever the version has changed, and keeps what is shown until then. */
export function useReloadOn(version: number | string, reload: () => void): void {
  const before = useRef(version);
  useEffect(() => {
    if (before.current !== version) reload();
    before.current = version;
  }, [version, reload]);
}

const AGAIN_MS = 2_000;

/**
 * Repeats a long poll. `ask` receives the previous answer, so that the hub can delay the next one
 * until something changes. A failure is shown, and retried after a pause.
 */
export function useFollowed<T>(
  key: string,
  ask: (before: T | undefined, signal: AbortSignal) => Promise<T>,
): Loaded<T> {
  const [held, setHeld] = useState<{ readonly key: string; readonly value: T }>();
  const [error, setError] = useState<unknown>();
  const [turn, setTurn] = useState(0);
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    const leaving = new AbortController();
    void follow(latest, leaving.signal, (value, thrown) => {
      if (thrown === undefined && value !== undefined) setHeld({ key, value });
      setError(thrown);
    });
    return () => leaving.abort();
  }, [key, turn]);
  const value = held?.key === key ? held.value : undefined;
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  return { value, error, isLoading: value === undefined && error === undefined, reload };
}

async function follow<T>(
  latest: { readonly current: (before: T | undefined, signal: AbortSignal) => Promise<T> },
  leaving: AbortSignal,
  report: (value: T | undefined, error: unknown) => void,
): Promise<void> {
  let before: T | undefined;
  while (!leaving.aborted) {
    try {
      before = await latest.current(before, leaving);
      if (!leaving.aborted) report(before, undefined);
    } catch (error) {
      if (leaving.aborted) return;
      report(undefined, error ?? new Error('unknown'));
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

/** Something that a person started: at most one at a time, with its failure. */
export interface Action {
  readonly isRunning: boolean;
  readonly error: unknown;
  readonly run: (work: () => Promise<void>) => void;
  /** Forgets the failure, and draws the form again. */
  readonly reset: () => void;
}

export function useAction(): Action {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  // A second press can come before the page is drawn again.
  const isBusy = useRef(false);
  const run = (work: () => Promise<void>): void => {
    if (isBusy.current) return;
    isBusy.current = true;
    setRunning(true);
    setError(undefined);
    work()
      .catch((thrown: unknown) => setError(thrown ?? new Error('unknown')))
      .finally(() => {
        isBusy.current = false;
        setRunning(false);
      });
  };
  const [, draw] = useState(0);
  const reset = (): void => {
    setError(undefined);
    draw((before) => before + 1);
  };
  return { isRunning, error, run, reset };
}

/** A value once it has not changed for so many milliseconds, for what is asked while one types. */
export function useSettled<T>(value: T, afterMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs);
    return () => clearTimeout(timer);
  }, [value, afterMs]);
  return settled;
}

interface Ticker {
  readonly listeners: Set<(now: number) => void>;
  timer: ReturnType<typeof setInterval> | undefined;
}
const tickers = new Map<number, Ticker>();

/** One timer for all who ask as often, so that a list of times costs no more than one. */
function tickerOf(everyMs: number): Ticker {
  const found = tickers.get(everyMs);
  if (found !== undefined) return found;
  const ticker: Ticker = { listeners: new Set(), timer: undefined };
  tickers.set(everyMs, ticker);
  return ticker;
}

/** Returns the current time and updates it regularly, so that "in 5 seconds" stays true. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const ticker = tickerOf(everyMs);
    ticker.listeners.add(setNow);
    ticker.timer ??= setInterval(() => {
      const at = Date.now();
      for (const listener of ticker.listeners) listener(at);
    }, everyMs);
    return () => {
      ticker.listeners.delete(setNow);
      if (ticker.listeners.size > 0) return;
      clearInterval(ticker.timer);
      ticker.timer = undefined;
    };
  }, [everyMs]);
  return now;
}
