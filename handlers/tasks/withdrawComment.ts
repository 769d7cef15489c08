import { need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { COMMENTS } from '../../db/tasks/comments.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentComment } from './present/comment.ts';

/** The comment keeps its place, id and author and loses its text; a repeat changes nothing. */
export const withdrawComment: Handler<'tasks.withdrawComment'> = async (call, hub) => {
  const { id, commentId } = call.path;
  const decide = (db: Decider) => {
    const found = db.find(COMMENTS, commentId);
    if (found?.taskId !== id) {
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
    if (found.withdrawnAt !== undefined) return presentComment(found);
    const { body: _, ...rest } = found;
    const withdrawn = { ...rest, withdrawnAt: hub.clock.now() };
    db.put(COMMENTS, commentId, withdrawn);
    return presentComment(withdrawn);
  };
  const needs = [need(COMMENTS, commentId)];
  return { status: 200, body: await hub.transactOnce(call, { needs, decide }) };
};

function answerTo(parentId: string): string {
  return JSON.stringify({ author: '<your account>', body: '<your comment>', parentId });
}
