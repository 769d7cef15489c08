import type { Comment } from '../../../db/tasks/comments.ts';
import { defined } from '../../../domain/defined.ts';
import { iso } from '../../../domain/instant.ts';
import type { components } from '../../../generated/types.ts';

export function presentComment(comment: Comment): components['schemas']['TaskComment'] {
  const { id, taskId, author, body, parentId, depth, createdAt, withdrawnAt } = comment;
  return {
    id,
    taskId,
    author,
    body,
    ...defined({ parentId }),
    depth,
    createdAt: iso(createdAt),
    ...(withdrawnAt !== undefined && { withdrawnAt: iso(withdrawnAt) }),
  };
}
