import { commentOf, insertComment } from '../../db/tasks/comments.ts';
import type { Comment } from '../../db/tasks/comments.ts';
import { liveAttemptsOf } from '../../db/tasks/attempts.ts';
import type { Writer } from '../../db/store.ts';
import { countComment, lockTask } from '../../db/tasks/tasks.ts';
import { noteEvent } from '../../db/wallet/accountEvents.ts';
import { defined } from '../../domain/defined.ts';
import type { Account } from '../../domain/account.ts';
import { COMMENT_DEPTH_MAX } from '../../domain/tasks/limits.ts';
import type { Task } from '../../domain/tasks/model.ts';
import { isPrivate } from '../../domain/tasks/privacy.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { presentComment } from './present/comment.ts';
import { mayReadComment, readingOf, type Reading } from '../../workflows/tasks/readers.ts';
import { noSuchTask } from '../../workflows/tasks/refuse.ts';

/** Threads are part of a task's page and never of its deal. */
export const comment: Handler<'tasks.comment'> = async (call, hub) => {
  const { id: taskId } = call.path;
  const { body: text, parentId } = call.body;
  const body = await hub.once(call, async (tx) => {
    const { task } = (await lockTask(tx, taskId)) ?? noSuchTask();
    const author = call.caller.account;
    const reading = await readingOf(tx, task, author);
    const parent =
      parentId === undefined ? undefined : await parentOf(tx, { taskId, parentId, reading });
    const party = isPrivate(task) && !reading.seesAll ? author : parent?.party;
    const depth = (parent?.depth ?? 0) + 1;
    if (depth > COMMENT_DEPTH_MAX) {
      refuse('bad-request', {
        error: `A thread is at most ${COMMENT_DEPTH_MAX} levels deep.`,
        field: 'body.parentId',
      });
    }
    const made: Comment = {
      id: hub.ids.uuid(),
      taskId,
      author,
      body: text,
      ...defined({ parentId, party }),
      depth,
      createdAt: hub.clock.now(),
    };
    await insertComment(tx, made);
    await countComment(tx, taskId);
    const { id: ref, author: actor, createdAt: at } = made;
    const readers = [task.requester, parent?.author, ...(await workersFor(tx, task, made))];
    const others = readers.filter((account) => account !== actor);
    noteEvent(tx, others, {
      at,
      kind: 'comment.posted',
      subjectId: taskId,
      ref,
      actor,
      state: task.state,
    });
    return presentComment(made);
  });
  return { status: 200, body };
};

/** What the requester says to all is for those who work on the task, or wait for its decision. */
async function workersFor(
  tx: Writer,
  task: Task,
  { author, parentId }: Comment,
): Promise<readonly Account[]> {
  if (author !== task.requester || parentId !== undefined) return [];
  const live = await liveAttemptsOf(tx, [task.id]);
  return (live.get(task.id) ?? []).map(({ worker }) => worker);
}

interface Answered {
  readonly taskId: string;
  readonly parentId: string;
  readonly reading: Reading;
}

async function parentOf(tx: Writer, { taskId, parentId, reading }: Answered): Promise<Comment> {
  const parent = await commentOf(tx, taskId, parentId);
  if (parent !== undefined && mayReadComment(parent, reading)) return parent;
  return refuse('not-found', {
    error: 'This task has no comment with the id in parentId.',
    field: 'body.parentId',
  });
}
