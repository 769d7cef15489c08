import type { Account } from '../account.ts';

/** A file that a brief or a result names, as it was when it was pinned (choices tasks.files). */
export interface TaskFile {
  readonly owner: Account;
  readonly key: string;
  readonly sha256: string;
  readonly bytes: number;
  /** As its owner states it. */
  readonly mediaType?: string;
}

/** The part of a key behind its last slash, by which rules name a file. */
export function fileName({ key }: Pick<TaskFile, 'key'>): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

/** The document whose digest a result has: with its files, once it names any. */
export function deliveredDocument(value: unknown, files: readonly TaskFile[] | undefined): unknown {
  if (files === undefined) return value;
  return { v: 1, result: value, files: files.map((file) => ({ ...file })) };
}
