import { commentsOfTask } from '../../db/tasks/comments.ts';
import type { Comment } from '../../db/tasks/comments.ts';
import { readTask } from '../../db/tasks/tasks.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { jsonBytes, readPage } from '../page.ts';
import { presentComment } from './present/comment.ts';
import { noSuchTask } from '../../workflows/tasks/refuse.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';

export const comments: Handler<'tasks.comments'> = async (call, hub) => {
  const { limit, after = '' } = call.query;
  const { page, more } = await hub.store.read(async (db) => {
    if ((await readTask(db, call.path.id)) === undefined) return noSuchTask();
    return readPage<Comment>({
      limit,
      read: (last, count) => commentsOfTask(db, call.path.id, last?.id ?? after, count),
      weigh: jsonBytes,
    });
  });
  const last = page.at(-1)?.id;
  return {
    status: 200,
    body: {
      count: page.length,
      comments: page.map(presentComment),
      limit,
      ...(more && last !== undefined && { nextAfter: last }),
      ...UNTRUSTED_TEXTS,
    },
  };
};
