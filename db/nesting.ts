import { strict as assert } from 'node:assert';
import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * A unit inside a unit waits for itself until the watchdog ends it, one inside a read decides by an
 * old snapshot, and a read inside a read can take the last connection from its outer read. So a
 * function with a `Reader` or a `Writer` asks the store for no other (`tools/nesting.test.ts`
 * checks the code). This guard finds the rest in tests. It follows each call through its promises,
 * which on Node 20 makes every promise dearer: an eighth of a payment.
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
