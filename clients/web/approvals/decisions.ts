import { useEffect, useState } from 'preact/hooks';

/**
 * Decisions that a person has pressed and can still undo. They are held outside of the pages, so
 * that going to another page neither loses nor hurries one. The hub lets an approved call through
 * at once, so nothing is sent before the time to undo is over.
 */
export const UNDO_MS = 5_000;

export type How = 'approved' | 'rejected';

interface Decision {
  readonly how: How;
  /** When it is sent. */
  readonly at: number;
  readonly timer: ReturnType<typeof setTimeout>;
  readonly isSending: boolean;
}

const pending = new Map<string, Decision>();
const failures = new Map<string, unknown>();
const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
  // A closed tab would lose the decision without a word.
  if (pending.size > 0) addEventListener('beforeunload', warn);
  else removeEventListener('beforeunload', warn);
}

function warn(event: Event): void {
  event.preventDefault();
}

/** Sends the decision after five seconds, unless it is undone until then. */
export function decideLater(id: string, how: How, send: () => Promise<void>): void {
  if (pending.has(id)) return;
  failures.delete(id);
  const timer = setTimeout(() => {
    pending.set(id, { how, at: Date.now(), timer, isSending: true });
    changed();
    send()
      .catch((error: unknown) => failures.set(id, error ?? new Error('unknown')))
      .finally(() => {
        pending.delete(id);
        changed();
      });
  }, UNDO_MS);
  pending.set(id, { how, at: Date.now() + UNDO_MS, timer, isSending: false });
  changed();
}

/** Returns false if the decision has been sent already. */
export function undo(id: string): boolean {
  const decision = pending.get(id);
  if (decision === undefined || decision.isSending) return false;
  clearTimeout(decision.timer);
  pending.delete(id);
  changed();
  return true;
}

export const decisionOf = (id: string): Decision | undefined => pending.get(id);
export const failureOf = (id: string): unknown => failures.get(id);

/** Draws the caller again when a decision is pressed, undone or sent. */
export function useDecisions(): void {
  const [, draw] = useState(0);
  useEffect(() => {
    const listener = (): void => draw((before) => before + 1);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
}
