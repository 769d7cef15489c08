import { commentsOfTask } from '../../db/tasks/comments.ts';
import type { Comment } from '../../db/tasks/comments.ts';
import { readTask } from '../../db/tasks/tasks.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { envelopeOf, jsonBytes, readPage } from '../page.ts';
import { presentComment } from './present/comment.ts';
import { readerOf, readingOf } from '../../workflows/tasks/readers.ts';
import { noSuchTask } from '../../workflows/tasks/refuse.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';

export const comments: Handler<'tasks.comments'> = async (call, hub) => {
  const { limit, cursor: after = '' } = call.query;
  const page = await hub.store.read(async (db) => {
    const { task } = (await readTask(db, call.path.id)) ?? noSuchTask();
    const reading = await readingOf(db, task, readerOf(call.caller));
    return readPage<Comment>({
      limit,
      read: (last, count) =>
        commentsOfTask(db, task.id, { after: last?.id ?? after, limit: count, for: reading }),
      weigh: jsonBytes,
    });
  });
  return {
    status: 200,
    body: {
      ...envelopeOf(page, limit, ({ id }) => id),
      comments: page.rows.map(presentComment),
      ...UNTRUSTED_TEXTS,
    },
  };
};
