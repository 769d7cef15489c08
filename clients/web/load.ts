import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** What a page asked the hub for. A later failure keeps what was there and says so beside it. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/**
 * Asks when the key changes, again on `reload`, and every so many milliseconds while the page is
 * seen. What was asked under another key is dropped when it arrives.
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
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, reload]);
  return { value: held?.key === key ? held.value : undefined, error, isLoading, reload };
}

/** Something that a person started: at most one at a time, with its failure. */
export interface Action {
  readonly isRunning: boolean;
  readonly error: unknown;
  readonly run: (work: () => Promise<void>) => void;
}

export function useAction(): Action {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = (work: () => Promise<void>): void => {
    if (isRunning) return;
    setRunning(true);
    setError(undefined);
    work()
      .catch((thrown: unknown) => setError(thrown ?? new Error('unknown')))
      .finally(() => setRunning(false));
  };
  return { isRunning, error, run };
}

/** The time now, told again every so often, so that "in 5 seconds" stays true. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
