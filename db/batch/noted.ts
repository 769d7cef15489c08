import type { Effect } from './write.ts';
import { writeObject } from './writeObject.ts';
import type { NotedEvent } from '../noted.ts';

/** How many events an account gets; in the order of names, which is that of their locks. */
const HEADS = writeObject('account_event_heads', {
  statement: (rows) => `
    INSERT INTO account_event_heads (account, seq) SELECT $0, $1:int FROM ${rows} WHERE true
    ON CONFLICT (account) DO UPDATE SET seq = account_event_heads.seq + excluded.seq`,
});
/** The second cell says how many events of the account come behind. */
const EVENTS = writeObject('account_events', {
  statement: (rows) => `
    INSERT INTO account_events (account, seq, at, kind, subject_id, attempt_id, ref, state, actor)
    SELECT $0, (SELECT seq FROM account_event_heads WHERE account = $0) - $1:int, $2:int, $3, $4, $5,
      $6, $7, $8 FROM ${rows}`,
});
export const NOTED_OBJECTS = [HEADS, EVENTS] as const;

/**
 * Returns the effects that number and store events. Heads are locked after all other locks and in
 * one order, so that two writers do not deadlock.
 */
export function notedEffects(noted: readonly NotedEvent[]): readonly Effect[] {
  if (noted.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { account } of noted) counts.set(account, (counts.get(account) ?? 0) + 1);
  const heads = [...counts.keys()].sort().map((account) => [account, counts.get(account) ?? 0]);
  const rows = noted.map(({ account, at, kind, subjectId, attemptId, ref, state, actor }) => {
    const behind = (counts.get(account) ?? 0) - 1;
    counts.set(account, behind);
    const more = [attemptId ?? null, ref ?? null, state ?? null, actor ?? null];
    return [account, behind, at, kind, subjectId, ...more];
  });
  return [
    { name: HEADS.name, rows: heads },
    { name: EVENTS.name, rows },
  ];
}
