import { useRef, useState } from 'preact/hooks';
import { count } from '../format.ts';
import { useAction, type Action } from '../load.ts';
import { progressTexts as P } from '../texts/progress.ts';
import { paceOf } from './pace.ts';
import { Failure } from './states.tsx';

export interface Step<T> {
  readonly part: T;
  /** The amount that this step brought, in the units of the progress. */
  readonly done: number;
  /** Where the next step goes on; absent at the end. */
  readonly next: string | undefined;
}

interface Progress {
  readonly done: number;
  readonly total: number | undefined;
  readonly before: number;
  readonly since: number;
}

export interface LongWork extends Pick<Action, 'isRunning' | 'error'> {
  readonly progress: Progress | undefined;
  /** Begins, or goes on where it was stopped or failed. */
  readonly run: () => void;
  readonly stop: () => void;
}

/** Says how much is done; the first amount of a run was done before, and took none of its time. */
type Report = (done: number) => void;

/** The progress of work that reports it. It stays on the page until `end`, also after a failure. */
export function useProgress() {
  const [progress, setProgress] = useState<Progress>();
  const begin = (total: number | undefined): Report => {
    const since = Date.now();
    let before: number | undefined;
    return (done) => setProgress({ done, total, before: (before ??= done), since });
  };
  return { progress, begin, end: () => setProgress(undefined) };
}

/** Work that keeps itself what it needs to go on where it was stopped or failed. */
export function useTransfer(
  work: (report: Report, signal: AbortSignal) => Promise<void>,
  total?: number,
): LongWork {
  const leaving = useRef<AbortController | undefined>(undefined);
  const { progress, begin, end } = useProgress();
  const action = useAction();
  const run = async (): Promise<void> => {
    const { signal } = (leaving.current = new AbortController());
    try {
      await work(begin(total), signal);
      end();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  return {
    isRunning: action.isRunning,
    error: action.error,
    progress,
    run: () => action.run(run),
    stop: () => leaving.current?.abort(),
  };
}

/**
 * Work in steps, each of which says where the next one goes on. What arrived is kept when it stops
 * or fails, so that it resumes there and asks for nothing twice.
 */
export function useLongWork<T>(
  ask: (from: string | undefined, signal: AbortSignal) => Promise<Step<T>>,
  finish: (parts: readonly T[]) => void,
): LongWork {
  const kept = useRef<{ parts: T[]; from: string | undefined; done: number } | undefined>(
    undefined,
  );
  return useTransfer(async (report, signal) => {
    const held = (kept.current ??= { parts: [], from: undefined, done: 0 });
    report(held.done);
    do {
      signal.throwIfAborted();
      const step = await ask(held.from, signal);
      held.parts.push(step.part);
      held.done += step.done;
      held.from = step.next;
      report(held.done);
    } while (held.from !== undefined);
    finish(held.parts);
    kept.current = undefined;
  });
}

interface LongWorkProps {
  readonly of: LongWork;
  readonly label: string;
  /** Writes an amount of the progress with its unit. */
  readonly format?: (amount: number) => string;
}

/** The press that begins, stops and resumes long work, with what is done, its rate and the rest. */
export function LongWorkButton({ of, label, format = count }: LongWorkProps) {
  const { isRunning, error, progress, run, stop } = of;
  return (
    <span class="long-work">
      <button
        type="button"
        class="small"
        aria-busy={isRunning}
        aria-label={isRunning ? P.stopOf(label) : label}
        onClick={isRunning ? stop : run}
      >
        {isRunning ? P.stop : progress === undefined ? label : P.resume}
      </button>
      {progress !== undefined && <ProgressLine progress={progress} label={label} format={format} />}
      {error !== undefined && <Failure error={error} />}
    </span>
  );
}

interface ProgressLineProps extends Required<Pick<LongWorkProps, 'label' | 'format'>> {
  readonly progress: Progress;
}

export function ProgressLine({ progress, label, format }: ProgressLineProps) {
  const { done, total, before, since } = progress;
  const { rate, restSeconds } = paceOf({ done, total, before, ms: Date.now() - since });
  return (
    <span class="quiet">
      <progress aria-label={label} {...(total !== undefined && { max: total, value: done })} />{' '}
      {P.done(
        format(Math.min(done, total ?? done)),
        total === undefined ? undefined : format(total),
      )}
      {rate !== undefined && `, ${P.rate(format(Math.round(rate)))}`}
      {restSeconds !== undefined && `, ${P.rest(restSeconds)}`}
    </span>
  );
}
