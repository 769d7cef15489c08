import type { NotedEvent } from '../noted.ts';
import type { Effect } from './workingSet.ts';

/**
 * What accounts are told of, as effects that number it: heads in one order, so that two writers never
 * wait for each other, and last of all that they lock.
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
    { name: 'account_event_heads', rows: heads },
    { name: 'account_events', rows },
  ];
}
