import type { Account } from '../account.ts';

/** The stored amounts of an account, with the bytes that it pays for, and its state of rent. */
export interface Storage {
  readonly account: Account;
  readonly spaces: number;
  /** Notes in them, by all authors. */
  readonly notes: number;
  readonly noteBytes: number;
  /** Notes that it wrote, in spaces of others too; they count towards its limit. */
  readonly notesWritten: number;
  readonly files: number;
  readonly fileBytes: number;
  /** The last rent day that was settled: charged, let go, or the one in which storing began. */
  readonly settledDay: number;
  /** The last rent day that was paid. */
  readonly paidDay?: number;
  readonly readOnly: boolean;
}

type Counted = 'spaces' | 'notes' | 'noteBytes' | 'notesWritten' | 'files' | 'fileBytes';
export type StorageDelta = { readonly [Name in Counted]?: number };

export function storedBytes({ noteBytes, fileBytes }: Storage): number {
  return noteBytes + fileBytes;
}

/** The storage of an account that stores for the first time. */
export function nothingStored(account: Account, today: number): Storage {
  const none = { spaces: 0, notes: 0, noteBytes: 0, notesWritten: 0, files: 0, fileBytes: 0 };
  return { account, ...none, settledDay: today, readOnly: false };
}

/** After a change. Who stored nothing begins to owe rent with the next rent day. */
export function changedBy(storage: Storage, delta: StorageDelta, today: number): Storage {
  const sum = (name: Counted): number => storage[name] + (delta[name] ?? 0);
  return {
    ...storage,
    spaces: sum('spaces'),
    notes: sum('notes'),
    noteBytes: sum('noteBytes'),
    notesWritten: sum('notesWritten'),
    files: sum('files'),
    fileBytes: sum('fileBytes'),
    settledDay: storedBytes(storage) === 0 ? today : storage.settledDay,
  };
}
