import { need } from '../../db/batch/need.ts';
import { requesterRecord, REQUESTER_RECORD } from '../../db/tasks/requesterRecord.ts';
import { SHOWN_ATTEMPTS, SHOWN_EVENTS } from '../../db/tasks/shown.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { panelsOf } from './present/panel.ts';
import { readSettledWith } from '../../workflows/tasks/due.ts';
import { presentNextFor } from '../../workflows/tasks/nextActions.ts';
import { actor, readsOfWorker, workerIn } from '../../workflows/tasks/worker.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';
import { presentAttempt, presentEvent, presentRecord, presentTask } from './present/task.ts';

export const get: Handler<'tasks.get'> = async (call, hub) => {
  const { id } = call.path;
  const on = { taskId: id };
  const who = call.caller.kind === 'signer' ? actor(call.caller, undefined) : undefined;
  const { known, more } = await readSettledWith(hub, id, {
    needs: [
      need(REQUESTER_RECORD, id),
      need(SHOWN_ATTEMPTS, id),
      need(SHOWN_EVENTS, id),
      ...(who === undefined ? [] : readsOfWorker(who, on)),
    ],
    read: (db, { aggregate: { task } }) => ({
      record: requesterRecord(db, id),
      workers: db.list(SHOWN_ATTEMPTS, id).map(({ attempt }) => attempt),
      history: db.list(SHOWN_EVENTS, id),
      panels: task.verification === 'validator' ? panelsOf(db, id) : undefined,
      worker: who && workerIn(db, who, task, on).worker,
    }),
  });
  const { aggregate } = known;
  const { workers, history, record, panels, worker } = more;
  const now = hub.clock.now();
  const next = worker && presentNextFor(hub, aggregate, worker.account, worker);
  const task = presentTask(aggregate, now, next);
  return {
    status: 200,
    body: {
      ...task,
      ...(record !== undefined && { requesterRecord: presentRecord(record) }),
      workers: workers.map(presentAttempt),
      history: history.map(presentEvent),
      panels,
      ...UNTRUSTED_TEXTS,
    },
  };
};
