import { useRef } from 'preact/hooks';
import type { Hub } from '../typescript/hub.ts';
import { freshKey, type KeptCall } from '../typescript/once.ts';
import { useAction, type Action } from './load.ts';
import { drop, keysOf, unansweredOf, type Armed, type Unanswered } from './unanswered.ts';

export interface PressOptions extends Pick<Unanswered, 'form' | 'what'> {
  /** Sends the calls of the form by the hub that it receives, and the lost call again if any. */
  readonly work: (once: Hub, lost: KeptCall | undefined) => Promise<void>;
}

/** A form's one action. A press whose answer was lost is finished, and never done twice. */
export interface Press extends Pick<Action, 'isRunning' | 'error'> {
  /** The press that has no answer; the form shows it in place of its fields. */
  readonly unanswered: Unanswered | undefined;
  /** Begins another press: what was sent before is over, or the question has changed. */
  readonly arm: () => void;
  readonly run: (done?: () => void) => void;
  /** Forgets the press without an answer, once the person has seen that it did not happen. */
  readonly discard: () => void;
}

/**
 * One press, one idempotency key: it is made when the form is armed and stored before the first
 * send until an answer arrives, also over a reload (choices clients.presses).
 */
export function usePress(hub: Hub, { form, what, work }: PressOptions): Press {
  const account = hub.account ?? '';
  const action = useAction();
  const armed = useRef<Armed>({ key: freshKey() });
  const begunFrom = useRef<Unanswered | undefined>(undefined);
  const before = unansweredOf(account).find(([, press]) => press.form === form);
  const arm = (): void => void (armed.current = { key: freshKey() });
  const run = (done?: () => void): void => {
    if (!action.isRunning) begunFrom.current = before?.[1];
    action.run(async () => {
      const once = hub.keeping(keysOf({ account, form, what }, armed.current));
      await work(once, before?.[1].call);
      arm();
      done?.();
    });
  };
  return {
    isRunning: action.isRunning,
    error: action.error,
    // While a press runs its call is stored too; the form changes when it failed.
    unanswered: action.isRunning ? begunFrom.current : before?.[1],
    arm,
    run,
    discard: () => {
      if (before !== undefined) drop(before[0]);
      arm();
      action.reset();
    },
  };
}
