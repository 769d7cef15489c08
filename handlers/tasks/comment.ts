import { need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { COMMENTS, type Comment } from '../../db/tasks/comments.ts';
import { TASKS } from '../../db/tasks/taskRow.ts';
import { noteEvent } from '../../db/wallet/accountEvents.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { COMMENT_DEPTH_MAX } from '../../domain/tasks/limits.ts';
import type { TaskAggregate } from '../../domain/tasks/model.ts';
import { isPrivate } from '../../domain/tasks/privacy.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentComment } from './present/comment.ts';
import {
  mayReadComment,
  readingIn,
  readsOfReading,
  type Reading,
} from '../../workflows/tasks/readers.ts';
import { noSuchTask } from '../../workflows/tasks/refuse.ts';

/** Threads are part of a task's page and never of its deal. */
export const comment: Handler<'tasks.comment'> = async (call, hub) => {
  const { id: taskId } = call.path;
  const { body: text, parentId } = call.body;
  const author = call.caller.account;
  const decide = (db: Decider) => {
    const known = db.find(TASKS, taskId) ?? noSuchTask();
    const { aggregate } = known;
    const { task } = aggregate;
    const reading = readingIn(db, task, author);
    const parent = parentId === undefined ? undefined : parentOf(db, { taskId, parentId, reading });
    const party = isPrivate(task) && !reading.seesAll ? author : parent?.party;
    const depth = (parent?.depth ?? 0) + 1;
    if (depth > COMMENT_DEPTH_MAX) {
      refuse('bad-request', {
        error: `A thread is at most ${COMMENT_DEPTH_MAX} levels deep.`,
        field: 'body.parentId',
      });
    }
    const made: Comment = {
      id: db.newId(hub.ids),
      taskId,
      author,
      body: text,
      ...defined({ parentId, party }),
      depth,
      createdAt: hub.clock.now(),
    };
    db.insert(COMMENTS, made.id, made);
    const counted = { ...task, comments: task.comments + 1 };
    db.put(TASKS, taskId, { ...known, aggregate: { ...aggregate, task: counted } });
    const { id: ref, createdAt: at } = made;
    const readers = [task.requester, parent?.author, ...workersFor(aggregate, made)];
    const others = readers.filter((account) => account !== author);
    noteEvent(db, others, {
      at,
      kind: 'comment.posted',
      subjectId: taskId,
      ref,
      actor: author,
      state: task.state,
    });
    return presentComment(made);
  };
  const needs = [
    need(TASKS, taskId),
    ...(parentId === undefined ? [] : [need(COMMENTS, parentId)]),
    ...readsOfReading(taskId, author),
  ];
  return { status: 200, body: await hub.transactOnce(call, { needs, decide }) };
};

/** The requester speaks to all to all is for those who work on the task, or wait for its decision. */
function workersFor(
  { task, live }: TaskAggregate,
  { author, parentId }: Comment,
): readonly Account[] {
  if (author !== task.requester || parentId !== undefined) return [];
  return live.map(({ worker }) => worker);
}

interface Answered {
  readonly taskId: string;
  readonly parentId: string;
  readonly reading: Reading;
}

function parentOf(db: Decider, { taskId, parentId, reading }: Answered): Comment {
  const parent = db.find(COMMENTS, parentId);
  if (parent?.taskId === taskId && mayReadComment(parent, reading)) return parent;
  return refuse('not-found', {
    error: 'This task has no comment with the id in parentId.',
    field: 'body.parentId',
  });
}
