import { failed, type Failed } from './outcome.ts';

/** One call from its start to its last byte: what may end it early, and why it did. */
export interface RequestContext {
  readonly signal: AbortSignal;
  /** Why the signal was given; only asked after it was. */
  why(): Failed;
  /** Ends it from outside; an earlier reason stays. */
  cancel(): void;
  /** It is over: lets go of the timer and of the caller's signal. */
  end(): void;
}

export interface RequestContexts {
  begin(totalMs: number, caller: AbortSignal | undefined): RequestContext;
  underWay(): number;
  stopAll(): void;
}

const GIVEN_UP = failed('cancelled', 'The hub gave up the call before it was answered.');

/** Made once: an abort without a reason makes one with a stack, at every call. */
const STOPPED = new DOMException('The call is over.', 'AbortError');

export function openRequestContexts(): RequestContexts {
  const all = new Set<RequestContext>();
  return {
    underWay: () => all.size,
    stopAll() {
      for (const context of all) context.cancel();
    },
    begin(totalMs, caller) {
      const controller = new AbortController();
      let first: Failed = GIVEN_UP;
      const stop = (why: Failed): void => {
        if (controller.signal.aborted) return;
        first = why;
        controller.abort(STOPPED);
      };
      const cancel = (): void => stop(GIVEN_UP);
      const late = failed('timeout', `The call took longer than ${totalMs} ms in all.`);
      const timer = setTimeout(() => stop(late), totalMs);
      caller?.addEventListener('abort', cancel, { once: true });
      if (caller?.aborted === true) cancel();
      const context: RequestContext = {
        signal: controller.signal,
        why: () => first,
        cancel,
        end() {
          clearTimeout(timer);
          caller?.removeEventListener('abort', cancel);
          all.delete(context);
        },
      };
      all.add(context);
      return context;
    },
  };
}

/** Returns the value of a promise, or undefined as soon as the call is stopped. */
export async function unlessStopped<T>(
  { signal }: RequestContext,
  promise: Promise<T>,
): Promise<T | undefined> {
  let leave = (): void => undefined;
  const stopped = new Promise<undefined>((resolve) => {
    leave = () => resolve(undefined);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
  });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
