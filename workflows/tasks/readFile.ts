import { attemptsNaming, pinOf } from '../../db/tasks/taskFiles.ts';
import { resultOf } from '../../db/tasks/attempts.ts';
import { readTask } from '../../db/tasks/tasks.ts';
import type { Reader } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import type { TaskFile } from '../../domain/tasks/files.ts';
import type { Task } from '../../domain/tasks/model.ts';
import { isPrivate } from '../../domain/tasks/privacy.ts';
import type { Signer, Visitor } from '../kernel/call.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import type { FoundFile } from './files.ts';
import { isInvolved, mayReadResult, partOf, readerOf } from './readers.ts';
import { noSuchTask } from './refuse.ts';

interface Named {
  readonly taskId: string;
  readonly sha256: string;
}

/** Finds a file of a task, or refuses it as absent to whom its brief or result is not shown. */
export async function readableFile(
  hub: Hub,
  caller: Signer | Visitor,
  named: Named,
): Promise<FoundFile> {
  const by = readerOf(caller);
  return hub.store.read(async (db) => {
    const { task } = (await readTask(db, named.taskId)) ?? noSuchTask();
    const pin = await pinOf(db, named.taskId, named.sha256);
    const file = pin && (await shownFile(db, hub, { task, by, sha256: named.sha256 }));
    if (pin === undefined || file === undefined) return noSuchFile(task);
    return { file, object: pin.object };
  });
}

interface Shown {
  readonly task: Task;
  readonly by: Account | undefined;
  readonly sha256: string;
}

async function shownFile(db: Reader, hub: Hub, of: Shown): Promise<TaskFile | undefined> {
  const { task, by, sha256 } = of;
  const isIt = (file: TaskFile): boolean => file.sha256 === sha256;
  const reading = await partOf(db, task, by);
  const isHidden = (id: string): boolean => hub.moderation.against(id) !== undefined;
  const brief = task.files?.find(isIt);
  const isPublic = !isPrivate(task) && !isHidden(task.id);
  if (brief !== undefined && (reading.seesBrief || isPublic)) return brief;
  for (const attempt of await attemptsNaming(db, task.id, sha256)) {
    const isParty = isInvolved(task, attempt, reading);
    const isShown = mayReadResult(task, attempt, reading);
    if (!isShown || (!isParty && [task.id, attempt.id].some(isHidden))) continue;
    const file = (await resultOf(db, attempt.id))?.files?.find(isIt);
    if (file !== undefined) return file;
  }
  return undefined;
}

function noSuchFile({ id }: Task): never {
  return refuse('not-found', {
    error: 'This task has no file with this digest that you may read.',
    hint: `\`GET /api/v1/tasks/${id}\` lists the files of the brief in \`files\`, and \`GET /api/v1/tasks/${id}/solutions\` those of each result. Those of a result without a decision are shown to its parties and judges, who sign the call.`,
  });
}
