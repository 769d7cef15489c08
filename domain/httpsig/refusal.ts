/** The reasons of Authentication 9 but the server's `wrong-owner`, `replayed`; one detail each. */
export type RefusalReason =
  'unsigned' | 'incomplete-coverage' | 'digest-mismatch' | 'stale' | 'unknown-key';

export interface Refusal {
  readonly reason: RefusalReason;
  readonly detail: string;
  /** The component the refusal is about, as a signature would list it. */
  readonly component?: string;
}

export function refusal(reason: RefusalReason, detail: string, component?: string): Refusal {
  return { reason, detail, ...(component === undefined ? {} : { component }) };
}
