import type { Comment } from '../../../db/tasks/comments.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';

export function presentComment(comment: Comment): Schemas['TaskComment'] {
  const { id, taskId, author, body, parentId, depth, createdAt, withdrawnAt } = comment;
  return {
    id,
    taskId,
    author,
    body: body ?? null,
    parentId,
    depth,
    createdAt,
    withdrawnAt,
  };
}
