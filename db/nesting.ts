import { strict as assert } from 'node:assert';
import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * A unit inside a unit would wait for itself until the watchdog ends it, one inside a read would
 * decide by an old snapshot, and a read inside a read could take the last connection from the read
 * that it belongs to. The handle of a unit is the token against that: a function that is given a
 * `Reader` or a `Writer` asks the store for no other, which `tools/nesting.test.ts` reads in the
 * code. What only a run can show, this guard finds in tests: it follows each call through its
 * promises, and on Node 20 that makes every promise of the process dearer: an eighth of a payment.
 */
export interface NestingGuard {
  /** The kind of unit that the caller is in; undefined outside. */
  inside(): Kind | undefined;
  run<T>(frame: Frame, work: () => Promise<T>): Promise<T>;
  close(): void;
}
type Kind = 'read' | 'write';
interface Frame {
  readonly kind: Kind;
  open: boolean;
}

export function openNestingGuard(): NestingGuard {
  const frames = new AsyncLocalStorage<Frame>();
  return {
    inside() {
      const outer = frames.getStore();
      return outer?.open === true ? outer.kind : undefined;
    },
    run: (frame, work) => frames.run(frame, work),
    // Every promise of the process carries each storage that was not disabled (Node 20).
    close: () => frames.disable(),
  };
}

/** Runs a unit whose work goes through `inside`; a read beside a write is no nesting. */
export async function guarded<T>(
  guard: NestingGuard | undefined,
  kind: Kind,
  unit: (inside: (work: () => Promise<T>) => Promise<T>) => Promise<T>,
): Promise<T> {
  if (guard === undefined) return unit((work) => work());
  const outer = guard.inside();
  const isBeside = outer === 'write' && kind === 'read';
  assert(outer === undefined || isBeside, `store.${kind} was called inside store.${outer ?? ''}`);
  return unit(async (work) => {
    const frame = { kind, open: true };
    try {
      return await guard.run(frame, work);
    } finally {
      frame.open = false;
    }
  });
}
