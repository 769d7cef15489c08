import { filesUnder } from '../../db/files/files.ts';
import { pin } from '../../db/tasks/taskFiles.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { TaskFile } from '../../domain/tasks/files.ts';
import { admitNow } from '../kernel/admission.ts';
import type { Call, Signer } from '../kernel/call.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { lockFiles } from '../files/given.ts';

export type FileReference = NonNullable<Call<'tasks.submit'>['body']['files']>[number];

/** A named file with the object of the store that has its bytes. */
export interface FoundFile {
  readonly file: TaskFile;
  readonly object: string;
}

/** Finds the files that a brief or a result names, or refuses the first that is not as named. */
export async function filesNamed(
  hub: Hub,
  by: Account,
  named: readonly FileReference[] | undefined,
): Promise<readonly FoundFile[] | undefined> {
  if (named === undefined) return undefined;
  mustBeOwn(by, named);
  const keys = named.map(({ key }) => key);
  const stored = await hub.store.readOne((db) => filesUnder(db, by, keys));
  return named.map(({ owner, key, sha256, mediaType }, at) => {
    const found = stored.get(key);
    if (found?.sha256 !== sha256) missing(at, key, found?.sha256);
    const { bytes, object } = found;
    return { file: { owner, key, sha256, bytes, ...defined({ mediaType }) }, object };
  });
}

function mustBeOwn(by: Account, named: readonly FileReference[]): void {
  for (const [at, { owner, key }] of named.entries()) {
    if (owner !== by) {
      refuse('wrong-owner', {
        error: `files/${at} names a file of ${owner}, and you signed as ${by}.`,
        hint: 'Store the bytes as a file of your own, which POST /api/v1/files does, and name that.',
        field: `body.files/${at}/owner`,
      });
    }
    if (named.findIndex((each) => each.key === key) < at) {
      refuse('not-together', {
        error: `files names the key ${JSON.stringify(key)} twice.`,
        hint: 'Name each file once and send the call again.',
        field: `body.files/${at}/key`,
      });
    }
  }
}

function missing(at: number, key: string, sha256: string | undefined): never {
  const is = sha256 === undefined ? 'no file' : `a file with the digest ${sha256}`;
  return refuse('not-found', {
    error: `files/${at} names another file: under ${JSON.stringify(key)} you have ${is}.`,
    hint: 'Store the bytes with POST /api/v1/files and send this call again with the `key` and the `sha256` of its answer.',
    field: `body.files/${at}/sha256`,
  });
}

export function filesIn(found: readonly FoundFile[] | undefined): {
  readonly files?: readonly TaskFile[];
} {
  return found === undefined ? {} : { files: found.map(({ file }) => file) };
}

/**
 * Holds the contents for a task, before the transaction that names them: a pin without its task
 * holds for an hour, so a killed process leaves nothing that stays.
 */
export async function pinFiles(
  hub: Hub,
  caller: Signer,
  taskId: string,
  found: readonly FoundFile[] | undefined,
): Promise<void> {
  if (found === undefined || found.length === 0) return;
  const { account: owner } = caller;
  await admitNow(hub, caller);
  await hub.store.write(async (tx) => {
    await lockFiles(tx, hub, owner);
    const keys = found.map(({ file }) => file.key);
    const stored = await filesUnder(tx, owner, keys);
    const pinnedAt = hub.clock.now();
    for (const [at, { file, object }] of found.entries()) {
      const is = stored.get(file.key);
      if (is?.object !== object) missing(at, file.key, is?.sha256);
      const { sha256, bytes } = file;
      await pin(tx, { taskId, owner, sha256, object, bytes, pinnedAt });
    }
  });
}
