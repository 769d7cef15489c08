import { commentOf, withdrawComment as clear } from '../../db/tasks/comments.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { presentComment } from './present/comment.ts';

/** The comment keeps its place, id and author and loses its text; a repeat changes nothing. */
export const withdrawComment: Handler<'tasks.withdrawComment'> = async (call, hub) => {
  const { id, commentId } = call.path;
  const body = await hub.once(call, async (tx) => {
    const found = await commentOf(tx, id, commentId);
    if (found === undefined) {
      return refuse('not-found', {
        error: 'This task has no comment with this id.',
        field: 'path.commentId',
      });
    }
    if (found.author !== call.caller.account) {
      return refuse('not-a-party', {
        error: `Only its author, ${found.author}, withdraws this comment.`,
        hint: `Answer it instead: \`POST /api/v1/tasks/${id}/comments ${answerTo(commentId)}\`.`,
      });
    }
    const withdrawnAt = found.withdrawnAt ?? hub.clock.now();
    await clear(tx, commentId, withdrawnAt);
    return presentComment({ ...found, body: null, withdrawnAt });
  });
  return { status: 200, body };
};

function answerTo(parentId: string): string {
  return JSON.stringify({ author: '<your account>', body: '<your comment>', parentId });
}
