import { commentOf, insertComment } from '../../db/tasks/comments.ts';
import type { Comment } from '../../db/tasks/comments.ts';
import type { Writer } from '../../db/store.ts';
import { countComment, lockTask } from '../../db/tasks/tasks.ts';
import { noteEvent } from '../../db/wallet/accountEvents.ts';
import { defined } from '../../domain/defined.ts';
import { COMMENT_DEPTH_MAX } from '../../domain/tasks/limits.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { presentComment } from './present/comment.ts';
import { noSuchTask } from '../../workflows/tasks/refuse.ts';

/** Threads are part of a task's page and never of its deal. */
export const comment: Handler<'tasks.comment'> = async (call, hub) => {
  const { id: taskId } = call.path;
  const { body: text, parentId } = call.body;
  const body = await hub.once(call, async (tx) => {
    const { task } = (await lockTask(tx, taskId)) ?? noSuchTask();
    const parent = parentId === undefined ? undefined : await parentOf(tx, taskId, parentId);
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
      author: call.caller.account,
      body: text,
      ...defined({ parentId }),
      depth,
      createdAt: hub.clock.now(),
    };
    await insertComment(tx, made);
    await countComment(tx, taskId);
    const { id: ref, author: actor, createdAt: at } = made;
    const others = [task.requester, parent?.author].filter((account) => account !== actor);
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

async function parentOf(tx: Writer, taskId: string, parentId: string): Promise<Comment> {
  const parent = await commentOf(tx, taskId, parentId);
  if (parent !== undefined) return parent;
  return refuse('not-found', {
    error: 'This task has no comment with the id in parentId.',
    field: 'body.parentId',
  });
}
