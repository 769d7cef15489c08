import { useEffect, useRef, useState } from 'preact/hooks';
import type { Loaded } from './load.ts';

/** One page of a list, newest first, and where the older ones go on. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly next: string | undefined;
}

interface Growing<T> extends Loaded<Page<T>> {
  /** Asks for the next older page, unless it is under way or there is none. */
  readonly more: () => void;
}

/** What is newer goes before what is held, unless there may be a gap between the two. */
export function joined<T>(held: Page<T>, fresh: Page<T>, idOf: (row: T) => string): Page<T> {
  const known = new Set(held.rows.map(idOf));
  const newer = fresh.rows.filter((row) => !known.has(idOf(row)));
  const hasGap = newer.length === fresh.rows.length && held.rows.length > 0;
  return hasGap ? fresh : { rows: [...newer, ...held.rows], next: held.next ?? fresh.next };
}

/**
 * A list that grows while one goes down in it. Another version asks for what is new; another key
 * begins anew.
 */
export function useGrowing<T>(
  key: string,
  version: string,
  ask: (after: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
  idOf: (row: T) => string,
): Growing<T> {
  const [held, setHeld] = useState<{ readonly key: string; readonly page: Page<T> }>();
  const [error, setError] = useState<unknown>();
  const [isLoading, setLoading] = useState(true);
  const [turn, setTurn] = useState(0);
  const isAsking = useRef(false);
  const latest = useRef(ask);
  latest.current = ask;
  const page = held?.key === key ? held.page : undefined;
  const load = (after: string | undefined, signal: AbortSignal): void => {
    isAsking.current = true;
    setLoading(true);
    latest
      .current(after, signal)
      .then((fresh) => {
        if (signal.aborted) return;
        setHeld((before) => {
          if (before?.key !== key) return { key, page: fresh };
          if (after === undefined) return { key, page: joined(before.page, fresh, idOf) };
          const rows = [...before.page.rows, ...fresh.rows];
          return { key, page: { rows, next: fresh.next } };
        });
        setError(undefined);
      })
      .catch((thrown: unknown) => {
        if (!signal.aborted) setError(thrown ?? new Error('unknown'));
      })
      .finally(() => {
        if (signal.aborted) return;
        isAsking.current = false;
        setLoading(false);
      });
  };
  const leaving = useRef(new AbortController());
  useEffect(() => {
    leaving.current = new AbortController();
    load(undefined, leaving.current.signal);
    return () => leaving.current.abort();
  }, [key, version, turn]);
  const more = (): void => {
    if (page?.next === undefined || isAsking.current) return;
    load(page.next, leaving.current.signal);
  };
  return { value: page, error, isLoading, more, reload: () => setTurn((before) => before + 1) };
}
