import type { Slot } from './need.ts';
import type { WorkingSet } from './workingSet.ts';

/** The batches of this process whose commits are under way. */
export interface Flights {
  /**
   * Waits until no batch under way shares rows with this one, which it would find stale. Returns
   * false if none did, so that nothing was waited for.
   */
  waited(set: WorkingSet): Promise<boolean>;
  /** Commits a batch; the others see it until that ended. */
  fly<T>(set: WorkingSet, commit: () => Promise<T>): Promise<T>;
}

export function openFlights(): Flights {
  const underWay = new Map<WorkingSet, Promise<unknown>>();
  return {
    async waited(set) {
      const shared = [...underWay].filter(([other]) => meet(set, other) || meet(other, set));
      await Promise.allSettled(shared.map(([, commit]) => commit));
      return shared.length > 0;
    },
    async fly(set, commit) {
      const ended = commit();
      underWay.set(set, ended);
      try {
        return await ended;
      } finally {
        underWay.delete(set);
      }
    },
  };
}

/** Returns whether one batch has read what the other one writes. */
function meet(one: WorkingSet, other: WorkingSet): boolean {
  for (const table of one.tables()) {
    for (const [id, { under }] of one.slotsOf(table)) {
      const theirs = other.slot(table, id);
      if (theirs !== undefined && isChanged(theirs)) return true;
      if (under !== undefined && other.hasWrittenUnder(under)) return true;
    }
  }
  return false;
}

function isChanged({ before, now }: Slot): boolean {
  return before !== now;
}
