import { useRef } from 'preact/hooks';
import type { Hub } from '../typescript/hub.ts';
import { freshKey, type KeptCall } from '../typescript/once.ts';
import { HubRefusal } from '../typescript/refusal.ts';
import { useAction, type Action } from './load.ts';
import {
  drop,
  keep,
  keysOf,
  unansweredOf,
  type Armed,
  type Pressing,
  type Unanswered,
} from './unanswered.ts';

export interface PressOptions extends Pick<Unanswered, 'form' | 'what'> {
  /** Sends the calls of the form by the hub that it receives, and the lost call again if any. */
  readonly work: (once: Hub, lost: KeptCall | undefined) => Promise<void>;
  /** Needed where the operation takes no idempotency key and makes something each time. */
  readonly look?: Look;
}

/** How a form finds out whether a press without an answer made something. */
export interface Look {
  /** Ids of what this account has of the kind that the form makes. */
  readonly ids: () => Promise<readonly string[]>;
  readonly found: (id: string) => Promise<void> | void;
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
export function usePress(hub: Hub, { form, what, work, look }: PressOptions): Press {
  const account = hub.account ?? '';
  const action = useAction();
  const armed = useRef<Armed>({ key: freshKey() });
  const begunFrom = useRef<Unanswered | undefined>(undefined);
  const before = unansweredOf(account).find(([, press]) => press.form === form);
  const pressing = { account, form, what };
  const arm = (): void => void (armed.current = { key: freshKey() });
  const run = (done?: () => void): void => {
    if (!action.isRunning) begunFrom.current = before?.[1];
    action.run(async () => {
      const once = hub.keeping(keysOf(pressing, armed.current));
      if (look === undefined) await work(once, before?.[1].call);
      else await workOrFind(pressing, look, () => work(hub, undefined));
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

/** Looks for what a press without an answer made, and sends it again only if it made nothing. */
async function workOrFind(
  pressing: Pressing,
  look: Look,
  work: () => Promise<void>,
): Promise<void> {
  const name = `${pressing.account} ${pressing.form}`;
  const before = unansweredOf(pressing.account).find(([key]) => key === name)?.[1];
  const now = await look.ids();
  const made = before && now.find((id) => !(before.known ?? []).includes(id));
  if (made !== undefined) {
    await look.found(made);
    drop(name);
    return;
  }
  if (before === undefined) keep(name, { ...pressing, known: now });
  try {
    await work();
  } catch (error) {
    if (!mayHaveHappened(error)) drop(name);
    throw error;
  }
  drop(name);
}

/** Whether a call that ended with this error may have done its work. A refusal did nothing. */
function mayHaveHappened(error: unknown): boolean {
  return !(error instanceof HubRefusal) || error.status >= 500 || error.call !== undefined;
}
